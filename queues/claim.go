package queues

import (
	"context"
	"errors"
	"fmt"
	"time"

	"usher"
	"usher/queues/message"
)

// claim is what a message means for the record of its job.
type claim int

const (
	superfluous claim = iota // a second message of a run, or a message of an ended run
	newJob                   // there is no record yet
	redelivered              // the message that owns the run was delivered again
	nextRun                  // the message starts the next run
	tooEarly                 // the message starts the next run, but this run has not ended
	otherJob                 // the message is of another job with the same id
)

func (e *jobEntry) claimOf(m *message.Message, found bool) claim {
	switch {
	case !found:
		return newJob
	case m.Run > e.Run && e.State.Ended():
		return nextRun
	case m.Run > e.Run:
		return tooEarly // a letter is written before its job's record ends
	case m.Run == e.Run && m.Seq == e.Seq && e.replayQueued():
		return nextRun // the replay has recorded it
	case m.Run == e.Run && m.Seq == e.Seq && !e.State.Ended():
		return redelivered
	case m.Run == 1 && m.Seq != e.Seq && m.Seq != e.Order && m.Sum != e.Sum && m.Sum != e.First:
		return otherJob
	default:
		return superfluous
	}
}

// earlyDelay is how long the message of a replay waits for the end of the run
// before it.
const earlyDelay = time.Second

// prepare does what the claim asks for and makes the entry that of the run to take.
// It reports whether there is work; otherwise the delivery is settled.
func (t *taking) prepare(ctx context.Context, c claim) (work bool, err error) {
	switch c {
	case newJob:
		t.entry = newEntry(t.message)
		t.entry.begin(t.message)
		return true, nil
	case nextRun:
		return true, t.q.beginReplay(ctx, &t.entry, t.message)
	case redelivered:
		if held, err := t.heldVia(ctx); held || err != nil {
			return false, errors.Join(err, t.delivery.nak(earlyDelay))
		}
		if left := t.untilRetry(); left > 0 {
			return false, t.delivery.nak(left)
		}
		return t.takeOver(ctx)
	case tooEarly:
		return false, t.delivery.nak(earlyDelay)
	case otherJob:
		t.message.Invalid = &usher.JobError{Class: usher.InvalidJob,
			Message: fmt.Sprintf("id %s is on record with another body", t.message.ID),
			Hint:    "give the job a different id; to run the recorded job again, replay it"}
		return false, t.q.reject(ctx, t.delivery, t.message)
	default:
		return false, t.drop(ctx)
	}
}

// takeOver prepares a job for its next attempt. A job whose parts are published
// lacks only its ack. A lease that this process still has on the job ends first.
func (t *taking) takeOver(ctx context.Context) (work bool, err error) {
	if t.entry.carriedByParts() {
		if err := t.q.settleIfAllEnded(ctx, &t.entry); err != nil {
			return false, err
		}
		return false, t.delivery.ack(ctx)
	}
	if older := t.q.lease(t.entry.Holder); older != nil {
		older.giveUp(ctx)
		return false, errTakeAgain
	}
	return true, nil
}

// drop acks a superfluous message. If it is the job's own, a crash may have come before
// the event of the job's end.
func (t *taking) drop(ctx context.Context) error {
	if t.message.Seq == t.entry.Seq {
		if err := t.q.announced(ctx, &t.entry); err != nil {
			return err
		}
	}
	return t.delivery.ack(ctx)
}
