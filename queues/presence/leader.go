package presence

import (
	"context"
	"time"
)

// leadFor is how long after the beginning of a beat the worker leads its tasks. Another worker
// takes them after goneAfter, by NATS's time, which each of the two may know with an error of 2 s.
const leadFor = goneAfter - 4*time.Second

// Task is what only one worker may do at a time. Of the workers that can do it, one leads.
type Task struct {
	Name string
	Run  func(context.Context) // is called each time that this worker begins to lead; ctx ends when it ends to
}

// led is a task that this worker leads, or could. Its methods must not be called concurrently.
type led struct {
	task   Task
	ctx    context.Context // of the present or the last call of Run; nil: there was none
	end    context.CancelFunc
	expiry *time.Timer   // calls end
	ended  chan struct{} // closed when the call has returned
}

// lead runs the task until the given time, if it is not called again, or until ctx ends.
func (l *led) lead(ctx context.Context, until time.Time) {
	if l.ctx != nil && l.ctx.Err() == nil {
		l.expiry.Reset(time.Until(until))
		return
	}
	if l.ctx != nil {
		select {
		case <-l.ended:
		default:
			return // it still ends; the next beat starts it again
		}
	}
	l.ctx, l.end = context.WithCancel(ctx)
	l.expiry = time.AfterFunc(time.Until(until), l.end)
	l.ended = make(chan struct{})
	go func(ctx context.Context, ended chan struct{}) {
		defer close(ended)
		l.task.Run(ctx)
	}(l.ctx, l.ended)
}

// stop ends the context of the task, if it runs.
func (l *led) stop() {
	if l.end != nil {
		l.expiry.Stop()
		l.end()
	}
}

// wait waits until the task has returned, if it runs.
func (l *led) wait() {
	if l.ended != nil {
		<-l.ended
	}
}
