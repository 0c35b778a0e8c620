package queues

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/schema"
	"usher/queues/store"
)

// Publication is what became of a message that was published with a message ID.
type Publication int

// Outcomes of a publish.
const (
	Published     Publication = iota
	PublishedOnce             // NATS already has this very message
	Dropped                   // NATS dropped it, because a different message has its ID
)

// RerunID is the message ID of a job's run.
func RerunID(id string, run int) string { return fmt.Sprintf("%s/%d", id, run) }

// PublishRerun publishes the job of a letter as its next run. It takes effect
// once, however often it is repeated.
func (q *Queue) PublishRerun(ctx context.Context, l *Letter, replay string) (Publication, error) {
	run := l.Run + 1
	msg := nats.NewMsg(q.names.Job(l.Kind))
	msg.Data = l.Job
	next := *l
	next.Replay = replay
	if err := next.writeHeader(msg.Header); err != nil {
		return 0, err
	}
	msg.Header.Set(headerRun, strconv.Itoa(run))
	if l.Edited != nil && l.Edited.Run == l.Run {
		data, err := json.Marshal(l.Edited)
		if err != nil {
			return 0, fmt.Errorf("encode edit of job %s: %w", *l.ID, err)
		}
		msg.Header.Set(headerEdited, string(data))
	}
	ack, err := q.js.PublishMsg(ctx, msg, jetstream.WithMsgID(RerunID(*l.ID, run)))
	if err != nil {
		return 0, fmt.Errorf("replay job %s: %w", *l.ID, err)
	}
	if !ack.Duplicate {
		return Published, nil
	}
	same, err := q.isRerun(ctx, ack.Sequence, *l.ID, run)
	if err != nil || !same {
		return Dropped, err
	}
	return PublishedOnce, nil
}

// isRerun reports whether the message that NATS took for a duplicate of a rerun is
// that rerun: it is still on the stream, or the record shows the run.
func (q *Queue) isRerun(ctx context.Context, seq uint64, id string, run int) (bool, error) {
	stream, err := q.js.Stream(ctx, q.names.JobsStream())
	if err != nil {
		return false, fmt.Errorf("replay job %s: %w", id, err)
	}
	raw, err := stream.GetMsg(ctx, seq)
	if err == nil {
		m := q.read(raw.Subject, raw.Header, raw.Data, raw.Sequence, raw.Time)
		return m.id == id && m.run >= run, nil
	}
	if !errors.Is(err, jetstream.ErrMsgNotFound) {
		return false, fmt.Errorf("replay job %s: %w", id, err)
	}
	last, found, err := q.LatestRun(ctx, id)
	return found && last.Number >= run, err
}

// Run is a run of a job on record.
type Run struct {
	Number int
	State  usher.State
	Error  *usher.JobError
}

// LatestRun returns the latest run of a job and reports whether the job is on
// record.
func (q *Queue) LatestRun(ctx context.Context, id string) (r Run, found bool, err error) {
	var e jobEntry
	_, found, err = q.state.Get(ctx, jobKey(id), &e)
	return Run{Number: e.Run, State: e.State, Error: e.Record.Error}, found, err
}

// CountReplayed counts the jobs of a replay whose runs have ended, by state.
func (q *Queue) CountReplayed(ctx context.Context, replay string) (map[usher.State]int, error) {
	ended := map[usher.State]int{}
	err := q.state.Each(ctx, "jobs.>", func(entry *store.Entry) error {
		var e struct {
			State  usher.State `json:"state"`
			Replay string      `json:"replay"`
		}
		if err := entry.Decode(&e); err != nil {
			return err
		}
		if e.Replay == replay && e.State.Ended() {
			ended[e.State]++
		}
		return nil
	})
	return ended, err
}

// Body is the body of a job's next run, validated and sealed.
type Body struct {
	Kept    json.RawMessage // as letters keep it
	Shown   json.RawMessage // as people may see it
	Target  string
	Dropped usher.Tally // rows that sealing dropped
}

// PrepareRerun validates and seals a body for the next run of a job. A body with
// issues is not prepared.
func (q *Queue) PrepareRerun(kind usher.Kind, body []byte) (Body, []schema.Issue) {
	if issues := q.schemas.Validate(kind, body); len(issues) > 0 {
		return Body{}, issues
	}
	header := nats.Header{headerRun: {"2"}} // any run that is not a publisher's
	m := q.read(q.names.Job(kind), header, body, 0, q.now())
	if m.invalid != nil {
		return Body{}, []schema.Issue{{Pointer: "/source", Message: m.invalid.Message}}
	}
	return Body{Kept: m.kept, Shown: m.shown, Target: targetIn(kind, m.shown), Dropped: m.dropped}, nil
}

// OrderedJob is a job and its place in the order of jobs.
type OrderedJob struct {
	Job   string
	Order uint64 // stream sequence of the job's first publish; 0: there is no job
}

// LastExclusive returns the newest job that ran alone on a target and changed it.
func (q *Queue) LastExclusive(ctx context.Context, target string) (OrderedJob, error) {
	var r register
	if _, _, err := q.state.Get(ctx, targetKey(target), &r); err != nil || r.Last == nil {
		return OrderedJob{}, err
	}
	return OrderedJob{Job: r.Last.ID, Order: r.Last.Order}, nil
}

// LastWord returns the newest job's word on a creative; the zero value if there is
// none.
func (q *Queue) LastWord(ctx context.Context, creative string) (usher.CreativeEntry, error) {
	var w usher.CreativeEntry
	_, _, err := q.state.Get(ctx, creativeKey(creative), &w)
	return w, err
}
