package queues

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"usher"
	"usher/queues/message"
	"usher/queues/records"
	"usher/queues/schema"
	"usher/queues/store"
)

// Reruns publishes further runs of jobs and reads the state that a replay of dead
// letters depends on.
type Reruns struct{ q *Queue }

// Reruns returns the further runs of the queue's jobs.
func (q *Queue) Reruns() Reruns { return Reruns{q} }

// ErrOtherJob means that the id of a letter's job belongs to another job, which has run as the next run.
var ErrOtherJob = errors.New("its id belongs to another job")

// RerunID is the message ID of a job's run.
func RerunID(id string, run int) string { return fmt.Sprintf("%s/%d", id, run) }

// Publish publishes the job of a letter as its next run and records that the run is queued. It
// reports whether the run was published before: it takes effect once, however often it is
// repeated. A crash before the record is written is repaired when Publish is repeated or a worker
// takes the run. If another job with the id was published as that run, the error is ErrOtherJob.
func (r Reruns) Publish(ctx context.Context, l *Letter, replay string) (before bool, err error) {
	run := l.Run + 1
	msg := nats.NewMsg(r.q.names.Run(l.Kind))
	msg.Data = l.Job
	next := *l
	next.Replay = replay
	if err := next.writeHeader(msg.Header); err != nil {
		return false, err
	}
	msg.Header.Set(message.HeaderRun, strconv.Itoa(run))
	if l.Edited != nil && l.Edited.Run == l.Run {
		data, err := json.Marshal(l.Edited)
		if err != nil {
			return false, fmt.Errorf("encode edit of job %s: %w", *l.ID, err)
		}
		msg.Header.Set(message.HeaderEdited, string(data))
	}
	var first *message.Message
	isOther := false
	ack, err := r.q.store.Publish(ctx, msg, jetstream.WithMsgID(RerunID(*l.ID, run)))
	if err == nil {
		ack, err = r.q.publishAnyway(ctx, msg, ack, published{
			is: func(raw *jetstream.RawStreamMsg) bool {
				first = r.q.messages.Read(raw.Subject, raw.Header, raw.Data, raw.Sequence, raw.Time)
				of := Run{kind: first.Kind, order: first.Order, sum: first.Sum}
				isOther = !of.IsOf(l)
				return first.ID == *l.ID && first.Run >= run
			},
			onRecord: func(ctx context.Context) (bool, error) {
				last, found, err := r.Latest(ctx, *l.ID)
				isOther = !last.IsOf(l)
				return found && last.Number >= run, err
			},
		})
	}
	switch {
	case err != nil:
		return false, fmt.Errorf("replay job %s: %w", *l.ID, err)
	case ack.Duplicate && isOther:
		return false, fmt.Errorf("replay job %s: %w", *l.ID, ErrOtherJob)
	case !ack.Duplicate:
		return false, r.q.recordRerun(ctx, r.q.messages.Read(msg.Subject, msg.Header, msg.Data, ack.Sequence, r.q.now()))
	case first != nil:
		return true, r.q.recordRerun(ctx, first)
	}
	return true, nil
}

// recordRerun records that a published run is queued, unless a worker has already taken it,
// or the worker of the run before has not recorded its end yet.
func (q *Queue) recordRerun(ctx context.Context, m *message.Message) error {
	var written *records.Job
	err := q.records.ChangeJob(ctx, m.ID, func(e *records.Job, found bool) bool {
		written = nil
		if m.Invalid != nil || !found || e.Run == m.Run || e.ClaimOf(m, found) != records.NextRun {
			return false
		}
		q.records.BeginQueued(e, m)
		written = e
		return true
	})
	if err == nil && written != nil {
		q.records.Announce(ctx, written)
	}
	return err
}

// Run is a run of a job on record.
type Run struct {
	Number int
	State  usher.State
	Error  *usher.JobError

	kind       usher.Kind
	order      uint64
	sum, first string
}

// IsOf reports whether the run is one of a letter's job, and not of another job with its id. An edit changes the
// body of a job, but not which message was its first. A further message with the same body is of the same job. If no
// message with the id was valid yet, the letter's job may have it.
func (r Run) IsOf(l *Letter) bool {
	if r.sum == "" || l.Kind == r.kind && l.Order == r.order {
		return true
	}
	sum := message.SumOf(l.Kind, l.Job)
	return sum != "" && (sum == r.sum || sum == r.first)
}

// Latest returns the latest run of a job and reports whether the job is on
// record.
func (r Reruns) Latest(ctx context.Context, id string) (run Run, found bool, err error) {
	e, _, found, err := r.q.records.Job(ctx, id)
	run = Run{Number: e.Run, State: e.State, Error: e.Record.Error, kind: e.Record.Kind, order: e.Order, sum: e.Sum, first: e.First}
	return run, found, err
}

// OnRecord returns those of some ids that are on record.
func (r Reruns) OnRecord(ctx context.Context, ids []string) ([]string, error) {
	found := make([]bool, len(ids))
	var reads errgroup.Group
	reads.SetLimit(maxReads)
	for i, id := range ids {
		reads.Go(func() (err error) {
			_, found[i], err = r.Latest(ctx, id)
			return err
		})
	}
	err := reads.Wait()
	var known []string
	for i, id := range ids {
		if found[i] {
			known = append(known, id)
		}
	}
	return known, err
}

// Count counts the jobs of a replay whose runs have ended, by state.
func (r Reruns) Count(ctx context.Context, replay string) (map[usher.State]int, error) {
	ended := map[usher.State]int{}
	type entry struct {
		State  usher.State `json:"state"`
		Replay string      `json:"replay"`
	}
	err := store.EachValue(ctx, r.q.state, "jobs.>", func(_ *store.Entry, e *entry) {
		if e.Replay == replay && e.State.Ended() {
			ended[e.State]++
		}
	})
	return ended, err
}

// Body is the body of a job's next run, validated, its inline ids replaced by digests.
type Body struct {
	Kept    json.RawMessage // as letters keep it
	Shown   json.RawMessage // as people may see it
	Target  string
	Dropped usher.Tally // rows that hashing inline ids dropped
}

// Prepare validates a body and hashes its inline ids, for the next run of a job. A body with
// issues is not prepared.
func (r Reruns) Prepare(kind usher.Kind, body []byte) (Body, []schema.Issue) {
	if issues := r.q.schemas.Validate(kind, body); len(issues) > 0 {
		return Body{}, issues
	}
	header := nats.Header{message.HeaderRun: {"2"}} // any run that is not a publisher's
	m := r.q.messages.Read(r.q.names.Run(kind), header, body, 0, r.q.now())
	if m.Invalid != nil {
		return Body{}, []schema.Issue{{Pointer: "/source", Message: m.Invalid.Message}}
	}
	return Body{Kept: m.Kept, Shown: m.Shown, Target: targetIn(kind, m.Shown), Dropped: m.Dropped}, nil
}
