package queues

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"usher"
	"usher/queues/store"
)

// partOrder is the message of a part. It has everything that a worker needs, so that
// all parts of a job agree on how the export is read.
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

// takePart turns the delivery of a part into a lease. It returns nil if there is no
// work to do; then the delivery is settled.
func (q *Queue) takePart(ctx, work context.Context, d *delivery) (*Lease, error) {
	var o partOrder
	if err := json.Unmarshal(d.msg.Data(), &o); err != nil {
		q.logger.Error("dropping a message on the stream of parts that is not usher's", "seq", d.meta.Sequence.Stream, "error", err)
		return nil, d.term(ctx)
	}
	if wanted, err := q.partWanted(ctx, d, &o); err != nil || !wanted {
		return nil, err
	}
	for {
		t := takingPart{q: q, delivery: d, order: &o}
		lease, err := t.take(ctx, work)
		if !errors.Is(err, store.ErrConflict) && !errors.Is(err, errTakeAgain) {
			return lease, err
		}
	}
}

// takingPart is the attempt to take a part by compare-and-set on its entry.
type takingPart struct {
	q        *Queue
	delivery *delivery
	order    *partOrder
	entry    partEntry
}

// take compares the message with the entry and writes the lease into the entry.
// After store.ErrConflict and errTakeAgain the caller starts again.
func (t *takingPart) take(ctx, work context.Context) (*Lease, error) {
	e, o, seq := &t.entry, t.order, t.delivery.meta.Sequence.Stream
	revision, found, err := t.q.state.Get(ctx, partKey(o.ID, o.Part), e)
	if err != nil {
		return nil, err
	}
	switch {
	case found && e.Run > o.Run:
		return nil, t.delivery.ack(ctx) // of an earlier run
	case found && e.Run == o.Run && e.State.Ended():
		return nil, t.q.repairEndedPart(ctx, t.delivery, o)
	case found && e.Run == o.Run && e.Seq != seq:
		return nil, t.delivery.ack(ctx) // a second message of the part
	case !found || e.Run < o.Run:
		e.begin(o, seq)
	default:
		if older := t.q.lease(e.Holder); older != nil {
			older.giveUp(ctx)
			return nil, errTakeAgain
		}
	}
	lease := t.q.newLease(work, t.delivery, o.Kind, &e.execution)
	lease.part, lease.order = e, o
	if err := lease.begin(ctx, e, revision); err != nil {
		return nil, err
	}
	return t.q.startUnlessEnding(ctx, lease)
}

// begin makes e the entry of a run's part. It keeps the checkpoint of an earlier run
// if the body is the same and was cut in the same way.
func (e *partEntry) begin(o *partOrder, seq uint64) {
	var progress usher.Progress
	if e.Sum == o.Sum && e.Cut == o.Cut {
		progress.Checkpoint = replayFrom(e.Progress.Checkpoint)
	}
	e.execution = execution{Run: o.Run, Seq: seq, Sum: o.Sum, Counts: true, Progress: progress}
	e.Cut = o.Cut
}

// lateRecord is how long the record of a job may be missing. The server that answers
// the read may lag behind the one that delivered the part.
const lateRecord = time.Minute

// partWanted reports whether the run of a part is going on. Otherwise the delivery is
// settled.
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
	q.logger.Error("dropping a part without a job on record", "job", o.ID, "run", o.Run, "part", o.Part)
	return false, d.term(ctx)
}
