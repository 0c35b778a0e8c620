package console

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"usher"
)

// How the records are read: so many at most, at most a tenth of the time, and
// after so long even if nothing is known to have changed (a job that nobody has
// taken changes nothing). While nobody looks, rarely.
const (
	snapshotMost  = 20_000
	snapshotEvery = time.Second
	snapshotIdle  = 5 * time.Second
	snapshotAway  = time.Minute
)

// watcher follows what happens: it keeps the newest records, from which it
// measures the throughput, and tells the pages what has changed.
type watcher struct {
	sources Sources
	tell    func(topic string)
	now     func() time.Time

	dirty  chan struct{} // holds one: records have changed
	asked  chan struct{} // holds one: somebody looks
	meter  *meter
	mu     sync.Mutex
	shown  snapshot
	first  chan struct{} // closed once there is a snapshot
	looked time.Time     // when somebody looked last
}

// snapshot is the newest records, newest first. Nobody changes them.
type snapshot struct {
	records []usher.Record
	at      time.Time
	err     error
}

func newWatcher(s Sources, tell func(string), now func() time.Time) *watcher {
	return &watcher{
		sources: s, tell: tell, now: now,
		dirty: make(chan struct{}, 1), asked: make(chan struct{}, 1),
		meter: newMeter(), first: make(chan struct{}),
	}
}

func poke(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// run reads records again when they have changed, until ctx ends.
func (w *watcher) run(ctx context.Context, logger *slog.Logger) {
	var following sync.WaitGroup
	defer following.Wait()
	following.Go(func() { w.sources.Changes(ctx, w.changed) })
	for ctx.Err() == nil {
		began := time.Now()
		w.refresh(ctx, logger)
		pause := time.NewTimer(max(snapshotEvery, 10*time.Since(began)))
		select {
		case <-pause.C:
		case <-ctx.Done():
		}
		w.sleep(ctx)
	}
}

// sleep waits until the records are to be read again.
func (w *watcher) sleep(ctx context.Context) {
	w.mu.Lock()
	watched := w.now().Sub(w.looked) < snapshotAway
	w.mu.Unlock()
	for {
		dirty, after := w.dirty, snapshotIdle
		if !watched {
			dirty, after = nil, snapshotAway
		}
		timer := time.NewTimer(after)
		select {
		case <-ctx.Done():
		case <-timer.C:
		case <-dirty:
		case <-w.asked:
			timer.Stop()
			if watched {
				continue
			}
		}
		timer.Stop()
		return
	}
}

// changed hears of a change.
func (w *watcher) changed(topic, id string) {
	if topic != topicJobs {
		w.tell(topic)
		return
	}
	w.tell(topicJobPrefix + id)
	poke(w.dirty)
}

func (w *watcher) refresh(ctx context.Context, logger *slog.Logger) {
	try, cancel := context.WithTimeout(ctx, time.Minute)
	records, err := w.sources.Jobs.Records(try, snapshotMost)
	cancel()
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		logger.Warn("the console could not read the jobs", "error", err)
	}
	w.mu.Lock()
	w.shown.err, w.shown.at = err, w.now()
	if err == nil {
		w.shown.records = records
		w.meter.see(w.shown.at, records)
	}
	w.mu.Unlock()
	select {
	case <-w.first:
	default:
		close(w.first)
	}
	w.tell(topicJobs)
	w.tell(topicOverview)
}

// records are the newest, as of a moment ago.
func (w *watcher) records(ctx context.Context) ([]usher.Record, error) {
	w.mu.Lock()
	w.looked = w.now()
	w.mu.Unlock()
	poke(w.asked)
	select {
	case <-w.first:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.shown.records == nil && w.shown.err != nil {
		return nil, w.shown.err
	}
	return w.shown.records, nil
}

// throughput is the meter's view now.
func (w *watcher) throughput() throughput {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.meter.view(w.now())
}
