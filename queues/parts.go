package queues

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
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
	Published time.Time  `json:"published"`
	Job       usher.Job  `json:"job"`
	Plan      usher.Plan `json:"plan"`
	Range     usher.Part `json:"range"`
}

// Split cuts the job: the plan goes into the record, the parts onto their
// stream, all or none, and the job's own delivery is acked. p is what else the
// record should keep. A redelivery that splits again finds the parts there.
func (l *Lease) Split(plan usher.Plan, p usher.Progress) error {
	defer l.discard()
	ctx, cancel := l.settling()
	defer cancel()
	if l.held.Err() != nil {
		return l.giveBack()
	}
	p.Plan = &plan
	ended, err := l.endedParts(ctx, plan)
	if err != nil {
		return err
	}
	var empty bool
	err = insist(ctx, func(ctx context.Context) error {
		return l.write(ctx, func() {
			e := l.job
			e.progressed(p)
			e.Kept = l.message.kept
			if e.Record.Parts.Total != len(plan.Parts) || !e.cut() {
				e.Bits = make([]byte, (len(plan.Parts)+7)/8)
				e.Record.Parts.Total = len(plan.Parts)
				for _, part := range ended {
					e.setBit(part)
				}
			}
			empty = e.ended() == len(plan.Parts)
		})
	})
	if err != nil {
		return err
	}
	if err := l.q.joinTarget(ctx, l.job, false); err != nil {
		return err
	}
	if err := l.publishParts(ctx, plan, ended); err != nil {
		return err
	}
	// Nobody holds the job while its parts run: the bits decide.
	err = insist(ctx, func(ctx context.Context) error {
		return l.write(ctx, func() { l.job.Holder = "" })
	})
	if err != nil && !errors.Is(err, usher.ErrLeaseLost) { // lost: the last part ended it already
		return err
	}
	if empty {
		if err := l.q.settle(ctx, l.id(), l.job.Run, nil); err != nil {
			return err
		}
	}
	return insist(ctx, l.d.ack)
}

// endedParts are the parts that an earlier run of the same body over the same
// source has done.
func (l *Lease) endedParts(ctx context.Context, plan usher.Plan) ([]int, error) {
	if l.job.Run == 1 {
		return nil, nil
	}
	var ended []int
	err := l.q.eachPart(ctx, l.id(), func(part int, e *partEntry) {
		if e.State == usher.Done && e.Sum == l.job.Sum && e.Stamp == plan.Stamp && part < len(plan.Parts) {
			ended = append(ended, part)
		}
	})
	return ended, err
}

func (l *Lease) publishParts(ctx context.Context, plan usher.Plan, ended []int) error {
	done := map[int]bool{}
	for _, part := range ended {
		done[part] = true
	}
	m, e := l.message, l.job
	var messages []*nats.Msg
	for i, part := range plan.Parts {
		if done[i] {
			continue
		}
		body, err := json.Marshal(partOrder{
			ID: m.id, Run: e.Run, Part: i, Parts: len(plan.Parts), Kind: m.kind, Order: e.Order,
			Sum: e.Sum, Published: e.Published, Job: m.job, Plan: plan, Range: part,
		})
		if err != nil {
			return fmt.Errorf("encode part %d of job %s: %w", i, m.id, err)
		}
		msg := nats.NewMsg(l.q.names.parts(m.id))
		msg.Data = body
		msg.Header.Set(headerMsgID, fmt.Sprintf("%s/%d/%d", m.id, e.Run, i))
		if m.trace != "" {
			msg.Header.Set(headerTrace, m.trace)
		}
		messages = append(messages, msg)
	}
	if len(messages) == 0 {
		return nil
	}
	return insist(ctx, func(ctx context.Context) error {
		_, err := l.q.publishAtomically(ctx, messages)
		return err
	})
}

// takePart makes a part's delivery a lease.
func (q *Queue) takePart(ctx, work context.Context, d *delivery) (*Lease, error) {
	var o partOrder
	if err := json.Unmarshal(d.msg.Data(), &o); err != nil {
		q.Logger.Error("a part that is not ours lies on the stream, dropped", "seq", d.meta.Sequence.Stream, "error", err)
		return nil, d.term(ctx)
	}
	for {
		var e partEntry
		revision, found, err := get(ctx, q.state, partKey(o.ID, o.Part), &e)
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
		lease := q.newLease(work, d, &e.hold)
		lease.part, lease.order = &e, &o
		if lease.revision, err = put(ctx, q.state, partKey(o.ID, o.Part), &e, revision); errors.Is(err, errConflict) {
			lease.discard()
			continue
		} else if err != nil {
			lease.discard()
			return nil, err
		}
		return q.start(ctx, lease)
	}
}

// begin makes e the record of a run's part, keeping the checkpoint of an
// earlier run over the same body and source.
func (e *partEntry) begin(o *partOrder, seq uint64) {
	var progress usher.Progress
	if e.Sum == o.Sum && e.Stamp == o.Plan.Stamp {
		progress.Checkpoint = e.Progress.Checkpoint
	}
	e.hold = hold{Run: o.Run, Seq: seq, Sum: o.Sum, Counts: true, Progress: progress}
	e.Stamp = o.Plan.Stamp
}

// partAgain heals a crash between a part's end and its ack.
func (q *Queue) partAgain(ctx context.Context, d *delivery, o *partOrder) error {
	if err := q.partEnded(ctx, o.ID, o.Run, o.Part, nil); err != nil {
		return err
	}
	return d.ack(ctx)
}

