package console

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"usher"
	"usher/queues/lanes"
	"usher/queues/presence"
)

// Bounds of the list of workers.
const (
	maxWorkers = 1000
	askEvery   = 2 * time.Second // how often workers are asked while somebody looks
	keepEvery  = time.Minute     // how often the throughput and the workers are stored
)

// workerRow is a worker.
type workerRow struct {
	Name    string             `json:"name"`
	Version string             `json:"version"` // "": older than versions that say it
	Since   *time.Time         `json:"since"`
	Memory  uint64             `json:"memory"`  // bytes; 0: not known
	Slots   map[lanes.Lane]int `json:"slots"`   // empty while it stops
	Jobs    []string           `json:"jobs"`    // some of the jobs that it runs
	Down    *time.Time         `json:"down"`    // since when it finds the platform down
	Refused bool               `json:"refused"` // because the platform refuses the login
	Heard   time.Time          `json:"heard"`
	Gone    bool               `json:"gone"`    // it did not answer when the workers were last asked
	Stopped bool               `json:"stopped"` // it has left, and was not killed or lost
}

// roster asks the workers who they are. It remembers those that have answered in the last day, and
// measures what they do. Consoles keep both for the next process.
type roster struct {
	presence Presence
	now      func() time.Time
	logger   *slog.Logger
	rows     *cache[[]workerRow] // asks, at most every askEvery

	mu    sync.Mutex
	seen  map[string]workerRow
	meter *meter
	// Of the workers that answered last: how their files differ, and what fails at the platform.
	files     []presence.Difference
	failing   []presence.Failing
	ahead     map[string]float64 // seconds by which clocks are wrong, by worker
	oversized []string           // the values that NATS does not take because of their size
	invalid   []string           // the first error of each feed file that was changed and is invalid
	lost      []presence.Lost
}

func newRoster(p Presence, now func() time.Time, logger *slog.Logger) *roster {
	r := &roster{presence: p, now: now, logger: logger, seen: map[string]workerRow{}, meter: newMeter()}
	r.rows = newCache(r.ask)
	r.rows.age = askEvery
	return r
}

// run asks the workers until ctx ends. It continues what an earlier process has measured and
// heard.
func (r *roster) run(ctx context.Context) {
	loaded, kept := false, r.now()
	for ctx.Err() == nil {
		if !loaded {
			loaded = r.load(ctx)
		}
		_, _ = r.rows.get(ctx) // a page that asks shows the error
		if loaded && r.now().Sub(kept) >= keepEvery {
			kept = r.now()
			if err := r.presence.KeepThroughput(ctx, r.stored(kept)); err != nil && ctx.Err() == nil {
				r.logger.Warn("console: the throughput could not be kept for the next process", "error", err)
			}
		}
		_ = usher.Sleep(ctx, meterStep)
	}
}

// ask asks the workers, and returns all by name, those that are gone last.
func (r *roster) ask(ctx context.Context) ([]workerRow, error) {
	workers, err := r.presence.Workers(ctx)
	left, lost, goneErr := r.presence.Gone(ctx) // without it, workers are gone, which is true, too
	r.mu.Lock()
	defer r.mu.Unlock()
	if goneErr == nil {
		r.lost = lost
	}
	now := r.now().UTC()
	switch {
	case err == nil:
		r.meter.observe(now, workers)
		r.ahead, r.invalid, r.oversized = map[string]float64{}, nil, nil
		for i := range workers {
			r.invalid = append(r.invalid, workers[i].Invalid...)
			r.oversized = append(r.oversized, workers[i].Oversized...)
			if ahead := workers[i].Ahead; ahead != 0 {
				r.ahead[workers[i].Worker] = ahead
			}
		}
		r.files, r.failing = presence.Differences(workers), presence.AllFailing(workers)
		return r.update(workers, left, now), nil
	case ctx.Err() == nil:
		r.meter.fail()
	}
	return nil, err
}

// update takes the answers of the workers and returns all workers by name, those that are gone
// last.
func (r *roster) update(present []presence.Answer, left map[string]time.Time, now time.Time) []workerRow {
	for name, w := range r.seen {
		w.Gone, w.Stopped = true, left[name].Add(presence.BeatEvery).After(w.Heard)
		r.seen[name] = w
		if now.Sub(w.Heard) > presence.SeenFor {
			delete(r.seen, name)
		}
	}
	for _, h := range present {
		if h.Since.After(now) { // by its machine's clock
			h.Since = now
		}
		if len(r.seen) < maxWorkers || !r.seen[h.Worker].Heard.IsZero() {
			r.seen[h.Worker] = workerRow{
				Name: h.Worker, Version: h.Version, Since: known(h.Since), Memory: h.Memory, Slots: h.Slots,
				Jobs: append([]string{}, h.Jobs...), Down: h.Down, Refused: h.Refused, Heard: now,
			}
		}
	}
	all := make([]workerRow, 0, len(r.seen))
	for _, w := range r.seen {
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b workerRow) int {
		if a.Gone != b.Gone {
			if a.Gone {
				return 1
			}
			return -1
		}
		return strings.Compare(a.Name, b.Name)
	})
	return all
}

// load adds what earlier processes have measured and heard, and reports whether it could.
func (r *roster) load(ctx context.Context) bool {
	old, err := r.presence.Throughput(ctx)
	if err != nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fill(old)
	return true
}

func (r *roster) fill(old presence.Throughput) {
	r.meter.quarter.fill(old.Quarter)
	r.meter.day.fill(old.Day)
	for _, w := range old.Workers {
		if r.seen[w.Worker].Heard.IsZero() && len(r.seen) < maxWorkers {
			r.seen[w.Worker] = workerRow{Name: w.Worker, Version: w.Version, Since: known(w.Since), Jobs: []string{}, Heard: w.Heard, Gone: true}
		}
	}
}

// stored returns what is kept for the next process.
func (r *roster) stored(now time.Time) presence.Throughput {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := presence.Throughput{Quarter: r.meter.quarter.observed(now), Day: r.meter.day.observed(now), Workers: make([]presence.Seen, 0, len(r.seen))}
	for _, w := range r.seen {
		s := presence.Seen{Worker: w.Name, Version: w.Version, Heard: w.Heard}
		if w.Since != nil {
			s.Since = *w.Since
		}
		t.Workers = append(t.Workers, s)
	}
	return t
}

// throughput returns the meter's state, with steps of the last day or of a quarter of an hour.
func (r *roster) throughput(day bool) throughput {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.meter.throughput(r.now(), day)
}

// failingOperations returns the operations of the platform that fail for any worker.
func (r *roster) failingOperations() []presence.Failing {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failing
}

// clocks returns by how many seconds the clocks of workers are ahead, of those that are wrong.
func (r *roster) clocks() map[string]float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ahead
}

// oversizedValues says which values NATS does not take because of their size.
func (r *roster) oversizedValues() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Compact(slices.Sorted(slices.Values(r.oversized)))
}

// invalidFiles returns the first error of each feed file that was changed and is invalid.
func (r *roster) invalidFiles() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Compact(slices.Sorted(slices.Values(r.invalid)))
}

// differences returns how the files of the workers differ.
func (r *roster) differences() []presence.Difference {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.files
}

// lostWorkers returns the workers that are gone and have not left.
func (r *roster) lostWorkers() []presence.Lost {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lost
}

func (c *Console) listWorkers(ctx context.Context, _ *http.Request, _ User) (any, error) {
	workers, err := c.roster.rows.get(ctx)
	return map[string][]workerRow{"workers": workers}, err
}
