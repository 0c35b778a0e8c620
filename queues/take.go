package queues

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"usher"
	"usher/queues/store"
)

// crashesToPoison is how many crashes in a row, without a checkpoint's
// advance, bury a job.
const crashesToPoison = 3

// earlyDelay is how long a replay that came before its run's end stays away.
const earlyDelay = time.Second

// take makes a delivery a lease. It returns nil where nothing is left to run:
// the delivery is settled then.
func (q *Queue) take(work context.Context, d *delivery, lane Lane) (*Lease, error) {
	ctx, cancel := context.WithTimeout(work, q.options.AckWait/2)
	defer cancel()
	if lane == Bulk {
		return q.takePart(ctx, work, d)
	}
	m := q.read(d.msg.Subject(), d.msg.Headers(), d.msg.Data(), d.meta.Sequence.Stream, d.meta.Timestamp)
	if m.invalid != nil {
		return nil, q.reject(ctx, d, m)
	}
	return q.takeJob(ctx, work, d, m)
}

// claim is what a message means for the record that there is.
type claim int

const (
	nothing  claim = iota // ack: a second message of a run, or one of an ended run
	fresh                 // no record yet
	again                 // the message that owns the run comes again
	replay                // starts the next run
	early                 // starts the next run, but this one has not ended yet
	conflict              // its id is another job's
)

func (m *message) claim(e *jobEntry, found bool) claim {
	switch {
	case !found:
		return fresh
	case m.run > e.Run && e.State.Ended():
		return replay
	case m.run > e.Run:
		return early // the letter comes before the record's end
	case m.run == e.Run && m.seq == e.Seq && !e.State.Ended():
		return again
	case m.run == 1 && m.seq != e.Seq && m.seq != e.Order && m.sum != e.Sum && m.sum != e.First:
		return conflict
	default:
		return nothing
	}
}

func (q *Queue) takeJob(ctx, work context.Context, d *delivery, m *message) (*Lease, error) {
	for {
		var e jobEntry
		revision, found, err := q.state.Get(ctx, jobKey(m.id), &e)
		if err != nil {
			return nil, err
		}
		claim := m.claim(&e, found)
		switch claim {
		case nothing:
			if m.seq == e.Seq {
				q.tell(&e, e.State) // in case the crash came before the event
			}
			return nil, d.ack(ctx)
		case conflict:
			m.invalid = &usher.JobError{Class: usher.InvalidJob,
				Message: fmt.Sprintf("id %s is on record with another body", m.id),
				Hint:    "give the job an id of its own; to run the recorded one again, replay it"}
			return nil, q.reject(ctx, d, m)
		case early:
			return nil, d.nak(earlyDelay)
		case fresh:
			e = jobEntry{Order: m.order, Record: usher.Record{V: 1, ID: m.id, Submitted: m.published}}
			e.begin(m)
		case replay:
			if err := q.beginReplay(ctx, &e, m); err != nil {
				return nil, err
			}
		case again:
			if e.carriedByParts() { // only the ack is missing
				if err := q.settleIfAllEnded(ctx, &e); err != nil {
					return nil, err
				}
				return nil, d.ack(ctx)
			}
			if older := q.lease(e.Holder); older != nil {
				older.giveUp(ctx)
				continue
			}
		}
		if waits, err := q.waitOnTarget(ctx, d, m, &e, revision); errors.Is(err, store.ErrConflict) {
			continue
		} else if waits || err != nil {
			return nil, err
		}
		lease := q.newLease(work, d, m.kind, &e.hold)
		lease.job, lease.message = &e, m
		now := q.now().UTC()
		e.Record.Started, e.Record.Why, e.Record.Retry = orElse(e.Record.Started, &now), nil, nil
		e.show(q)
		q.register(lease)
		if lease.revision, err = q.state.CompareAndSet(ctx, jobKey(m.id), &e, revision); errors.Is(err, store.ErrConflict) {
			lease.discard()
			continue
		} else if err != nil {
			lease.forsake() // it may have been written all the same
			return nil, err
		}
		if claim == fresh {
			return q.start(lease) // who would end a job makes a record of it first
		}
		return q.startUnlessEnding(ctx, lease)
	}
}

