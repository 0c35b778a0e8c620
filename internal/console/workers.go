package console

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"usher/queues/lanes"
	"usher/queues/status"
)

// Bounds of the list of workers.
const (
	goneFor    = 24 * time.Hour // how long a worker that is gone is listed
	maxWorkers = 1000
	rollEvery  = 2 * time.Second // between two roll calls, while somebody looks
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
	Gone    bool               `json:"gone"` // it has not answered the last roll call
}

// roster remembers the workers that have answered roll calls in the last day. Consoles keep it
// for the next process beside the throughput.
type roster struct {
	mu   sync.Mutex
	seen map[string]workerRow
}

// update takes the answers to a roll call and returns all workers by name, those that are gone
// last.
func (r *roster) update(present []status.Presence, now time.Time) []workerRow {
	r.mu.Lock()
	defer r.mu.Unlock()
	for name, w := range r.seen {
		w.Gone = true
		r.seen[name] = w
		if now.Sub(w.Heard) > goneFor {
			delete(r.seen, name)
		}
	}
	for _, p := range present {
		if p.Since.After(now) { // of a version that says it by its machine's clock
			p.Since = now
		}
		if len(r.seen) < maxWorkers || !r.seen[p.Worker].Heard.IsZero() {
			r.seen[p.Worker] = workerRow{
				Name: p.Worker, Version: p.Version, Since: known(p.Since), Memory: p.Memory, Slots: p.Slots,
				Jobs: append([]string{}, p.Jobs...), Down: p.Down, Refused: p.Refused, Heard: now,
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

// fill adds workers that earlier processes have heard.
func (r *roster) fill(old []status.Seen) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range old {
		if r.seen[w.Worker].Heard.IsZero() && len(r.seen) < maxWorkers {
			r.seen[w.Worker] = workerRow{Name: w.Worker, Version: w.Version, Since: known(w.Since), Jobs: []string{}, Heard: w.Heard, Gone: true}
		}
	}
}

// stored returns the workers, for the next process.
func (r *roster) stored() []status.Seen {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := make([]status.Seen, 0, len(r.seen))
	for _, w := range r.seen {
		s := status.Seen{Worker: w.Name, Version: w.Version, Heard: w.Heard}
		if w.Since != nil {
			s.Since = *w.Since
		}
		all = append(all, s)
	}
	return all
}

func (c *Console) loadWorkers(ctx context.Context) ([]workerRow, error) {
	present, err := c.options.Jobs.Workers(ctx)
	if err != nil {
		return nil, err
	}
	return c.roster.update(present, c.options.Now().UTC()), nil
}

func (c *Console) listWorkers(ctx context.Context, _ *http.Request, _ User) (any, error) {
	workers, err := c.workers.get(ctx)
	return map[string][]workerRow{"workers": workers}, err
}
