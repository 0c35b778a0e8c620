package queues

import (
	"context"
	"errors"
	"fmt"
	"time"

	"usher"
	"usher/queues/audit"
	"usher/queues/message"
	"usher/queues/store"
)

// ending orders a run of a job to end, because it was cancelled or one of its parts has
// failed. Running parts stop at the next batch; waiting parts end without sending. Key
// ending.<id>; the first ending of a run wins.
type ending struct {
	Run   int             `json:"run"`
	State usher.State     `json:"state"` // Cancelled or Failed
	Error *usher.JobError `json:"error,omitempty"`
}

// Valid reports whether the ending is one that usher writes.
func (e *ending) Valid() bool { return e.Run > 0 && e.State != "" }

func (e *ending) cause() error {
	if e.State == usher.Cancelled {
		return usher.ErrCancelled
	}
	return usher.ErrEnding
}

func (q *Queue) putEnding(ctx context.Context, id string, e ending) error {
	return store.Change(ctx, q.state, endingKey(id), func(v *ending, found bool) bool {
		if found && v.Run >= e.Run {
			return false
		}
		*v = e
		return true
	})
}

// endingOf returns the ending of a run, or nil.
func (q *Queue) endingOf(ctx context.Context, id string, run int) (*ending, error) {
	var e ending
	_, found, err := q.state.Get(ctx, endingKey(id), &e)
	if err != nil || !found || e.Run != run {
		return nil, err
	}
	return &e, nil
}

// WatchEndings cancels the leases of this process whose jobs must end, until ctx ends.
// Leases that are taken later check for an ending themselves.
func (q *Queue) WatchEndings(ctx context.Context) error {
	for {
		err := q.watchEndings(ctx)
		if ctx.Err() != nil {
			return nil //nolint:nilerr // the caller has stopped the watch
		}
		q.logger.Warn("watching for cancelled jobs, trying again", "error", err)
		if usher.Sleep(ctx, time.Second) != nil {
			return nil //nolint:nilerr // the caller has stopped the watch
		}
	}
}

func (q *Queue) watchEndings(ctx context.Context) error {
	// The watch begins with the existing values: endings that were stored before it.
	return q.state.Watch(ctx, "ending.>", func(entry *store.Entry) error {
		var e ending
		if entry != nil && len(entry.Value) > 0 && entry.Decode(&e) == nil {
			q.endLeases(idOfEndingKey(entry.Key), &e)
		}
		return nil
	})
}

func (q *Queue) endLeases(id string, e *ending) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, l := range q.live {
		if l.isOf(id, e.Run) {
			l.cancel(e.cause())
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

// ErrNoJob reports that there is no record and no waiting message with an id.
var ErrNoJob = errors.New("no such job")

// ErrEnded reports that a job has already ended.
var ErrEnded = errors.New("the job has ended already")

// cancelTime is how long Cancel waits for running work to stop.
const cancelTime = 8 * time.Second

// Cancel cancels a job: running work is aborted, waiting work does not start. The audit
// records the actor and the reason. Cancel returns when the record is cancelled, or
// ErrNoJob or ErrEnded.
func (q *Queue) Cancel(ctx context.Context, id string, act audit.Act) error {
	var e jobEntry
	_, found, err := q.state.Get(ctx, jobKey(id), &e)
	if err != nil {
		return err
	}
	if !found {
		if err := q.recordWaiting(ctx, id, &e); err != nil {
			return err
		}
	}
	if e.State.Ended() {
		return fmt.Errorf("cancel job %s: %w (%s)", id, ErrEnded, e.State)
	}
	if err := q.putEnding(ctx, id, ending{Run: e.Run, State: usher.Cancelled}); err != nil {
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
	late := q.options.Now().Add(cancelTime)
	for {
		cancelled, busy, err := q.cancelState(ctx, id, run)
		if cancelled || err != nil {
			return err
		}
		if force := q.options.Now().After(late); !busy || force {
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

// cancelState reports whether a run has ended as cancelled, or whether a worker has it
// or a part of it. A run that ended otherwise is ErrEnded.
func (q *Queue) cancelState(ctx context.Context, id string, run int) (cancelled, busy bool, err error) {
	var e jobEntry
	if _, _, err := q.state.Get(ctx, jobKey(id), &e); err != nil {
		return false, false, err
	}
	switch {
	case e.Run != run, e.State == usher.Cancelled:
		return true, false, nil
	case e.State.Ended():
		return false, false, fmt.Errorf("cancel job %s: %w (%s)", id, ErrEnded, e.State)
	}
	busy = e.Holder != ""
	if e.cut() {
		err = q.eachPart(ctx, id, func(_ int, p *partEntry) { busy = busy || p.Run == run && p.Holder != "" })
	}
	return false, busy, err
}

// endNow ends a cancelled run without a worker or, by force, one whose worker does not
// stop. Its messages find the ended record when they are delivered.
func (q *Queue) endNow(ctx context.Context, id string, run int, force bool) error {
	var ended *jobEntry
	var unread error
	err := store.Change(ctx, q.state, jobKey(id), func(e *jobEntry, found bool) bool {
		ended = nil
		if !found || e.Run != run || e.State.Ended() || e.Holder != "" && !force {
			return false
		}
		if e.cut() {
			if _, unread = q.sum(ctx, e); unread != nil {
				return false
			}
		}
		e.finish(q, usher.Cancelled, nil)
		ended = e
		return true
	})
	if err = errors.Join(err, unread); err != nil || ended == nil {
		return err
	}
	q.afterEnd(ctx, ended)
	try, cancel := context.WithTimeout(ctx, store.CallTime)
	defer cancel()
	if err := q.announced(try, ended); err != nil {
		q.logger.Warn("publishing the event of a cancelled job; it follows when its message is delivered", "job", id, "error", err)
		return nil
	}
	if ended.cut() {
		q.dropParts(ctx, id)
	}
	return nil
}

// recordWaiting creates the record of a job that no worker has taken.
func (q *Queue) recordWaiting(ctx context.Context, id string, e *jobEntry) error {
	var waiting *message.Message
	err := q.eachWaiting(ctx, ">", func(m *message.Message) bool {
		if m.ID == id && m.Invalid == nil {
			waiting = m
		}
		return waiting == nil
	})
	if err != nil {
		return err
	}
	if waiting == nil {
		return fmt.Errorf("cancel job %s: %w", id, ErrNoJob)
	}
	return store.Change(ctx, q.state, jobKey(id), func(v *jobEntry, found bool) bool {
		if !found {
			*v = newQueued(waiting)
			v.refresh(q)
		}
		*e = *v
		return !found
	})
}

// newQueued returns the record of a job that no worker has taken.
func newQueued(m *message.Message) jobEntry {
	e := newEntry(m)
	e.queue(m)
	return e
}
