package queues

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/message"
	"usher/queues/records"
	"usher/queues/store"
)

// partOrder is the message of a part. It has everything that a worker needs, so that
// all parts of a job agree on how the export is read.
type partOrder struct {
	ID        string      `json:"id"`
	Run       int         `json:"run"`
	Part      int         `json:"part"`
	Step      usher.Phase `json:"step,omitempty"` // see step.go
	Parts     int         `json:"parts"`
	Kind      usher.Kind  `json:"kind"`
	Order     uint64      `json:"order"`
	Sum       string      `json:"sum"`
	Cut       string      `json:"cut"` // see cutOf
	Published time.Time   `json:"published"`
	Job       usher.Job   `json:"job"`
	Plan      usher.Plan  `json:"plan"`
	Range     usher.Part  `json:"range"`
}

// readPartOrder decodes the message of a part. It returns an error if usher did not publish it.
func readPartOrder(data []byte) (*partOrder, error) {
	var o partOrder
	if err := json.Unmarshal(data, &o); err != nil {
		return nil, err
	}
	if o.ID == "" || o.Parts > stepParts || o.Part < 0 || o.Part%stepParts >= o.Parts || (o.Part >= stepParts) != (o.Step != "") {
		return nil, fmt.Errorf("part %d of %d of job %q does not exist", o.Part, o.Parts, o.ID)
	}
	return &o, nil
}

// cut is how the work of a job, or of a step of it, is cut into parts.
type cut struct {
	id    string      // see cutOf and cutOfStep
	step  usher.Phase // "" if the parts do the whole job
	first int         // the number of the first part
	parts int         // how many parts there are
	plan  *usher.Plan // its parts are the ranges of the export; some steps have none
}

// maxAtomicBatch is the number of messages that NATS takes in one atomic batch.
const maxAtomicBatch = 1000

