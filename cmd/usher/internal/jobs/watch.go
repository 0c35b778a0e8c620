package jobs

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/records"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues"
)

func jobsWatch() *cobra.Command {
	var timeout time.Duration
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "watch [ID]",
		Short: "Watch a job until it has ended, or all jobs",
		Long: `With an ID, shows how far the job is until it has ended, and exits as submit
--wait does: 0 done, 3 in the dead letters, 1 cancelled. Without one, prints a
line whenever a job's state changes, until Ctrl-C.`,
		Example: `  usher jobs watch segment-add-2026-11-21-7kq2mzbd
  usher jobs watch`,
		Args: command.RangeArgs(0, "ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if timeout < 0 {
				return command.Usagef("flag --timeout takes a duration such as 10m")
			}
			if asJSON && len(args) == 0 {
				return command.Usagef("flag --json prints the record of the job that is watched: give its ID")
			}
			return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
				ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
				defer stop()
				w := Waiter{Queue: q, Out: cmd.OutOrStdout(), Errs: cmd.ErrOrStderr(), Timeout: timeout, JSON: asJSON}
				if len(args) == 0 {
					return w.all(ctx)
				}
				if _, err := q.Record(ctx, args[0]); err != nil {
					return unknownJob(args[0], err)
				}
				return w.Wait(ctx, args[0])
			})
		},
	}
	cmd.Flags().DurationVar(&timeout, "timeout", 0, "how long to watch at most (default: until the end)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the job's record when it has ended")
	connect.AddQueueFlags(cmd)
	return cmd
}

// all prints changes of any job until it is interrupted or the time is up.
func (w *Waiter) all(ctx context.Context) error {
	if w.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, w.Timeout)
		defer cancel()
	}
	changes := changes{w: w.Out, seen: map[string]string{}}
	for {
		began := time.Now()
		records, err := w.Queue.Records(ctx, queues.Filter{})
		if ctx.Err() != nil {
			return nil
		}
		if err == nil { // else NATS is away, which the log says
			if err := changes.print(records, began); err != nil {
				return err
			}
		}
		// Reading many records takes its time: at most a tenth of it.
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(max(time.Second, 10*time.Since(began))):
		}
	}
}

// changes prints a line for every job whose state has changed since it was
// printed last.
type changes struct {
	w    io.Writer
	seen map[string]string // by id; nil: nothing was seen yet
	warm bool
}

// print takes records newest first and prints them oldest first. Of what had
// ended before the first look nothing is said.
func (c *changes) print(list []usher.Record, now time.Time) error {
	for i := len(list) - 1; i >= 0; i-- {
		r := &list[i]
		state := fmt.Sprintf("%d %s", r.Run, r.State)
		if r.Why != nil && r.State != usher.Running {
			state += " " + *r.Why
		}
		known := c.seen[r.ID] == state
		c.seen[r.ID] = state
		if known || !c.warm && r.State.Ended() {
			continue
		}
		line := fmt.Sprintf("%s  %s  %s  %s", readable.Time(now), terminal.Colour(c.w, string(r.State)), r.Kind, r.ID)
		if more := records.Remark(*r); more != "" {
			line += "  " + readable.Printable(more)
		}
		if _, err := fmt.Fprintln(c.w, line); err != nil {
			return fmt.Errorf("print job: %w", err)
		}
	}
	c.warm = true
	return nil
}
