package queues

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"usher"
	"usher/queues/lanes"
	"usher/queues/message"
	"usher/queues/records"
	"usher/queues/store"
)

// take turns a delivery into a lease. It returns nil if the job does not run now;
// then the delivery is settled.
func (d *Deliveries) take(work context.Context, own *delivery) (*Lease, error) {
	q := d.q
	ctx, cancel := context.WithTimeout(work, q.options.AckWait/2)
	defer cancel()
	if d.lane == lanes.Bulk {
		return q.takePart(ctx, work, own)
	}
	m, err := own.message(ctx)
	switch {
	case err != nil:
		return nil, err
	case m == nil: // the job has ended
		return nil, own.leave(ctx)
	case m.Invalid != nil:
		return nil, q.reject(ctx, own, m)
	}
	if skipped, err := d.skipFarBehind(ctx, own, m); skipped || err != nil {
		return nil, err
	}
	for first := true; ; first = false {
		t := taking{q: q, delivery: own, message: m}
		take := t.take
		if first && t.looksNew() {
			take = t.takeUnrecorded
		}
		lease, err := take(ctx, work)
		if !errors.Is(err, store.ErrConflict) && !errors.Is(err, errTakeAgain) {
			return lease, err
		}
	}
}

// taking is the attempt to take a job by compare-and-set on its record.
type taking struct {
	q        *Queue
	delivery *delivery
	message  *message.Message

	job      records.Job
	revision uint64 // of the record; 0: there is none
	claim    records.Claim

	along      *Lease // see takealong.go
	superseded string // see usher.Work
}

// errTakeAgain means that the record must be read again.
var errTakeAgain = errors.New("the record may have changed")

// looksNew reports whether takeUnrecorded is worth a try: the job probably has no record.
func (t *taking) looksNew() bool {
	return t.delivery.isFirst() && t.message.Run == 1
}

// takeUnrecorded takes a job that has no record. It does not read the record first, because
// that read would be a third of the time until the handler may act. If there is a record
// after all, for example the one that usher.submit writes, takeUnrecorded changes nothing
// and returns store.ErrConflict. If the job must wait, it returns errTakeAgain.
func (t *taking) takeUnrecorded(ctx, work context.Context) (*Lease, error) {
	t.job = records.New(t.message)
	t.job.Begin(t.message)
	// A job in order looks again, by WaitsFor, before it changes anything. A pause or resume need not:
	// it leaves creatives alone that a newer job has set.
	if waits, err := t.seemsToWait(ctx); waits || err != nil {
		return nil, cmp.Or(err, errTakeAgain)
	}
	lease, err := t.record(ctx, work)
	if err != nil {
		return nil, err
	}
	return t.q.start(ctx, lease) // nobody can have ended a job without a record
}

// take takes the job: it compares the message with the record, which gives the claim, such as a new job
// or one that has ended, and does what that asks for. If the job must wait for others on its target, it
// ends the delivery; otherwise it writes the lease into the record. After store.ErrConflict and errTakeAgain the caller starts again.
func (t *taking) take(ctx, work context.Context) (*Lease, error) {
	var found bool
	var err error
	if t.job, t.revision, found, err = t.q.records.Job(ctx, t.message.ID); err != nil {
		return nil, err
	}
	t.claim = t.job.ClaimOf(t.message, found)
	if mayTake, err := t.prepare(ctx, t.claim); err != nil || !mayTake {
		return nil, err
	}
	before, err := t.before(ctx)
	if err != nil {
		return nil, err
	}
	if before != "" {
		return nil, t.wait(ctx, before)
	}
	lease, err := t.record(ctx, work)
	if err != nil {
		return nil, err
	}
	if t.claim == records.NewJob {
		return t.q.start(ctx, lease) // nobody can have ended a job without a record
	}
	return t.q.startUnlessEnding(ctx, lease)
}

// record writes the lease into the job's record.
func (t *taking) record(ctx, work context.Context) (*Lease, error) {
	j := &t.job
	lease := t.q.newLease(work, t.delivery, t.message.Kind, &j.Execution, t.along)
	lease.job, lease.message, lease.superseded = j, t.message, t.superseded
	now := t.q.now().UTC()
	j.Record.Started, j.Record.Why, j.Record.Retry = cmp.Or(j.Record.Started, &now), nil, nil
	j.Released, j.TakenAlongBy = t.delivery.released, ""
	if t.along != nil {
		j.TakenAlongBy = t.along.id()
	}
	t.q.records.Refresh(j)
	return lease, lease.begin(ctx, j, t.revision)
}

