package console

import (
	"context"
	"log/slog"
	"sync"
	"time"
	"usher/queues"

	"usher"
)

// Bounds on reading the records, which takes at most a tenth of the time.
const (
	snapshotMost  = 20_000          // records in a snapshot
	snapshotEvery = time.Second     // minimum time between two snapshots
	snapshotIdle  = 5 * time.Second // maximum age without an announced change: publishing a job changes no record
	snapshotAway  = time.Minute     // maximum age while no page is open
)

// watcher keeps a snapshot of the newest records, measures the throughput from it, and
// announces changes to the pages.
type watcher struct {
	sources Sources
	notify  func(topic string)
	now     func() time.Time

	dirty  chan struct{} // capacity 1; full if records have changed
	asked  chan struct{} // capacity 1; full if a page has requested records
	meter  *meter
	mu     sync.Mutex
	shown  snapshot
	first  chan struct{} // closed after the first snapshot
	looked time.Time     // when records were last requested
}

// snapshot holds records, newest first. It is never modified.
type snapshot struct {
	records []usher.Record
	at      time.Time
	err     error
}

func newWatcher(s Sources, notify func(string), now func() time.Time) *watcher {
	return &watcher{
		sources: s, notify: notify, now: now,
		dirty: make(chan struct{}, 1), asked: make(chan struct{}, 1),
		meter: newMeter(), first: make(chan struct{}),
	}
}

// signal fills a channel of capacity 1 without blocking.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// run reloads the records when they have changed, until ctx ends.
func (w *watcher) run(ctx context.Context, logger *slog.Logger) {
	var following sync.WaitGroup
	defer following.Wait()
	following.Go(func() {
		if err := w.sources.Changes(ctx, w.changed); err != nil {
			logger.Warn("the console is not told of changes, and looks every few seconds", "error", err)
		}
	})
	for ctx.Err() == nil {
		began := time.Now()
		w.refresh(ctx, logger)
		_ = usher.Sleep(ctx, max(snapshotEvery, 10*time.Since(began)))
		w.awaitChange(ctx)
	}
}

// awaitChange blocks until the records must be reloaded.
func (w *watcher) awaitChange(ctx context.Context) {
	w.mu.Lock()
	watched := w.now().Sub(w.looked) < snapshotAway
	w.mu.Unlock()
	for {
		dirty, after := w.dirty, snapshotIdle
		if !watched {
			dirty, after = nil, snapshotAway
		}
		select {
		case <-ctx.Done():
		case <-time.After(after):
		case <-dirty:
		case <-w.asked:
			if watched {
				continue
			}
		}
		return
	}
}

// changed is called for every change.
func (w *watcher) changed(change queues.Changed, id string) {
	switch change {
	case queues.JobChanged:
		w.notify(topicJobPrefix + id)
		signal(w.dirty)
	case queues.LetterWritten:
		w.notify(topicLetters)
	case queues.AuditWritten:
		w.notify(topicAudit)
	case queues.RulesChanged:
		w.notify(topicRules)
	}
}

func (w *watcher) refresh(ctx context.Context, logger *slog.Logger) {
	try, cancel := context.WithTimeout(ctx, time.Minute)
	records, err := w.sources.Jobs.Records(try, queues.Filter{Limit: snapshotMost})
	cancel()
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		logger.Warn("console: reading jobs failed", "error", err)
	}
	w.mu.Lock()
	w.shown.err, w.shown.at = err, w.now()
	if err == nil {
		w.shown.records = records
		w.meter.observe(w.shown.at, records)
	}
	w.mu.Unlock()
	select {
	case <-w.first:
	default:
		close(w.first)
	}
	w.notify(topicJobs)
	w.notify(topicOverview)
}

// records returns the newest records. It blocks until the first snapshot.
func (w *watcher) records(ctx context.Context) ([]usher.Record, error) {
	w.mu.Lock()
	w.looked = w.now()
	w.mu.Unlock()
	signal(w.asked)
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

// throughput returns the meter's state.
func (w *watcher) throughput() throughput {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.meter.throughput(w.now())
}
