package jobs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/records"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues"
)

// Waiter follows jobs to their end.
type Waiter struct {
	Queue     *queues.Queue
	Out, Errs io.Writer
	Timeout   time.Duration // 0: for ever
	JSON      bool
	Rows      int64 // that the export has, about; 0: not known
}

// Looks at a record that is waited for: often at first, since most jobs are
// small, then rarely. A job that was just published may not be on record for a
// moment.
const (
	firstLooks = 100 * time.Millisecond
	laterLooks = 500 * time.Millisecond
	soon       = 2 * time.Second
	grownUp    = 10 * time.Second
)

// Wait waits for a job's end, showing how far it is, and returns how it ended:
// nil for done. The end of ctx (an interrupt) ends the waiting, not the job.
func (w *Waiter) Wait(ctx context.Context, id string) error {
	if w.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, w.Timeout)
		defer cancel()
	}
	show := terminal.NewProgress(w.Errs, id, w.Rows)
	r, err := w.Follow(ctx, id, show)
	show.End()
	if err == nil {
		return w.ended(r)
	}
	if ctx.Err() == nil {
		return err
	}
	word := "not waiting any more"
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		word = fmt.Sprintf("it has not ended within %s", w.Timeout)
	}
	return fmt.Errorf("wait for job %s: %s; the job goes on: 'usher jobs watch %s' waits again, 'usher jobs cancel %s' ends it", id, word, id, id)
}

// Follow looks at the record until the job has ended.
func (w *Waiter) Follow(ctx context.Context, id string, show terminal.Progress) (usher.Record, error) {
	began := time.Now()
	for {
		r, err := w.Queue.Record(ctx, id)
		waited := time.Since(began)
		switch {
		case ctx.Err() != nil:
			return r, context.Cause(ctx)
		case errors.Is(err, queues.ErrNoJob) && waited > grownUp:
			return r, err
		case err == nil && r.State.Ended():
			return r, nil
		case err == nil:
			show.Update(r, time.Now())
		} // any other error is NATS away, which the log says: it reconnects
		every := laterLooks
		if waited < soon {
			every = firstLooks
		}
		select {
		case <-ctx.Done():
			return r, context.Cause(ctx)
		case <-time.After(every):
		}
	}
}

// ended prints how a job ended.
func (w *Waiter) ended(r usher.Record) error {
	if w.JSON {
		if err := terminal.WriteJSON(w.Out, r); err != nil {
			return err
		}
	} else if err := records.WriteOutcome(w.Out, r); err != nil {
		return err
	}
	return w.verdict(r)
}

// verdict is the exit of whoever waited for the job.
func (w *Waiter) verdict(r usher.Record) error {
	switch r.State {
	case usher.Done:
		return nil
	case usher.Cancelled:
		return fmt.Errorf("job %s was cancelled", r.ID)
	}
	says := "it says no more"
	if e := r.Error; e != nil {
		says = fmt.Sprintf("%s: %s\nhint: %s", e.Class, readable.Printable(e.Message), readable.Printable(e.Hint))
	}
	if line := records.ReplayLine(r); line != "" {
		says += "\n" + line
	}
	return &command.ExitError{Code: command.DeadLetter, Err: fmt.Errorf("job %s is in the dead letters, %s", r.ID, says)}
}