// begin registers the lease and stores the record that names it. It ends the lease if
// that fails.
func (l *Lease) begin(ctx context.Context, record any, revision uint64) (err error) {
	l.q.register(l)
	l.revision, err = l.q.state.CompareAndSet(ctx, l.key(), record, revision)
	switch {
	case errors.Is(err, store.ErrConflict):
		l.discard()
	case err != nil:
		l.abandon() // the write may have succeeded anyway
	}
	return err
}

// newLease makes a lease the holder of an execution. An execution that still has a
// holder has crashed. along is nil unless the lease was taken along with another one, see
// takealong.go.
func (q *Queue) newLease(work context.Context, d *delivery, kind usher.Kind, x *records.Execution, along *Lease) *Lease {
	if x.Holder != "" && !q.wasAbandoned(x.Holder) {
		x.Crashes++
		x.CrashesInRow++
		q.metrics.crashes.WithLabelValues(q.metrics.kind(kind)).Inc()
	}
	if x.Counts {
		x.Attempts++
		x.Counts = false
	}
	x.Holder = q.options.Worker + "/" + rand.Text()[:12]
	x.State, x.NotBefore = usher.Running, nil
	x.Progress.Check, x.Progress.Slow, x.Progress.Counting = nil, nil, 0 // they belong to the last attempt
	l := &Lease{q: q, d: d, token: x.Holder, counted: figuresOf(&x.Progress.Checkpoint), done: make(chan struct{}), work: work, takenAlongBy: along}
	l.beaten.Store(&d.since)
	holds := context.WithoutCancel(work)
	if along != nil {
		holds = along.held
	}
	l.held, l.drop = context.WithCancelCause(holds)
	l.ctx, l.cancel = context.WithCancelCause(work)
	context.AfterFunc(l.held, func() { l.cancel(context.Cause(l.held)) })
	return l
}

// startUnlessEnding starts a lease on a job that may have been ended already.
func (q *Queue) startUnlessEnding(ctx context.Context, l *Lease) (*Lease, error) {
	x := l.execution()
	ending, err := q.records.EndingOf(ctx, l.id(), x.Run)
	if err != nil {
		return nil, errors.Join(err, l.Retry(x.Progress, recheckDelay, usher.WaitsForSlot, false))
	}
	if ending != nil {
		l.cancel(ending.Cause())
	}
	return q.start(ctx, l)
}

// crashesToPoison is the number of crashes in a row, without a checkpoint in
// between, after which a job fails.
const crashesToPoison = 3

// start starts the heartbeat of a lease. It returns nil if it could end the job at
// once, because the outcome is on record or the job crashed too often.
func (q *Queue) start(ctx context.Context, l *Lease) (*Lease, error) {
	if l.takenAlongBy == nil {
		l.startHeartbeat()
	}
	x := l.execution()
	switch {
	case x.Ending != nil:
		return nil, l.End(usher.Ending{State: x.Ending.State, Error: x.Ending.Error, Progress: x.Progress})
	case x.CrashesInRow >= crashesToPoison:
		return nil, l.End(usher.Ending{State: usher.Failed, Progress: x.Progress, Error: &usher.JobError{
			Class:   usher.Poison,
			Message: fmt.Sprintf("crashed its worker %d times in a row", x.CrashesInRow),
			Hint:    "check the workers' logs and memory limits at these times; replay the job when the cause is fixed",
		}})
	}
	if l.part == nil {
		l.announceRunning(ctx)
	}
	return l, nil
}

// startHeartbeat keeps the delivery alive until the lease ends.
func (l *Lease) startHeartbeat() {
	var beat context.Context
	beat, l.stopBeat = context.WithCancel(l.held)
	l.beating.Go(func() { l.d.beat(beat, &l.beaten, func() { l.drop(usher.ErrLeaseLost) }) })
}

// announceRunning publishes the events of a job that began to run. On the first
// attempt it measures how long the job waited for a slot.
func (l *Lease) announceRunning(ctx context.Context) {
	x := l.execution()
	if x.Attempts == 1 && x.Crashes == 0 {
		l.q.metrics.wait.WithLabelValues(l.q.metrics.kind(l.message.Kind)).Observe(l.q.now().Sub(l.job.Published).Seconds())
	}
	l.announceBeside(ctx)
}