// publishParts publishes the parts of a cut that have not ended yet; calling it again publishes
// nothing new. Of up to maxAtomicBatch parts, which a plan never exceeds, all are published or
// none.
func (l *Lease) publishParts(ctx context.Context, c cut, ended []int) error {
	var messages []*nats.Msg
	for i := range c.parts {
		if slices.Contains(ended, i) {
			continue
		}
		m, err := l.orderPart(c, i)
		if err != nil {
			return err
		}
		messages = append(messages, m)
	}
	for batch := range slices.Chunk(messages, maxAtomicBatch) {
		err := store.Retry(ctx, func(ctx context.Context) error {
			return l.q.store.PublishAtomically(ctx, batch)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// orderPart returns the message of part i of a cut.
func (l *Lease) orderPart(c cut, i int) (*nats.Msg, error) {
	m, e := l.message, l.job
	o := partOrder{
		ID: m.ID, Run: e.Run, Part: c.first + i, Parts: c.parts, Kind: m.Kind, Order: e.Order, Step: c.step,
		Cut: c.id, Sum: e.Sum, Published: e.Published, Job: m.Job, Plan: *c.plan,
	}
	if c.step == "" || c.step == usher.PhaseRead {
		o.Range = c.plan.Parts[i]
	}
	body, err := json.Marshal(o)
	if err != nil {
		return nil, fmt.Errorf("encode part %d of job %s: %w", o.Part, m.ID, err)
	}
	msg := nats.NewMsg(l.q.names.Parts(m.ID))
	msg.Data = body
	msg.Header.Set(message.HeaderMsgID, fmt.Sprintf("%s/%d/%d", m.ID, e.Run, o.Part))
	if m.Trace != "" {
		msg.Header.Set(message.HeaderTrace, m.Trace)
	}
	return msg, nil
}

// takePart turns the delivery of a part into a lease. It returns nil if there is no
// work to do; then the delivery is settled.
func (q *Queue) takePart(ctx, work context.Context, d *delivery) (*Lease, error) {
	o, err := readPartOrder(d.msg.Data)
	if err != nil {
		q.logger.Error("dropping a message on the stream of parts that is not usher's", "seq", d.meta.Sequence.Stream, "error", err)
		return nil, d.forget(ctx)
	}
	if wanted, err := q.partWanted(ctx, d, o); err != nil || !wanted {
		return nil, err
	}
	for {
		t := takingPart{q: q, delivery: d, order: o}
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
	entry    records.Part
}

// take compares the message with the entry and writes the lease into the entry.
// After store.ErrConflict and errTakeAgain the caller starts again.
func (t *takingPart) take(ctx, work context.Context) (*Lease, error) {
	e, o, seq := &t.entry, t.order, t.delivery.meta.Sequence.Stream
	revision, found, err := t.q.state.Get(ctx, records.PartKey(o.ID, o.Part), e)
	if err != nil {
		return nil, err
	}
	switch {
	case found && e.Run > o.Run:
		return nil, t.delivery.forget(ctx) // of an earlier run
	case found && e.Run == o.Run && e.State.Ended():
		return nil, t.q.repairEndedPart(ctx, t.delivery, o)
	case found && e.Run == o.Run && e.Seq != seq:
		return nil, t.delivery.forget(ctx) // a second message of the part
	case !found || e.Run < o.Run:
		beginPart(e, o, seq)
	default:
		if older := t.q.lease(e.Holder); older != nil {
			older.giveUp(ctx)
			return nil, errTakeAgain
		}
	}
	lease := t.q.newLease(work, t.delivery, o.Kind, &e.Execution, nil)
	lease.part, lease.order = e, o
	if err := lease.begin(ctx, e, revision); err != nil {
		return nil, err
	}
	return t.q.startUnlessEnding(ctx, lease)
}

// beginPart makes e the record of a run's part. It keeps the checkpoint of an earlier run
// if the body is the same and was cut in the same way.
func beginPart(e *records.Part, o *partOrder, seq uint64) {
	var progress usher.Progress
	if e.Sum == o.Sum && e.Cut == o.Cut {
		progress.Checkpoint = records.ReplayFrom(e.Progress.Checkpoint)
	}
	e.Execution = records.Execution{Run: o.Run, Seq: seq, Sum: o.Sum, Counts: true, Progress: progress}
	e.Cut = o.Cut
}

// partWanted reports whether the run of a part is going on. Otherwise the delivery is
// settled.
func (q *Queue) partWanted(ctx context.Context, d *delivery, o *partOrder) (bool, error) {
	for {
		e, _, found, err := q.records.Job(ctx, o.ID)
		switch {
		case err != nil:
			return false, err
		case found && e.Run >= o.Run:
			if e.Run == o.Run && !e.State.Ended() {
				return true, nil
			}
			if err := q.records.FlushEvents(ctx, &e); err != nil {
				return false, err
			}
			return false, d.forget(ctx)
		case o.Step != "": // the job's own message ends the job, see endIfPartsRan
			return false, d.retry(recheckDelay)
		}
		if err := q.rebuild(ctx, o); err != nil {
			return false, err
		}
	}
}

// rebuild rewrites the record of a cut job if it is missing, damaged, or of an earlier run.
// On a conflict it keeps what another worker has written.
func (q *Queue) rebuild(ctx context.Context, o *partOrder) error {
	now, revision, found, err := q.records.Job(ctx, o.ID)
	if err != nil || found && now.Run >= o.Run {
		return err
	}
	q.logger.Error("the record of a job is missing or damaged: it is rebuilt from a part of the job", "job", o.ID, "part", o.Part)
	rebuilt, err := q.entryOfParts(ctx, o)
	if err != nil {
		return err
	}
	return q.putRebuilt(ctx, &rebuilt, revision)
}

func (q *Queue) putRebuilt(ctx context.Context, rebuilt *records.Job, revision uint64) error {
	_, err := q.state.CompareAndSet(ctx, records.JobKey(rebuilt.Record.ID), rebuilt, revision)
	if errors.Is(err, store.ErrConflict) {
		return nil
	}
	if err != nil {
		return err
	}
	// A part that has ended may have acked its message meanwhile, and found no record then.
	return q.markGone(ctx, rebuilt)
}

// partsWithoutMessage returns the parts of a cut job that have ended, because no message of them waits or
// runs.
func (q *Queue) partsWithoutMessage(ctx context.Context, e *records.Job) (gone []int, err error) {
	for part := range e.Record.Parts.Total {
		gone = append(gone, part)
	}
	err = store.EachStored(ctx, q.store.Leader(q.names.PartsStream()), q.names.Parts(e.Record.ID), 1, func(m *jetstream.RawStreamMsg) bool {
		if o, err := readPartOrder(m.Data); err == nil {
			gone = slices.DeleteFunc(gone, func(part int) bool { return part == o.Part })
		}
		return true
	})
	return gone, err
}

// entryOfParts returns the entry of a running cut job as one of its parts describes it. A
// part without a message has ended, even if its entry is damaged as well.
func (q *Queue) entryOfParts(ctx context.Context, o *partOrder) (records.Job, error) {
	kept, err := json.Marshal(o.Job)
	if err != nil {
		return records.Job{}, fmt.Errorf("encode job %s: %w", o.ID, err)
	}
	e := records.Job{
		Execution: records.Execution{Run: o.Run, Sum: o.Sum, State: usher.Running, Attempts: 1, Progress: usher.Progress{Plan: &o.Plan}},
		Record:    usher.Record{V: 1, ID: o.ID, Kind: o.Kind, Job: message.Redact(kept), Submitted: o.Published, Started: &o.Published},
		Order:     o.Order, Published: o.Published, Kept: kept, Cut: o.Cut, Bits: make([]byte, (o.Parts+7)/8),
	}
	e.Record.Parts.Total = o.Parts
	gone, err := q.partsWithoutMessage(ctx, &e)
	if err != nil {
		return records.Job{}, err
	}
	for _, part := range gone {
		e.SetPartEnded(part)
	}
	err = q.records.EachPart(ctx, o.ID, func(part int, p *records.Part) {
		if part < o.Parts && p.Sum == o.Sum && p.Cut == o.Cut && p.HasEndedFor(o.Run) {
			e.SetPartEnded(part)
		}
	})
	if err != nil {
		return records.Job{}, err
	}
	q.records.Refresh(&e)
	return e, nil
}

// dropParts removes the waiting parts of a job from their stream. Parts that it misses
// find that the job has ended.
func (q *Queue) dropParts(ctx context.Context, id string) {
	stream, err := q.js.Stream(ctx, q.names.PartsStream())
	if err == nil {
		err = stream.Purge(ctx, jetstream.WithPurgeSubject(q.names.Parts(id)))
	}
	if err != nil {
		q.logger.Warn("dropping the parts of a job that must end", "job", id, "error", err)
	}
}
