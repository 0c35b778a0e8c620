package queues

import (
	"context"
	"errors"
	"fmt"
	"time"

	"usher"
	"usher/queues/audit"
	"usher/queues/lanes"
	"usher/queues/records"
	"usher/queues/store"
	"usher/queues/targets"
)

// WatchEndings cancels the leases of this process whose jobs must end, until ctx ends.
// Leases that are taken later check for an ending themselves.
func (q *Queue) WatchEndings(ctx context.Context) error {
	for {
		// The watch begins with the existing values: endings that were stored before it.
		err := q.records.WatchEndings(ctx, q.endLeases)
		if ctx.Err() != nil {
			return nil //nolint:nilerr // the caller has stopped the watch
		}
		q.logger.Warn("watching for cancelled jobs, trying again", "error", err)
		if usher.Sleep(ctx, time.Second) != nil {
			return nil //nolint:nilerr // the caller has stopped the watch
		}
	}
}

func (q *Queue) endLeases(id string, e *records.Ending) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, l := range q.live {
		if l.isOf(id, e.Run) {
			l.cancel(e.Cause())
		}
	}
}

// isOf reports whether the lease belongs to a run. It reads only fields that do not
// change after the lease was registered.
func (l *Lease) isOf(id string, run int) bool {
	if l.order != nil {
		return l.order.ID == id && l.order.Run == run
	}
	return l.message != nil && l.message.ID == id && l.message.Run == run
}

// ErrEnded reports that a job has already ended.
var ErrEnded = errors.New("the job has ended already")

// cancelTime is how long Cancel waits for running work to stop.
const cancelTime = 8 * time.Second

// Cancel cancels a job: running work is aborted, waiting work does not start. The audit
// records the actor and the reason. Cancel returns when the record is cancelled, or
// records.ErrNoJob or ErrEnded.
func (q *Queue) Cancel(ctx context.Context, id string, act audit.Act) error {
	e, _, found, err := q.records.Job(ctx, id)
	if err == nil && !found {
		e, err = q.recordWaiting(ctx, id)
	}
	if err != nil {
		return err
	}
	if e.State.Ended() {
		return fmt.Errorf("cancel job %s: %w (%s)", id, ErrEnded, e.State)
	}
	if err := q.records.PutEnding(ctx, id, records.Ending{Run: e.Run, State: usher.Cancelled}); err != nil {
		return err
	}
	act = act.Masked()
	err = q.Audit().Changed(ctx, usher.Audit{
		At: q.now().UTC(), Job: id, Run: e.Run, Actor: act.Actor, Reason: act.Reason,
		Before: string(e.State), Wanted: string(usher.Cancelled), After: string(usher.Cancelled),
	})
	if err != nil {
		return err
	}
	return q.awaitCancelled(ctx, id, e.Run)
}

// awaitCancelled waits until the workers of a run have stopped, and ends the run.
func (q *Queue) awaitCancelled(ctx context.Context, id string, run int) error {
	deadline := q.options.Now().Add(cancelTime)
	for {
		cancelled, busy, err := q.cancelState(ctx, id, run)
		if cancelled || err != nil {
			return err
		}
		if force := q.options.Now().After(deadline); !busy || force {
			if err := q.endNow(ctx, id, run, force); err != nil {
				return err
			}
			continue // it has ended, unless it was taken meanwhile
		}
		if err := usher.Sleep(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
}

// cancelState reports whether a run has ended as cancelled, or whether a worker has it or a part
// of it, or must have it once more to record what it has changed. A run that ended otherwise is ErrEnded.
func (q *Queue) cancelState(ctx context.Context, id string, run int) (cancelled, busy bool, err error) {
	e, _, _, err := q.records.Job(ctx, id)
	if err != nil {
		return false, false, err
	}
	switch {
	case e.Run != run, e.State == usher.Cancelled:
		return true, false, nil
	case e.State.Ended():
		return false, false, fmt.Errorf("cancel job %s: %w (%s)", id, ErrEnded, e.State)
	}
	busy = e.Holder != "" || e.Progress.IsUnrecorded()
	if e.IsCut() || e.Record.Kind.Mirrors() {
		err = q.records.EachPart(ctx, id, func(_ int, p *records.Part) { busy = busy || p.Run == run && p.Holder != "" })
	}
	return false, busy, err
}

// endNow ends a cancelled run without a worker or, by force, one whose worker does not
// stop, and deletes its message. The messages of its parts find the ended record when they are
// delivered.
func (q *Queue) endNow(ctx context.Context, id string, run int, force bool) error {
	var ended *records.Job
	var unread error
	err := q.records.ChangeJob(ctx, id, func(e *records.Job, found bool) bool {
		ended = nil
		if !found || e.Run != run || e.State.Ended() || (e.Holder != "" || e.Progress.IsUnrecorded()) && !force {
			return false
		}
		if e.IsCut() {
			if _, unread = q.records.SumParts(ctx, e); unread != nil {
				return false
			}
		}
		q.records.Finish(e, usher.Cancelled, nil)
		ended = e
		return true
	})
	if err = errors.Join(err, unread); err != nil || ended == nil {
		return err
	}
	q.afterEnd(ctx, ended)
	if err := q.releaseAfter(ctx, ended); err != nil {
		return err
	}
	try, cancel := context.WithTimeout(ctx, store.CallTime)
	defer cancel()
	if err := q.records.FlushEvents(try, ended); err != nil {
		q.logger.Warn("publishing the event of a cancelled job failed; it is published when the job's message is delivered", "job", id, "error", err)
		if !targets.Indexed(ended.Record.Kind) {
			return nil // NATS delivers its message
		}
		return q.publishReleased(ctx, lanes.Of(ended.Record.Kind), []targets.Place{{Seq: ended.Seq}}, "cancelled")
	}
	if ended.IsCut() {
		q.dropParts(ctx, id)
	}
	return q.deleteMessage(ctx, ended.Seq)
}

// recordWaiting creates the record of a job that no worker has taken.
func (q *Queue) recordWaiting(ctx context.Context, id string) (records.Job, error) {
	m, err := q.records.Waiting(ctx, id)
	if err != nil {
		return records.Job{}, fmt.Errorf("cancel: %w", err)
	}
	var recorded records.Job
	err = q.records.ChangeJob(ctx, id, func(e *records.Job, found bool) bool {
		if !found {
			*e = q.records.Queued(m)
		}
		recorded = *e
		return !found
	})
	return recorded, err
}
