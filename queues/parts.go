package queues

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"usher"
	"usher/queues/store"
)

// partOrder is a part's message: everything that a worker needs, so that all
// parts of a job agree on how its export was understood.
type partOrder struct {
	ID        string     `json:"id"`
	Run       int        `json:"run"`
	Part      int        `json:"part"`
	Parts     int        `json:"parts"`
	Kind      usher.Kind `json:"kind"`
	Order     uint64     `json:"order"`
	Sum       string     `json:"sum"`
	Cut       string     `json:"cut"` // see cutOf
	Published time.Time  `json:"published"`
	Job       usher.Job  `json:"job"`
	Plan      usher.Plan `json:"plan"`
	Range     usher.Part `json:"range"`
}

// takePart makes a part's delivery a lease.
func (q *Queue) takePart(ctx, work context.Context, d *delivery) (*Lease, error) {
	var o partOrder
	if err := json.Unmarshal(d.msg.Data(), &o); err != nil {
		q.logger.Error("a part that is not ours lies on the stream, dropped", "seq", d.meta.Sequence.Stream, "error", err)
		return nil, d.term(ctx)
	}
	if wanted, err := q.partWanted(ctx, d, &o); err != nil || !wanted {
		return nil, err
	}
	for {
		var e partEntry
		revision, found, err := q.state.Get(ctx, partKey(o.ID, o.Part), &e)
		if err != nil {
			return nil, err
		}
		switch {
		case found && e.Run > o.Run, found && e.Run == o.Run && e.Seq != d.meta.Sequence.Stream && !e.State.Ended():
			return nil, d.ack(ctx) // an older run's, or a second message of this one
		case found && e.Run == o.Run && e.State.Ended():
			return nil, q.partAgain(ctx, d, &o)
		case !found || e.Run < o.Run:
			e.begin(&o, d.meta.Sequence.Stream)
		default:
			if older := q.lease(e.Holder); older != nil {
				older.giveUp(ctx)
				continue
			}
		}
		lease := q.newLease(work, d, o.Kind, &e.hold)
		lease.part, lease.order = &e, &o
		q.register(lease)
		if lease.revision, err = q.state.CompareAndSet(ctx, partKey(o.ID, o.Part), &e, revision); errors.Is(err, store.ErrConflict) {
			lease.discard()
			continue
		} else if err != nil {
			lease.forsake() // it may have been written all the same
			return nil, err
		}
		return q.startUnlessEnding(ctx, lease)
	}
}

// begin makes e the record of a run's part, keeping the checkpoint of an
// earlier run over the same body, cut in the same way.
func (e *partEntry) begin(o *partOrder, seq uint64) {
	var progress usher.Progress
	if e.Sum == o.Sum && e.Cut == o.Cut {
		progress.Checkpoint = replayFrom(e.Progress.Checkpoint)
	}
	e.hold = hold{Run: o.Run, Seq: seq, Sum: o.Sum, Counts: true, Progress: progress}
	e.Cut = o.Cut
}

// lateRecord is how long a record may be on its way to the server that we ask,
// which may lag behind the one that the part came from.
const lateRecord = time.Minute

// partWanted reports whether the part's run is still going on. Where it is not,
// the delivery is settled.
func (q *Queue) partWanted(ctx context.Context, d *delivery, o *partOrder) (bool, error) {
	var e jobEntry
	_, found, err := q.state.Get(ctx, jobKey(o.ID), &e)
	switch {
	case err != nil:
		return false, err
	case found && e.Run == o.Run && !e.State.Ended():
		return true, nil
	case found && e.Run >= o.Run:
		return false, d.ack(ctx)
	case q.now().Sub(d.meta.Timestamp) < lateRecord:
		return false, d.nak(time.Second)
	}
	q.logger.Error("a part has no job on record, dropped", "job", o.ID, "run", o.Run, "part", o.Part)
	return false, d.term(ctx)
}

