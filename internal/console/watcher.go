package console

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"usher"
	"usher/queues/status"
)

// Times of the watcher.
const (
	refreshEvery = time.Second           // minimum time between two refreshes
	refreshIdle  = 5 * time.Second       // between two refreshes if no change was announced; a new job is not announced
	refreshTime  = 5 * time.Second       // within which NATS must respond
	firstEvery   = 50 * time.Millisecond // between two refreshes until all jobs are read
	firstTime    = 2 * time.Second       // after which pages show the jobs that are read by then
)

// watcher keeps the jobs up to date, and announces changes to the pages.
type watcher struct {
	sources Sources
	notify  func(topic string)
	now     func() time.Time
	logger  *slog.Logger

	dirty chan struct{} // capacity 1; full if jobs have changed
	first chan struct{} // closed once pages can be shown

	mu  sync.Mutex
	err error // of the last refresh
}

func newWatcher(s Sources, notify func(string), now func() time.Time, logger *slog.Logger) *watcher {
	return &watcher{
		sources: s, notify: notify, now: now, logger: logger,
		dirty: make(chan struct{}, 1), first: make(chan struct{}),
	}
}

// signal fills a channel of capacity 1 without blocking.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// run follows the jobs until ctx ends.
func (w *watcher) run(ctx context.Context) {
	var following sync.WaitGroup
	defer following.Wait()
	following.Go(func() {
		w.repeat(ctx, "watching for changes", func() error { return w.sources.Changes(ctx, w.changed) })
	})
	following.Go(func() {
		w.repeat(ctx, "watching jobs", func() error { return w.sources.Live.Follow(ctx, func(string) { signal(w.dirty) }) })
	})
	began := w.now()
	for ctx.Err() == nil && w.refresh(ctx) == nil && !w.sources.Live.Counts(began).Ready && w.now().Sub(began) < firstTime {
		_ = usher.Sleep(ctx, firstEvery)
	}
	close(w.first)
	for ctx.Err() == nil {
		_ = usher.Sleep(ctx, refreshEvery)
		select {
		case <-ctx.Done():
		case <-w.dirty:
		case <-time.After(refreshIdle - refreshEvery):
		}
		_ = w.refresh(ctx)
	}
}

// repeat calls watch again, after a while, each time that it fails.
func (w *watcher) repeat(ctx context.Context, what string, watch func() error) {
	for ctx.Err() == nil {
		if err := watch(); err != nil && ctx.Err() == nil {
			w.logger.Warn("console: "+what+" failed and begins again", "error", err)
			_ = usher.Sleep(ctx, refreshIdle)
		}
	}
}

// changed announces a change.
func (w *watcher) changed(change status.Changed, id string) {
	switch change {
	case status.JobChanged: // of its record, or of one of its parts
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

// refresh adds the jobs that were published, and announces that jobs have changed.
func (w *watcher) refresh(ctx context.Context) error {
	try, cancel := context.WithTimeout(ctx, refreshTime)
	err := w.sources.Live.Refresh(try, w.now())
	cancel()
	if err != nil && ctx.Err() == nil {
		w.logger.Warn("console: the jobs could not be read", "error", err)
	}
	w.mu.Lock()
	w.err = err
	w.mu.Unlock()
	w.notify(topicJobs)
	w.notify(topicOverview)
	return err
}

// jobs returns the newest jobs, and older ones that have not ended.
func (w *watcher) jobs(ctx context.Context) (status.Kept, error) {
	if err := w.wait(ctx); err != nil {
		return status.Kept{}, err
	}
	return w.sources.Live.Kept(), nil
}

// wait waits until jobs were read. It returns an error if none could be read yet.
func (w *watcher) wait(ctx context.Context) error {
	select {
	case <-w.first:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if !w.readAt().IsZero() {
		return nil // after a later error, pages show what was read before, and its age
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// readAt returns when the jobs in memory were current, or zero.
func (w *watcher) readAt() time.Time { return w.sources.Live.Counts(w.now()).At }
