package queues

import (
	"context"
	"errors"
	"fmt"
	"time"

	"usher"
)

// A pause is urgent, and its handler begins with questions. So the lease on a job
// that seems to come for the first time is given ahead: its record is written
// while the handler asks. Whoever has the lease may read, and waits in Taken before
// it changes anything; only then it is known that the job is ours. Where it is not,
// because there is a record already, the delivery comes again at once, to be
// understood with that.

// startAhead starts a lease on a job whose record is still to be written.
func (q *Queue) startAhead(l *Lease) {
	l.ahead = make(chan struct{})
	l.keepAlive()
	l.beating.Go(func() {
		defer close(l.ahead)
		l.enter()
	})
}

// enter writes the record of a job that is taken ahead, or gives the lease up.
func (l *Lease) enter() {
	ctx, cancel := context.WithTimeout(l.held, callTime)
	defer cancel()
	revision, err := put(ctx, l.q.state, l.key(), l.job, 0)
	if err == nil {
		l.revision = revision
		l.tellRunning()
		return
	}
	if errors.Is(err, errConflict) {
		l.drop(fmt.Errorf("job %s is on record already: %w", l.id(), usher.ErrLeaseLost))
		_ = l.d.nak(0) // it comes again after AckWait, else
		return
	}
	l.q.Logger.Warn("taking a delivery, it comes again", "job", l.id(), "seq", l.d.meta.Sequence.Stream, "error", err)
	l.drop(usher.ErrLeaseLost)
	_ = l.d.nak(time.Second)
}

// Taken waits until the record says that the work is this lease's: before that
// nothing may be changed on account of it. It returns usher.ErrLeaseLost where the
// work turns out not to be ours, or ctx's cause.
func (l *Lease) Taken(ctx context.Context) error {
	if l.ahead != nil {
		select {
		case <-l.ahead:
		case <-ctx.Done():
		}
	}
	if l.held.Err() != nil {
		return context.Cause(l.held)
	}
	return context.Cause(ctx)
}

// awaitRecord waits until it is known whether the record was written: no longer
// than callTime.
func (l *Lease) awaitRecord() {
	if l.ahead != nil {
		<-l.ahead
	}
}

// keepAlive begins the heartbeat.
func (l *Lease) keepAlive() {
	var beat context.Context
	beat, l.stopBeat = context.WithCancel(l.held)
	l.beating.Go(func() { l.d.beat(beat, func() { l.drop(usher.ErrLeaseLost) }) })
}

// tellRunning says what must be said of a job once it is on record as ours.
func (l *Lease) tellRunning() {
	h := l.hold()
	if h.Attempts == 1 && h.Crashes == 0 {
		l.q.metrics.wait.WithLabelValues(l.q.metrics.kind(l.message.kind)).Observe(l.q.Now().Sub(l.job.Published).Seconds())
	}
	l.q.tell(l.job, usher.Running)
}