// partAgain heals a crash between a part's end and its ack.
func (q *Queue) partAgain(ctx context.Context, d *delivery, o *partOrder) error {
	all, err := q.partEnded(ctx, o.ID, o.Run, o.Part)
	if err == nil && all {
		err = q.settle(ctx, o.ID, o.Run, 0)
	}
	if err != nil {
		return err
	}
	return d.ack(ctx)
}

func (l *Lease) endPart(ctx context.Context, e usher.Ending) error {
	o := l.order
	if e.State == usher.Failed {
		err := store.Insist(ctx, func(ctx context.Context) error {
			return l.q.putEnding(ctx, o.ID, ending{Run: o.Run, State: usher.Failed, Error: e.Error})
		})
		if err != nil {
			return err
		}
	}
	err := store.Insist(ctx, func(ctx context.Context) error {
		return l.write(ctx, func() {
			l.part.progressed(e.Progress)
			l.part.State, l.part.Holder, l.part.Verdict = e.State, "", nil
		})
	})
	if err != nil {
		return err
	}
	var all bool
	err = store.Insist(ctx, func(ctx context.Context) error {
		all, err = l.q.partEnded(ctx, o.ID, o.Run, o.Part)
		return err
	})
	if err != nil {
		return err
	}
	if all {
		var after int64
		if e.After != nil {
			after = l.q.ask(e.After, o.ID)
		}
		if err := store.Insist(ctx, func(ctx context.Context) error { return l.q.settle(ctx, o.ID, o.Run, after) }); err != nil {
			return err
		}
	}
	return store.Insist(ctx, l.d.ack)
}

// partEnded sets the part's bit in the job's record and reports whether it has
// all of them now: whoever sets the last one settles the job.
func (q *Queue) partEnded(ctx context.Context, id string, run, part int) (all bool, err error) {
	err = store.Change(ctx, q.state, jobKey(id), func(e *jobEntry, found bool) bool {
		if !found || e.Run != run || e.State.Ended() || !e.cut() {
			return false
		}
		before := e.ended()
		e.setBit(part)
		all = e.ended() == e.Record.Parts.Total
		e.show(q)
		return e.ended() != before
	})
	return all, err
}

// settleIfAllEnded settles a job whose bits are all set, for whoever set the
// last one and died.
func (q *Queue) settleIfAllEnded(ctx context.Context, e *jobEntry) error {
	if e.ended() < e.Record.Parts.Total {
		return nil
	}
	return q.settle(ctx, e.Record.ID, e.Run, 0)
}

// settle ends a cut job whose parts have all ended: sum, dead letter on
// failure, record, event. Two may do it at once: the record takes one. after is
// what the platform says the target holds now, 0 where nobody asked.
func (q *Queue) settle(ctx context.Context, id string, run int, after int64) error {
	ending, err := q.endingOf(ctx, id, run)
	if err != nil {
		return err
	}
	state, failure := usher.Done, (*usher.JobError)(nil)
	if ending != nil {
		state, failure = ending.State, ending.Error
	}
	for {
		var e jobEntry
		revision, found, err := q.state.Get(ctx, jobKey(id), &e)
		if err != nil || !found || e.Run != run || e.State.Ended() {
			return err
		}
		if err := q.sum(ctx, &e); err != nil {
			return err
		}
		if after != 0 {
			e.Progress.NumberOfIDs.After = after
		}
		if state == usher.Failed {
			if err := q.publishLetter(ctx, letterOfCut(&e, failure, q.now()), fmt.Sprintf("%s/%d", id, run)); err != nil {
				return err
			}
		}
		e.finish(q, state, failure)
		if _, err := q.state.CompareAndSet(ctx, jobKey(id), &e, revision); errors.Is(err, store.ErrConflict) {
			continue
		} else if err != nil {
			return err
		}
		q.leaveTarget(ctx, &e)
		q.metrics.ended(&e.Record)
		q.tell(&e, state)
		if state == usher.Done {
			q.purgeParts(ctx, id)
		}
		return nil
	}
}
