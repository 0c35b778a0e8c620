package queues

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"usher/queues/schema"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
)

// objection is what speaks against replaying a letter; the zero value for
// nothing.
type objection struct {
	says string
	// forced says that --force replays it all the same.
	forced bool
	// over says that the replay has been already, and only the letter is left.
	over bool
}

func (o objection) stops(force bool) bool { return o.says != "" && (!o.forced || !force) }

// objections look for them. A plan over many letters asks for the same target
// again and again.
type objections struct {
	q         *Queue
	targets   memo[register]
	creatives memo[usher.Word]
}

// to is what speaks against replaying a letter.
func (o *objections) to(ctx context.Context, l *letter) (objection, error) {
	if l.ID == nil || l.Job == nil {
		return objection{says: "no job could be read in it"}, nil
	}
	var job usher.Job
	if issues := o.q.schemas.Validate(l.Kind, l.Job); len(issues) > 0 {
		return objection{says: "would be invalid again: " + schema.Describe(issues)}, nil
	}
	if json.Unmarshal(l.Job, &job) != nil {
		return objection{says: "no job could be read in it"}, nil //nolint:nilerr // that is the objection
	}
	var e jobEntry
	_, found, err := o.q.state.Get(ctx, jobKey(*l.ID), &e)
	switch {
	case err != nil:
		return objection{}, err
	case found && l.Class == usher.InvalidJob && (e.State != usher.Failed || e.Record.Error == nil || e.Record.Error.Class != usher.InvalidJob):
		return objection{says: "its id is another job's"}, nil
	case found && e.Run > l.Run && e.State == usher.Done:
		return objection{says: fmt.Sprintf("is done already, as run %d", e.Run), over: true}, nil
	case found && e.Run > l.Run:
		return objection{says: fmt.Sprintf("was replayed already, as run %d", e.Run), over: true}, nil
	}
	switch l.Kind.Family() {
	case "segment", "target":
		return o.putsBack(ctx, l, &job)
	case "campaign":
		return o.superseded(ctx, l, &job)
	}
	return objection{}, nil
}

// putsBack objects to an add older than a job that took ids out since.
func (o *objections) putsBack(ctx context.Context, l *letter, job *usher.Job) (objection, error) {
	reg, err := o.targets.get(ctx, o.q.state, targetKey(job.Target(l.Kind)))
	if err != nil || reg.Last == nil || reg.Last.Order <= l.order {
		return objection{}, err
	}
	if l.Kind.Alone() {
		return objection{says: fmt.Sprintf("is older than job %s, which has changed %s since", reg.Last.ID, job.Target(l.Kind)), forced: true}, nil
	}
	return objection{says: fmt.Sprintf("would put back ids that job %s has taken out of %s since", reg.Last.ID, job.Target(l.Kind)), forced: true}, nil
}

// superseded objects to a pause or resume on whose creatives there is a newer
// word.
func (o *objections) superseded(ctx context.Context, l *letter, job *usher.Job) (objection, error) {
	for _, code := range job.Creatives {
		last, err := o.creatives.get(ctx, o.q.state, creativeKey(code))
		if err != nil {
			return objection{}, err
		}
		if last.Order > l.order {
			return objection{says: fmt.Sprintf("is superseded: job %s has set creative %s to %s since", last.Job, code, last.Wanted), forced: true}, nil
		}
	}
	return objection{}, nil
}

// replayLetter publishes a letter's job as its next run, audits that, and
// removes the letter. It takes effect once, however often it is asked for: the
// first time it returns "", later what has become of it.
func (q *Queue) replayLetter(ctx context.Context, l *letter, act Act, replay string) (skipped string, err error) {
	run := l.Run + 1
	msg := nats.NewMsg(q.names.Job(l.Kind))
	msg.Data = l.Job
	l.replay = replay
	if err := l.setHeaders(msg.Header); err != nil {
		return "", err
	}
	msg.Header.Set(headerRun, strconv.Itoa(run))
	if l.Edited != nil && l.Edited.Run == l.Run {
		data, err := json.Marshal(l.Edited)
		if err != nil {
			return "", fmt.Errorf("encode edit of job %s: %w", *l.ID, err)
		}
		msg.Header.Set(headerEdited, string(data))
	}
	ack, err := q.js.PublishMsg(ctx, msg, jetstream.WithMsgID(fmt.Sprintf("%s/%d", *l.ID, run)))
	if err != nil {
		return "", fmt.Errorf("replay job %s: %w", *l.ID, err)
	}
	if ack.Duplicate {
		ours, err := q.isReplay(ctx, ack.Sequence, *l.ID, run)
		if err != nil {
			return "", err
		}
		if !ours {
			return fmt.Sprintf("NATS dropped it, because another message with Nats-Msg-Id %s/%d was published within the last hour: try again when the hour is over", *l.ID, run), nil
		}
		skipped = fmt.Sprintf("was replayed already, as run %d", run)
	} else if err := q.auditLetter(ctx, l, act, replayed, string(usher.Queued)); err != nil {
		return "", err
	}
	_, err = q.deleteLetter(ctx, l.Seq)
	return skipped, err
}

// isReplay reports whether a message that NATS took for the same as a replay
// was that replay: it lies on the stream still, or its record tells.
func (q *Queue) isReplay(ctx context.Context, seq uint64, id string, run int) (bool, error) {
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
	var e jobEntry
	_, found, err := q.state.Get(ctx, jobKey(id), &e)
	return found && e.Run >= run, err
}
