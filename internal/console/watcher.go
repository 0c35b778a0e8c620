package console

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"usher"
	"usher/queues/status"
)

// Bounds on loading the records. Loading takes at most a tenth of the time.
const (
	maxSnapshot   = 20_000          // records in a snapshot
	snapshotEvery = time.Second     // minimum time between two snapshots
	snapshotIdle  = 5 * time.Second // maximum age if no change was announced; a new job is not announced
	snapshotAway  = time.Minute     // maximum age while no page is open
)

// watcher keeps a snapshot of the newest records, measures the throughput from it, and
// announces changes to the pages.
type watcher struct {
	sources Sources
	notify  func(topic string)
	now     func() time.Time

	dirty  chan struct{} // capacity 1; full if records have changed
	wanted chan struct{} // capacity 1; full if a page has requested records
	first  chan struct{} // closed after the first snapshot

	mu        sync.Mutex
	meter     *meter
	latest    snapshot
	read      time.Time // when the records were last read
	requested time.Time // when records were last requested
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
		dirty: make(chan struct{}, 1), wanted: make(chan struct{}, 1),
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
			logger.Warn("watching for changes failed: the console polls every few seconds instead", "error", err)
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
	watched := w.now().Sub(w.requested) < snapshotAway
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
		case <-w.wanted:
			if watched {
				continue
			}
		}
		return
	}
}

// changed announces a change, and marks the snapshot as outdated if it is of a job.
func (w *watcher) changed(change status.Changed, id string) {
	switch change {
	case status.JobChanged:
		w.notify(topicJobPrefix + id)
		signal(w.dirty)
	case status.LetterWritten:
		w.notify(topicLetters)
	case status.AuditWritten:
		w.notify(topicAudit)
	case status.RulesChanged:
		w.notify(topicRules)
	}
}

// refresh loads a snapshot of the records and announces it.
func (w *watcher) refresh(ctx context.Context, logger *slog.Logger) {
	try, cancel := context.WithTimeout(ctx, time.Minute)
	records, err := w.sources.Jobs.Records(try, status.Filter{Limit: maxSnapshot})
	cancel()
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		logger.Warn("console: the jobs could not be read", "error", err)
	}
	w.mu.Lock()
	w.latest.err, w.latest.at = err, w.now()
	if err != nil {
		w.meter.fail()
	} else {
		w.latest.records, w.read = records, w.latest.at
		w.meter.observe(w.latest.at, records)
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
	w.requested = w.now()
	w.mu.Unlock()
	signal(w.wanted)
	select {
	case <-w.first:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.latest.records == nil && w.latest.err != nil {
		return nil, w.latest.err
	}
	return w.latest.records, nil
}

// readAt returns when the records were last read, or zero.
func (w *watcher) readAt() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.read
}

// throughput returns the meter's state.
func (w *watcher) throughput() throughput {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.meter.throughput(w.now())
}