func (l *Lease) endPart(ctx context.Context, e usher.Ending) error {
	o := l.order
	if e.State == usher.Failed {
		err := insist(ctx, func(ctx context.Context) error {
			return l.q.putEnding(ctx, o.ID, ending{Run: o.Run, State: usher.Failed, Error: e.Error})
		})
		if err != nil {
			return err
		}
	}
	err := insist(ctx, func(ctx context.Context) error {
		return l.write(ctx, func() { l.part.State, l.part.Holder, l.part.Verdict = e.State, "", nil })
	})
	if err != nil {
		return err
	}
	err = insist(ctx, func(ctx context.Context) error {
		return l.q.partEnded(ctx, o.ID, o.Run, o.Part, e.After)
	})
	if err != nil {
		return err
	}
	return insist(ctx, l.d.ack)
}

// partEnded sets the part's bit in the job's record. Whoever sets the last one
// settles the job.
func (q *Queue) partEnded(ctx context.Context, id string, run, part int, after func() (int64, error)) error {
	all := false
	err := change(ctx, q.state, jobKey(id), func(e *jobEntry, found bool) bool {
		if !found || e.Run != run || e.State.Ended() || !e.cut() {
			return false
		}
		before := e.ended()
		e.setBit(part)
		all = e.ended() == e.Record.Parts.Total
		e.show(q)
		return e.ended() != before
	})
	if err != nil || !all {
		return err
	}
	return q.settle(ctx, id, run, after)
}

// settle ends a cut job whose parts have all ended: sum, dead letter on
// failure, record, event. Two may do it at once: the record takes one.
func (q *Queue) settle(ctx context.Context, id string, run int, after func() (int64, error)) error {
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
		revision, found, err := get(ctx, q.state, jobKey(id), &e)
		if err != nil || !found || e.Run != run || e.State.Ended() {
			return err
		}
		if err := q.sum(ctx, &e); err != nil {
			return err
		}
		if after != nil {
			e.Progress.NumberOfIDs.After = q.ask(after, id)
		}
		if state == usher.Failed {
			if err := q.publishLetter(ctx, letterOfCut(&e, failure, q.Now()), fmt.Sprintf("%s/%d", id, run)); err != nil {
				return err
			}
		}
		e.finish(q, state, failure)
		if _, err := put(ctx, q.state, jobKey(id), &e, revision); errors.Is(err, errConflict) {
			continue
		} else if err != nil {
			return err
		}
		q.leaveTarget(ctx, &e)
		q.tell(&e, state)
		if state == usher.Done {
			q.purgeParts(ctx, id)
		}
		return nil
	}
}

// eachPart calls visit with every part entry of a job.
func (q *Queue) eachPart(ctx context.Context, id string, visit func(part int, e *partEntry)) error {
	return eachEntry(ctx, q.state, "parts."+id+".*", func(entry jetstream.KeyValueEntry) error {
		var part int
		if _, err := fmt.Sscanf(entry.Key()[len("parts."+id+"."):], "%d", &part); err != nil {
			return fmt.Errorf("read part key %s: %w", entry.Key(), err)
		}
		var e partEntry
		if err := json.Unmarshal(entry.Value(), &e); err != nil {
			return fmt.Errorf("decode record %s: %w", entry.Key(), err)
		}
		visit(part, &e)
		return nil
	})
}

// sum makes a cut job's record the sum of its parts'.
func (q *Queue) sum(ctx context.Context, e *jobEntry) error {
	parts := make([]*partEntry, e.Record.Parts.Total)
	err := q.eachPart(ctx, e.Record.ID, func(part int, p *partEntry) {
		if part < len(parts) && p.Sum == e.Sum {
			parts[part] = p
		}
	})
	if err != nil {
		return err
	}
	r := &e.Record
	r.Tally, r.Batches, r.Bytes, r.Samples = usher.Tally{}, 0, 0, nil
	r.Attempts, r.Crashes = e.Attempts, e.Crashes
	r.Warnings = usher.AddWarnings(nil, e.Progress.Warnings...)
	var sketch []byte
	for _, p := range parts {
		if p == nil {
			continue
		}
		c := p.Progress.Checkpoint
		for i := range c.Samples {
			c.Samples[i].Row += r.Tally.Read
		}
		r.Samples = usher.AddSamples(r.Samples, c.Samples...)
		r.Tally.Add(c.Tally)
		r.Batches, r.Bytes = r.Batches+c.Batches, r.Bytes+c.Bytes
		r.Warnings = usher.AddWarnings(r.Warnings, p.Progress.Warnings...)
		r.Warnings = usher.AddWarnings(r.Warnings, c.Warnings...)
		r.Attempts, r.Crashes = max(r.Attempts, p.Attempts), r.Crashes+p.Crashes
		if q.MergeSketch != nil {
			sketch = q.MergeSketch(sketch, c.Sketch)
		}
	}
	if len(sketch) > 0 && q.Distinct != nil {
		r.Distinct = min(q.Distinct(sketch), r.Tally.Accepted)
	}
	return nil
}

// purgeParts forgets the parts of a job that is done. What it misses expires
// with the bucket.
func (q *Queue) purgeParts(ctx context.Context, id string) {
	stream, err := q.js.Stream(ctx, "KV_"+q.names.stateBucket())
	if err == nil {
		err = stream.Purge(ctx, jetstream.WithPurgeSubject(fmt.Sprintf("$KV.%s.parts.%s.*", q.names.stateBucket(), id)))
	}
	if err != nil {
		q.Logger.Warn("forgetting the parts of a finished job", "job", id, "error", err)
	}
}