// begin makes e the record of m's run.
func (e *jobEntry) begin(m *message) {
	progress := e.Progress
	if e.Sum != m.sum {
		progress = usher.Progress{} // another body: nothing of the last run holds
	}
	progress.Checkpoint = replayFrom(progress.Checkpoint)
	progress.NumberOfIDs.After, progress.Warnings = 0, nil
	progress.Intent = nil // of the statuses of that time
	if e.Run > 0 && e.First == "" && e.Sum != m.sum {
		e.First = e.Sum
	}
	e.hold = hold{Run: m.run, Seq: m.seq, Sum: m.sum, Counts: true, Progress: progress}
	e.Replay = m.replay
	e.Kept, e.Trace, e.Published, e.Bits, e.Cut, e.Ranges = nil, m.trace, m.published, nil, "", nil
	r := &e.Record
	r.Kind, r.Job, r.Distinct = m.kind, m.shown, 0
	if m.edited != nil {
		r.Edited = m.edited
	}
	r.Started, r.Finished, r.Error = nil, nil, nil
	r.Parts = usher.PartCount{Total: 1}
}

// replayFrom is where a further run goes on: at the checkpoint of the last one,
// or, where the platform has refused ids before it, at the beginning, because
// only that sends them again.
func replayFrom(c usher.Checkpoint) usher.Checkpoint {
	if c.Tally.Refused.Sum() > 0 {
		return usher.Checkpoint{}
	}
	return c
}

// beginReplay makes e the record of the next run. What the last one did holds no
// more where a newer job has emptied the target, or parts of it, since.
func (q *Queue) beginReplay(ctx context.Context, e *jobEntry, m *message) error {
	e.begin(m)
	if m.kind.Family() != "segment" && m.kind.Family() != "target" {
		return nil
	}
	var reg register
	if _, _, err := q.state.Get(ctx, targetKey(m.job.Target(m.kind)), &reg); err != nil {
		return err
	}
	if reg.Last != nil && reg.Last.Order > e.Order {
		e.Progress, e.Anew = usher.Progress{}, m.run
	}
	return nil
}

func orElse[T any](v, other *T) *T {
	if v != nil {
		return v
	}
	return other
}

// newLease takes the hold: from here on its token says who has it.
func (q *Queue) newLease(work context.Context, d *delivery, kind usher.Kind, h *hold) *Lease {
	if h.Holder != "" && !q.forsook(h.Holder) {
		h.Crashes++
		h.CrashesInRow++
		q.metrics.crashes.WithLabelValues(q.metrics.kind(kind)).Inc()
	}
	if h.Counts {
		h.Attempts++
		h.Counts = false
	}
	h.Holder = q.options.Worker + "/" + rand.Text()[:12]
	h.State = usher.Running
	h.Progress.Check, h.Progress.Counting = nil, 0 // whose reader is no more
	l := &Lease{q: q, d: d, token: h.Holder, counted: figuresOf(&h.Progress.Checkpoint), done: make(chan struct{})}
	l.held, l.drop = context.WithCancelCause(context.WithoutCancel(work))
	l.ctx, l.cancel = context.WithCancelCause(work)
	context.AfterFunc(l.held, func() { l.cancel(context.Cause(l.held)) })
	return l
}

// register has the watch of endings see the lease: before it is on record, so
// that an ending which nobody looks up, or comes after that, is seen.
func (q *Queue) register(l *Lease) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.live[l.token] = l
}

