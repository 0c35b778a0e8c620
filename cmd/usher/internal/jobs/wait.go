package jobs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues"
	"usher/queues/decisions"
	"usher/queues/status"
)

// Waiter waits until jobs have ended.
type Waiter struct {
	Queue     *queues.Queue
	Out, Errs io.Writer
	Timeout   time.Duration // 0: none
	JSON      bool
	Rows      int64   // estimated rows of the export; 0: unknown
	Calls     float64 // calls a second that the rate limit allows; 0: unknown

	// Flags is set if the job was built from flags. Errors then name flags instead of the
	// job's fields.
	Flags bool
}

// The record is polled often during the first seconds, because most jobs are small, and
// less often afterwards.
const (
	initialInterval = 100 * time.Millisecond
	interval        = 500 * time.Millisecond
	initialPhase    = 2 * time.Second
	maxUnrecorded   = 10 * time.Second // a job that was just published may not be visible at once
)

// Wait shows a job's progress until it has ended, prints the result, and returns nil if
// the job is done. Ending ctx ends the waiting, not the job.
func (w *Waiter) Wait(ctx context.Context, id string) error {
	if w.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, w.Timeout)
		defer cancel()
	}
	show := terminal.NewProgress(w.Errs, id, w.Rows, w.Calls)
	r, err := w.Follow(ctx, id, show)
	show.End()
	if err == nil {
		return w.printResult(ctx, r)
	}
	if ctx.Err() == nil {
		return err
	}
	reason := "interrupted"
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		reason = fmt.Sprintf("not ended within %s", w.Timeout)
	}
	return fmt.Errorf("wait for job %s: %s; the job continues: 'usher jobs watch %s' waits again, 'usher jobs cancel %s' cancels it", id, reason, id, id)
}

// Follow polls the record until the job has ended.
func (w *Waiter) Follow(ctx context.Context, id string, show terminal.Progress) (usher.Record, error) {
	began := time.Now()
	for {
		r, err := w.Queue.Status().Record(ctx, id)
		waited := time.Since(began)
		switch {
		case ctx.Err() != nil:
			return r, context.Cause(ctx)
		case errors.Is(err, status.ErrNoJob) && waited > maxUnrecorded:
			return r, err
		case err == nil && r.State.Ended():
			return r, nil
		case err == nil:
			show.Update(r, time.Now())
		} // any other error means that NATS is unavailable; the connection logs it and reconnects
		every := interval
		if waited < initialPhase {
			every = initialInterval
		}
		select {
		case <-ctx.Done():
			return r, context.Cause(ctx)
		case <-time.After(every):
		}
	}
}

// printResult prints how a job ended and returns its verdict.
func (w *Waiter) printResult(ctx context.Context, r usher.Record) error {
	write := WriteOutcome
	if w.JSON {
		write = func(out io.Writer, r usher.Record) error { return terminal.WriteJSON(out, r) }
	}
	if err := write(w.Out, r); err != nil {
		return err
	}
	if !w.JSON {
		w.writeDecisions(ctx, &r)
	}
	return w.verdict(r)
}

// writeDecisions prints what a run of rules has decided.
func (w *Waiter) writeDecisions(ctx context.Context, r *usher.Record) {
	if r.Kind != usher.RulesEvaluate || r.State != usher.Done {
		return
	}
	e, err := decisions.New(w.Queue, nil).Evaluation(ctx, r.ID)
	if err != nil {
		return // it decided nothing, and a warning says why
	}
	fmt.Fprintf(w.Out, "decided: %s; see 'usher rules runs show %s'\n", Summary(&e), r.ID)
}

// verdict returns nil for a job that is done, otherwise an error with the exit code.
func (w *Waiter) verdict(r usher.Record) error {
	switch r.State {
	case usher.Done:
		return nil
	case usher.Cancelled:
		return fmt.Errorf("job %s was cancelled", r.ID)
	}
	details := "without an error"
	if e := r.Error; e != nil {
		details = readable.Printable(e.Message) + "\nhint: " + readable.Printable(e.Hint)
		if w.Flags {
			details = command.InFlags(details)
		}
		details = string(e.Class) + ": " + details
	}
	if line := Advice(r); line != "" {
		details += "\n" + line
	}
	return &command.ExitError{Code: command.DeadLetter, Err: fmt.Errorf("job %s is in the dead letters, %s", r.ID, details)}
}
