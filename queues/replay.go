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
)

// Replay is what replaying one letter would do.
type Replay struct {
	Letter usher.DeadLetter `json:"letter"`
	// Objection says why it is left out: "" where nothing speaks against it.
	Objection string `json:"objection,omitempty"`
	// Forceable says that --force replays it all the same.
	Forceable bool `json:"forceable,omitempty"`
}

// PlanReplay looks at the letters that match and says of each what replaying
// it would do. Nothing is changed.
func (q *Queue) PlanReplay(ctx context.Context, f LetterFilter) ([]Replay, error) {
	plan := []Replay{}
	err := q.eachLetter(ctx, f, func(l letter) error {
		r := Replay{Letter: l.shown()}
		var err error
		r.Objection, r.Forceable, err = q.objection(ctx, &l)
		plan = append(plan, r)
		return err
	})
	return plan, err
}

// objection is what speaks against replaying a letter.
func (q *Queue) objection(ctx context.Context, l *letter) (says string, forceable bool, err error) {
	if l.ID == nil || l.Job == nil {
		return "no job could be read in it", false, nil
	}
	var job usher.Job
	if issues := q.schemas.Validate(l.Kind, l.Job); len(issues) > 0 {
		return "would be invalid again: " + describe(issues), false, nil
	}
	if json.Unmarshal(l.Job, &job) != nil {
		return "no job could be read in it", false, nil //nolint:nilerr // that is the objection
	}
	var e jobEntry
	_, found, err := get(ctx, q.state, jobKey(*l.ID), &e)
	switch {
	case err != nil:
		return "", false, err
	case found && e.Run > l.Run:
		return fmt.Sprintf("was replayed already, as run %d", e.Run), false, nil
	case found && l.Class == usher.InvalidJob && (e.State != usher.Failed || e.Record.Error == nil || e.Record.Error.Class != usher.InvalidJob):
		return "its id is another job's", false, nil
	}
	switch l.Kind.Family() {
	case "segment", "target":
		return q.putsBack(ctx, l, &job)
	case "campaign":
		return q.superseded(ctx, l, &job)
	}
	return "", false, nil
}

// putsBack objects to an add older than a job that took ids out since.
func (q *Queue) putsBack(ctx context.Context, l *letter, job *usher.Job) (string, bool, error) {
	var reg register
	if _, _, err := get(ctx, q.state, targetKey(job.Target(l.Kind)), &reg); err != nil {
		return "", false, err
	}
	if reg.Last == nil || reg.Last.Order <= l.order {
		return "", false, nil
	}
	if l.Kind.Alone() {
		return fmt.Sprintf("is older than job %s, which has changed %s since", reg.Last.ID, job.Target(l.Kind)), true, nil
	}
	return fmt.Sprintf("would put back ids that job %s has taken out of %s since", reg.Last.ID, job.Target(l.Kind)), true, nil
}

// superseded objects to a pause or resume on whose creatives there is a newer
// word.
func (q *Queue) superseded(ctx context.Context, l *letter, job *usher.Job) (string, bool, error) {
	for _, code := range job.Creatives {
		var last creativeOrder
		_, found, err := get(ctx, q.state, creativeKey(code), &last)
		if err != nil {
			return "", false, err
		}
		if found && last.Order > l.order {
			return fmt.Sprintf("is superseded: job %s has set creative %s to %s since", last.Job, code, last.Wanted), true, nil
		}
	}
	return "", false, nil
}

// ErrNoLetter means that there is no dead letter of that sequence: it was
// replayed or discarded.
var ErrNoLetter = errors.New("no such dead letter")

// Replay publishes a letter's job as its next run and then deletes the letter.
// It takes effect once, however often it is asked for.
func (q *Queue) Replay(ctx context.Context, seq uint64) error {
	stream, err := q.js.Stream(ctx, q.names.deadStream())
	if err != nil {
		return fmt.Errorf("replay letter %d: %w", seq, err)
	}
	raw, err := stream.GetMsg(ctx, seq)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return fmt.Errorf("replay letter %d: %w", seq, ErrNoLetter)
	}
	if err != nil {
		return fmt.Errorf("replay letter %d: %w", seq, err)
	}
	l, ok := readLetter(raw.Data, raw.Header, seq)
	if !ok || l.ID == nil || l.Job == nil {
		return fmt.Errorf("replay letter %d: no job could be read in it", seq)
	}
	run := l.Run + 1
	msg := nats.NewMsg(q.names.job(l.Kind))
	msg.Data = l.Job
	msg.Header.Set(headerRun, strconv.Itoa(run))
	msg.Header.Set(headerOrder, strconv.FormatUint(l.order, 10))
	for _, name := range []string{headerDropped, headerTrace} {
		if s := raw.Header.Get(name); s != "" {
			msg.Header.Set(name, s)
		}
	}
	ack, err := q.js.PublishMsg(ctx, msg, jetstream.WithMsgID(fmt.Sprintf("%s/%d", *l.ID, run)))
	if err != nil {
		return fmt.Errorf("replay job %s: %w", *l.ID, err)
	}
	if ack.Duplicate {
		if err := q.checkReplayed(ctx, *l.ID, run); err != nil {
			return err
		}
	}
	return q.Discard(ctx, seq)
}

// checkReplayed returns an error where NATS has dropped a replay as a message
// that it knows, and that message was not this replay.
func (q *Queue) checkReplayed(ctx context.Context, id string, run int) error {
	var e jobEntry
	_, found, err := get(ctx, q.state, jobKey(id), &e)
	if err != nil || found && e.Run >= run {
		return err
	}
	waiting := false
	err = q.eachWaiting(ctx, "usher.jobs.>", func(m *message) bool {
		waiting = m.id == id && m.run >= run
		return !waiting
	})
	if err == nil && !waiting {
		err = fmt.Errorf("replay job %s: NATS dropped it, because a message with Nats-Msg-Id %s/%d was published within the last hour: try again when the hour is over", id, id, run)
	}
	return err
}
