package queues

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"usher"
	"usher/queues/message"
	"usher/queues/records"
	"usher/queues/store"
)

// Lease is a job, or a part of one, that belongs to this process until one of End,
// Retry or Split is called. It keeps its delivery alive with heartbeats.
type Lease struct {
	q     *Queue
	d     *delivery
	token string

	job     *records.Job // of a job; nil for a part
	message *message.Message

	superseded   string // see usher.Work
	runsAlone    bool   // the job runs alone, and may run
	takenAlongBy *Lease // the lease with which this one was taken, and whose delivery keeps it alive, see takealong.go

	part  *records.Part // of a part; nil for a job
	order *partOrder

	work   context.Context // from which ctx derives
	ctx    context.Context // of the work
	cancel context.CancelCauseFunc
	held   context.Context // ends when the lease is lost, and not before
	drop   context.CancelCauseFunc
	done   chan struct{} // closed when the work has stopped
	once   sync.Once

	beating  sync.WaitGroup
	stopBeat context.CancelFunc
	beaten   atomic.Pointer[time.Time] // when the last accepted heartbeat was sent
	slow     atomic.Pointer[usher.SlowSource]

	mu       sync.Mutex // guards revision and the record; Save is called concurrently
	revision uint64
	repaired bool    // the stored entry was damaged, and this lease has replaced it
	counted  figures // that the metrics include
	events   records.Outbox
}

func (l *Lease) execution() *records.Execution {
	if l.part != nil {
		return &l.part.Execution
	}
	return &l.job.Execution
}

func (l *Lease) id() string {
	if l.part != nil {
		return l.order.ID
	}
	return l.job.Record.ID
}

func (l *Lease) key() string {
	if l.part != nil {
		return records.PartKey(l.order.ID, l.order.Part)
	}
	return records.JobKey(l.job.Record.ID)
}

// Context returns the context of the work. It ends with a cause when the job is
// cancelled or ended elsewhere, when the lease is lost, or when the work context of
// Next ends.
func (l *Lease) Context() context.Context { return l.ctx }

// Held reports whether no other worker can have the work yet, by the clocks of this machine.
// Unlike the end of the context, it needs no goroutine that notices that the lease is lost.
// It holds for a process that was suspended (by the steady clock) and for a machine that was
// (by the time of day).
func (l *Lease) Held() bool {
	if l.takenAlongBy != nil {
		return l.takenAlongBy.Held()
	}
	now, end := time.Now(), l.beaten.Load().Add(l.q.options.AckWait)
	return now.Before(end) && now.Round(0).Before(end.Round(0))
}

// Work returns the job, or the part of it, that the lease holds.
func (l *Lease) Work() usher.Work {
	h := l.execution()
	w := usher.Work{ID: l.id(), Run: h.Run, Attempts: h.Attempts, Crashes: h.Crashes, Progress: h.Progress}
	if o := l.order; o != nil {
		w.Kind, w.Job, w.Order, w.Published = o.Kind, o.Job, o.Order, o.Published
		w.Trace = message.TraceOf(l.d.msg.Header)
		w.Part, w.Parts, w.Range = o.Part, o.Parts, o.Range
		if w.Step = o.Step; w.Step != "" {
			w.Part %= stepParts
		}
		w.Progress.Plan = &o.Plan
		return w
	}
	m := l.message
	w.Kind, w.Job, w.Dropped, w.Trace = m.Kind, m.Job, m.Dropped, m.Trace
	w.Order, w.Published, w.Superseded = l.job.Order, l.job.Published, l.superseded
	if l.job.Ranges != nil && w.Progress.Plan != nil {
		plan := *w.Progress.Plan
		plan.Parts = l.job.Ranges
		w.Progress.Plan = &plan
	}
	return w
}

// Save stores the progress. It returns usher.ErrLeaseLost if another worker has the
// work, or may have it. After any other error it is unknown whether the progress was stored.
// The progress of a job that was taken along is stored only when it ends.
func (l *Lease) Save(p usher.Progress) error {
	l.slow.Store(p.Slow)
	if l.takenAlongBy != nil {
		return context.Cause(l.held)
	}
	ctx, cancel := context.WithTimeout(l.held, store.CallTime)
	defer cancel()
	err := l.write(ctx, func() { l.execution().Advance(p) })
	if err != nil && l.held.Err() != nil { // NATS's client says only that ctx has ended
		return fmt.Errorf("write record %s: %w", l.key(), context.Cause(l.held))
	}
	return err
}

// write changes the entry and stores it with compare-and-set. On a conflict it
// reads the entry again: if that still has the lease's token, the response to an
// earlier write was lost, or another part set its bit, and write tries again. With
// another token the lease is lost.
func (l *Lease) write(ctx context.Context, alter func()) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		alter()
		revision, err := l.put(ctx)
		if err == nil {
			l.revision = revision
			now := figuresOf(&l.execution().Progress.Checkpoint)
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
	l.q.records.Refresh(l.job)
	l.events.RemoveStored(l.job)
	return l.q.state.CompareAndSet(ctx, l.key(), l.job, l.revision)
}

// reload reads the stored entry, if it still has the lease's token. Otherwise the
// lease is lost, and keeps its old revision, so that it cannot overwrite the entry.
func (l *Lease) reload(ctx context.Context) error {
	var job records.Job
	var part records.Part
	var stored any = &job
	if l.part != nil {
		stored = &part
	}
	revision, found, err := l.q.state.Get(ctx, l.key(), stored)
	if err != nil {
		return err
	}
	if !found && revision > 0 { // damaged: this worker still knows the entry
		l.revision, l.repaired = revision, true
		return nil
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

// giveUp ends a lease whose message was delivered again to this process, and waits
// until its work has stopped.
func (l *Lease) giveUp(ctx context.Context) {
	l.drop(usher.ErrLeaseLost)
	select {
	case <-l.done:
	case <-ctx.Done():
	}
}

// discard ends the lease and its heartbeat, settled or not.
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

// abandon discards a lease that the record may still name.
func (l *Lease) abandon() {
	l.q.markAbandoned(l.token)
	l.discard()
}

// settled ends the lease after its settlement succeeded or failed.
func (l *Lease) settled(err error) {
	if err != nil {
		l.abandon()
		return
	}
	l.discard()
}

// announce publishes the unsent events of the job's record, and does not wait until NATS has
// the last one.
func (l *Lease) announce(ctx context.Context) {
	l.mu.Lock()
	unsent, foreign := slices.Clone(l.job.Unsent), l.job.HasForeignUnsent()
	l.mu.Unlock()
	if err := l.events.Publish(ctx, l.q.store, unsent, foreign); err != nil && l.held.Err() == nil { // otherwise the next holder announces it
		l.q.logger.Warn("announcing the state of a job; it is announced later", "job", unsent[0].ID, "error", err)
	}
}

// announceBeside calls announce, concurrently with the work if NATS must first be asked
// which events it has.
func (l *Lease) announceBeside(ctx context.Context) {
	if !l.job.HasForeignUnsent() {
		l.announce(ctx)
		return
	}
	l.beating.Go(func() {
		ctx, cancel := context.WithTimeout(l.held, store.CallTime)
		defer cancel()
		l.announce(ctx)
	})
}