// startUnlessEnding starts a lease on what may have to end already.
func (q *Queue) startUnlessEnding(ctx context.Context, l *Lease) (*Lease, error) {
	h := l.hold()
	ending, err := q.endingOf(ctx, l.id(), h.Run)
	if err != nil {
		return nil, errors.Join(err, l.Retry(h.Progress, time.Second, usher.WaitsForSlot, false))
	}
	if ending != nil {
		l.cancel(ending.cause())
	}
	return q.start(l)
}

// start begins the heartbeat and says what must be said before the work. It
// returns nil where the record already says how the job ends.
func (q *Queue) start(l *Lease) (*Lease, error) {
	l.startHeartbeat()
	h := l.hold()
	switch {
	case h.Verdict != nil:
		return nil, l.End(usher.Ending{State: h.Verdict.State, Error: h.Verdict.Error, Progress: h.Progress})
	case h.CrashesInRow >= crashesToPoison:
		return nil, l.End(usher.Ending{State: usher.Failed, Progress: h.Progress, Error: &usher.JobError{
			Class:   usher.Poison,
			Message: fmt.Sprintf("crashed its worker %d times in a row", h.CrashesInRow),
			Hint:    "look at the workers' logs and memory limits at these times; replay it when the cause is mended",
		}})
	}
	if l.part == nil {
		l.announceRunning()
	}
	return l, nil
}

// startHeartbeat keeps the delivery ours until the lease ends.
func (l *Lease) startHeartbeat() {
	var beat context.Context
	beat, l.stopBeat = context.WithCancel(l.held)
	l.beating.Go(func() { l.d.beat(beat, func() { l.drop(usher.ErrLeaseLost) }) })
}

// announceRunning publishes the event of a job that began to run, and measures
// how long a first attempt waited for its slot.
func (l *Lease) announceRunning() {
	h := l.hold()
	if h.Attempts == 1 && h.Crashes == 0 {
		l.q.metrics.wait.WithLabelValues(l.q.metrics.kind(l.message.kind)).Observe(l.q.now().Sub(l.job.Published).Seconds())
	}
	l.q.tell(l.job, usher.Running)
}

// maxForsaken bounds what a Queue remembers of leases that it gave up.
const maxForsaken = 1000

// forsook reports whether this process gave up the lease of that token without
// being able to say so in the record; it is asked once a token.
func (q *Queue) forsook(token string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	known := q.forsaken[token]
	delete(q.forsaken, token)
	return known
}

// lease is the lease of this process with that token; nil where there is none.
func (q *Queue) lease(token string) *Lease {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.live[token]
}

// leases are the tokens of this process's.
func (q *Queue) leases() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Collect(maps.Keys(q.live))
}

// reject buries a message that is not a valid job, and makes a record of it
// where its id is free.
func (q *Queue) reject(ctx context.Context, d *delivery, m *message) error {
	letter := letterOf(m, q.now())
	// No id begins with a slash, so no job's letter has this message id.
	if err := q.publishLetter(ctx, letter, fmt.Sprintf("/invalid/%d", m.seq)); err != nil {
		return err
	}
	if m.id != "" {
		if err := q.recordRejected(ctx, m); err != nil {
			return err
		}
	}
	return d.term(ctx)
}

func (q *Queue) recordRejected(ctx context.Context, m *message) error {
	var told *jobEntry
	err := store.Change(ctx, q.state, jobKey(m.id), func(e *jobEntry, found bool) bool {
		if c := m.claim(e, found); c != fresh && c != replay && c != again {
			return false
		}
		if !found {
			*e = jobEntry{Order: m.order, Record: usher.Record{V: 1, ID: m.id, Submitted: m.published}}
		}
		e.begin(m)
		now := q.now().UTC()
		e.State, e.Counts = usher.Failed, false
		e.Record.Finished, e.Record.Error = &now, m.invalid
		e.show(q)
		told = e
		return true
	})
	if err == nil && told != nil {
		q.metrics.ended(&told.Record)
		q.tell(told, usher.Failed)
	}
	return err
}
