package queues

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"usher"
	"usher/queues/store"
)

// Lease is a job, or a part of one, that is ours until exactly one of End,
// Retry or Split. It keeps its delivery alive from the moment it is taken.
type Lease struct {
	q     *Queue
	d     *delivery
	token string

	job     *jobEntry // of a job; nil for a part
	message *message
	part    *partEntry // of a part; nil for a job
	order   *partOrder

	ctx    context.Context // the work's
	cancel context.CancelCauseFunc
	held   context.Context // ends when the lease is lost, and not before
	drop   context.CancelCauseFunc
	done   chan struct{} // closed when nobody works for this lease any more
	once   sync.Once

	beating  sync.WaitGroup // the heartbeat
	stopBeat context.CancelFunc

	mu       sync.Mutex // over revision and the entry: Save runs beside the sending
	revision uint64
	counted  figures // by the metrics
}

func (l *Lease) hold() *hold {
	if l.part != nil {
		return &l.part.hold
	}
	return &l.job.hold
}

func (l *Lease) id() string {
	if l.part != nil {
		return l.order.ID
	}
	return l.job.Record.ID
}

func (l *Lease) key() string {
	if l.part != nil {
		return partKey(l.order.ID, l.order.Part)
	}
	return jobKey(l.job.Record.ID)
}

// Context is the work's: it ends with a cause when the job is cancelled or
// ended elsewhere, the lease is lost, or the context given to Next ends.
func (l *Lease) Context() context.Context { return l.ctx }

// Work is what is to be done.
func (l *Lease) Work() usher.Work {
	h := l.hold()
	w := usher.Work{ID: l.id(), Run: h.Run, Attempts: h.Attempts, Crashes: h.Crashes, Progress: h.Progress}
	if o := l.order; o != nil {
		w.Kind, w.Job, w.Order, w.Published = o.Kind, o.Job, o.Order, o.Published
		w.Trace = traceOf(l.d.msg.Headers())
		w.Part, w.Parts, w.Range = o.Part, o.Parts, o.Range
		w.Progress.Plan = &o.Plan
		return w
	}
	m := l.message
	w.Kind, w.Job, w.Dropped, w.Trace = m.kind, m.job, m.dropped, m.trace
	w.Order, w.Published = l.job.Order, l.job.Published
	if l.job.Ranges != nil && w.Progress.Plan != nil {
		plan := *w.Progress.Plan
		plan.Parts = l.job.Ranges
		w.Progress.Plan = &plan
	}
	return w
}

// Save keeps the progress. It returns usher.ErrLeaseLost when the work is
// another worker's now; any other error means that NATS is away and nothing is
// known.
func (l *Lease) Save(p usher.Progress) error {
	ctx, cancel := context.WithTimeout(l.held, store.CallTime)
	defer cancel()
	return l.write(ctx, func() { l.hold().progressed(p) })
}

// progressed takes over p; a checkpoint that advanced forgives crashes.
func (h *hold) progressed(p usher.Progress) {
	was := h.Progress
	if p.Checkpoint.Batches > was.Checkpoint.Batches || p.Counted > was.Counted || p.Phase != was.Phase || (p.Intent != nil) != (was.Intent != nil) {
		h.CrashesInRow = 0
	}
	h.Progress = p
}

// write changes the entry and stores it at the revision that we wrote last. A
// wrong revision with our token in it is our own write whose answer was lost,
// or a neighbour's bit; with another token the lease is lost.
func (l *Lease) write(ctx context.Context, alter func()) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		alter()
		revision, err := l.put(ctx)
		if err == nil {
			l.revision = revision
			now := figuresOf(&l.hold().Progress.Checkpoint)
			l.q.metrics.advanced(l.counted, now)
			l.counted = now
			return nil
		}
		if !errors.Is(err, store.ErrConflict) {
			return err
		}
		if err := l.reload(ctx); err != nil {
			return err
		}
	}
}

func (l *Lease) put(ctx context.Context) (uint64, error) {
	if l.part != nil {
		return l.q.state.CompareAndSet(ctx, l.key(), l.part, l.revision)
	}
	l.job.show(l.q)
	return l.q.state.CompareAndSet(ctx, l.key(), l.job, l.revision)
}

// reload takes over what is stored, if it still says that we have it. If not,
// nothing is taken over: with another's revision we could write over it.
func (l *Lease) reload(ctx context.Context) error {
	var job jobEntry
	var part partEntry
	var stored any = &job
	if l.part != nil {
		stored = &part
	}
	revision, _, err := l.q.state.Get(ctx, l.key(), stored)
	if err != nil {
		return err
	}
	if job.Holder != l.token && part.Holder != l.token {
		l.drop(usher.ErrLeaseLost)
		return fmt.Errorf("write record %s: %w", l.key(), usher.ErrLeaseLost)
	}
	l.revision = revision
	if l.part != nil {
		*l.part = part
	} else {
		*l.job = job
	}
	return nil
}

// giveUp ends a lease of this process whose delivery came again, and waits
// until its work has stopped.
func (l *Lease) giveUp(ctx context.Context) {
	l.drop(usher.ErrLeaseLost)
	select {
	case <-l.done:
	case <-ctx.Done():
	}
}

// discard forgets the lease, settled or not, and ends its heartbeat.
func (l *Lease) discard() {
	l.once.Do(func() {
		l.q.mu.Lock()
		delete(l.q.live, l.token)
		l.q.mu.Unlock()
		l.cancel(nil)
		l.drop(nil)
		l.beating.Wait()
		close(l.done)
	})
}

// forsake discards a lease whose record may say that we have it although we do
// not any more.
func (l *Lease) forsake() {
	l.q.mu.Lock()
	if len(l.q.forsaken) < maxForsaken {
		l.q.forsaken[l.token] = true
	}
	l.q.mu.Unlock()
	l.discard()
}

// settled discards a lease after its settlement.
func (l *Lease) settled(err error) {
	if err != nil {
		l.forsake()
		return
	}
	l.discard()
}
