package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues"
	"usher/queues/status"
)

func watch() *cobra.Command {
	var timeout time.Duration
	var asJSON bool
	cmd := &cobra.Command{
		Use: "watch [ID]", SuggestFor: []string{"wait", "follow", "tail"},
		Short: "Watch a job until it ends, or all jobs",
		Long: `With an ID, show the job's progress until it ends, and exit like submit --wait: 0 if it
is done, 3 if it is in the dead letters, 1 if it was cancelled or the watching ends
first. Without an ID, show all jobs on a screen that is drawn again every second, until q
or Ctrl-C; without a terminal, print a line whenever a job's state changes.`,
		Example: `  usher jobs watch segment-add-2026-11-21-7kq2mzbd
  usher jobs watch`,
		Args: command.RangeArgs(0, "ID"), ValidArgsFunction: connect.Complete(Names),
		RunE: func(cmd *cobra.Command, args []string) error {
			if timeout < 0 {
				return command.Usagef("flag --timeout takes a duration such as 10m")
			}
			if asJSON && len(args) == 0 {
				return command.Usagef("flag --json needs the ID of a job")
			}
			return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
				ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
				defer stop()
				w := Waiter{Queue: q, Out: cmd.OutOrStdout(), Errs: cmd.ErrOrStderr(), Timeout: timeout, JSON: asJSON}
				if len(args) == 0 && terminal.IsTerminal(w.Out) {
					return w.watchScreen(ctx, cmd.InOrStdin())
				}
				if len(args) == 0 {
					return w.watchAll(ctx)
				}
				r, err := q.Status().Record(ctx, args[0])
				if err != nil {
					return unknownJob(args[0], err)
				}
				var job usher.Job
				_ = json.Unmarshal(r.Job, &job) // unreadable fields are left empty
				w.Calls = connect.UploadCalls(ctx, cmd, q, job.Advertiser)
				return w.Wait(ctx, args[0])
			})
		},
	}
	cmd.Flags().DurationVar(&timeout, "timeout", 0, "maximum time to watch (default: until the job has ended)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the job's record as JSON when it has ended")
	connect.AddQueueFlags(cmd)
	return cmd
}

// watchAll prints the changes of all jobs until ctx ends or the timeout expires. It prints
// the state of all jobs at least once, however short the timeout is.
func (w *Waiter) watchAll(ctx context.Context) error {
	var timeout <-chan time.Time
	if w.Timeout > 0 {
		timeout = time.After(w.Timeout)
	}
	changes := changes{w: w.Out, seen: map[string]string{}}
	for {
		began := time.Now()
		records, err := w.Queue.Status().Records(ctx, status.Filter{})
		if ctx.Err() != nil {
			return nil //nolint:nilerr // Ctrl-C ends the watching
		}
		if err == nil { // an error means that NATS is unavailable, which the connection logs
			if err := changes.print(records, began); err != nil {
				return err
			}
		}
		// Reading the records takes at most a tenth of the time.
		select {
		case <-ctx.Done():
			return nil
		case <-timeout:
			return nil
		case <-time.After(max(time.Second, 10*time.Since(began))):
		}
	}
}

// changes prints a line for every job whose state has changed since its last line.
type changes struct {
	w    io.Writer
	seen map[string]string // state by id
	warm bool              // print was called before
}

// print takes records newest first and prints their changes oldest first. It omits jobs
// that had ended before the first call.
func (c *changes) print(list []usher.Record, now time.Time) error {
	for i := len(list) - 1; i >= 0; i-- {
		r := &list[i]
		state := fmt.Sprintf("%d %s", r.Run, r.State)
		switch {
		case r.WaitsFor != nil: // its position changes with each job that ends
			state += " " + r.WaitsFor.Job
		case r.Why != nil && r.State != usher.Running:
			state += " " + *r.Why
		}
		known := c.seen[r.ID] == state
		c.seen[r.ID] = state
		if known || !c.warm && r.State.Ended() {
			continue
		}
		line := fmt.Sprintf("%s  %s  %s  %s", readable.Time(now), terminal.Colour(c.w, string(r.State)), r.Kind, r.ID)
		more := readable.Printable(Line(r))
		if isLarge(r) {
			more = terminal.Red(c.w, more)
		}
		line += "  " + more
		if _, err := fmt.Fprintln(c.w, line); err != nil {
			return fmt.Errorf("print job: %w", err)
		}
	}
	c.warm = true
	return nil
}
