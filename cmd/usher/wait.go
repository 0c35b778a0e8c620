package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"usher"
	"usher/queues"
)

// wait follows jobs to their end.
type wait struct {
	queue     *queues.Queue
	out, errs io.Writer
	timeout   time.Duration // 0: for ever
	json      bool
	rows      int64 // that the export has, about; 0: not known
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

// job waits for a job's end, showing how far it is, and returns how it ended:
// nil for done. The end of ctx (an interrupt) ends the waiting, not the job.
func (w *wait) job(ctx context.Context, id string) error {
	if w.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, w.timeout)
		defer cancel()
	}
	show := newProgress(w.errs, id, w.rows)
	r, err := w.follow(ctx, id, show)
	show.end()
	if err == nil {
		return w.ended(r)
	}
	if ctx.Err() == nil {
		return err
	}
	word := "not waiting any more"
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		word = fmt.Sprintf("it has not ended within %s", w.timeout)
	}
	return fmt.Errorf("wait for job %s: %s; the job goes on: 'usher jobs watch %s' waits again, 'usher jobs cancel %s' ends it", id, word, id, id)
}

// follow looks at the record until the job has ended.
func (w *wait) follow(ctx context.Context, id string, show progress) (usher.Record, error) {
	began := time.Now()
	for {
		r, err := w.queue.Record(ctx, id)
		waited := time.Since(began)
		switch {
		case ctx.Err() != nil:
			return r, context.Cause(ctx)
		case errors.Is(err, queues.ErrNoJob) && waited > grownUp:
			return r, err
		case err == nil && r.State.Ended():
			return r, nil
		case err == nil:
			show.see(r, time.Now())
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
func (w *wait) ended(r usher.Record) error {
	if w.json {
		if err := writeJSON(w.out, r); err != nil {
			return err
		}
	} else if err := writeOutcome(w.out, r); err != nil {
		return err
	}
	return w.verdict(r)
}

// verdict is the exit of whoever waited for the job.
func (w *wait) verdict(r usher.Record) error {
	switch r.State {
	case usher.Done:
		return nil
	case usher.Cancelled:
		return fmt.Errorf("job %s was cancelled", r.ID)
	}
	says := "it says no more"
	if e := r.Error; e != nil {
		says = fmt.Sprintf("%s: %s\nhint: %s", e.Class, printable(e.Message), printable(e.Hint))
	}
	if line := replayLine(r); line != "" {
		says += "\n" + line
	}
	return &exitError{code: exitDead, err: fmt.Errorf("job %s is in the dead letters, %s", r.ID, says)}
}

// replayLine is how a failed job is run again, where that can help: what was
// wrong with the job itself, or is over, no replay mends.
func replayLine(r usher.Record) string {
	if r.State != usher.Failed || r.Error != nil && (r.Error.Class == usher.InvalidJob || r.Error.Class == usher.Deadline) {
		return ""
	}
	return "once that is mended: usher dead replay --id " + r.ID
}

// writeOutcome prints what an ended job came to, as far as its kind counts.
func writeOutcome(out io.Writer, r usher.Record) error {
	took := ""
	if r.Started != nil && r.Finished != nil {
		took = " after " + brief(r.Finished.Sub(*r.Started))
	}
	if _, err := fmt.Fprintf(out, "%s %s %s%s\n", r.Kind, r.ID, coloured(out, string(r.State)), took); err != nil {
		return fmt.Errorf("print job: %w", err)
	}
	if err := writeCounts(out, r); err != nil {
		return err
	}
	for _, warning := range r.Warnings {
		if _, err := fmt.Fprintln(out, warningText(warning)); err != nil {
			return fmt.Errorf("print warning: %w", err)
		}
	}
	return nil
}

func warningText(w usher.Warning) string {
	text := printable(fmt.Sprintf("warning %s: %s", w.Code, w.Description))
	if w.Count > 1 {
		text += fmt.Sprintf(" (%s times)", number(w.Count))
	}
	return text
}

// writeCounts prints the tally and what goes with it, of jobs that have one.
func writeCounts(out io.Writer, r usher.Record) error {
	if family := r.Kind.Family(); family != "segment" && family != "target" || r.Kind == usher.TargetClear {
		return nil
	}
	if r.Tally.Read == 0 {
		return nil
	}
	accepted, sent := "accepted", "sent"
	var job struct {
		DryRun bool `json:"dryRun"`
	}
	if json.Unmarshal(r.Job, &job) == nil && job.DryRun {
		accepted, sent = "would be sent", "not sent: a dry run"
	}
	if err := writeTally(out, r.Tally, accepted); err != nil {
		return err
	}
	calls := fmt.Sprintf("%s, %s %s", plural(r.Batches, "request"), bytesText(r.Bytes), sent)
	if r.Kind == usher.SegmentRemove { // one call an id, and its batches are checkpoints
		calls = fmt.Sprintf("%s %s", plural(r.Tally.Accepted+r.Tally.Refused.Sum(), "call"), sent)
	}
	line := fmt.Sprintf("%s, about %s", calls, plural(r.Distinct, "distinct id"))
	if r.NumberOfIDs != (usher.NumberOfIDs{}) {
		line += fmt.Sprintf("; the platform counted %s before, %s after", number(r.NumberOfIDs.Before), number(r.NumberOfIDs.After))
	}
	if _, err := fmt.Fprintln(out, line); err != nil {
		return fmt.Errorf("print counts: %w", err)
	}
	return nil
}
