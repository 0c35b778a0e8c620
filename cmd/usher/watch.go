package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/spf13/cobra"

	"usher"
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
		Args: between(0, "ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if timeout < 0 {
				return usage("flag --timeout takes a duration such as 10m")
			}
			if asJSON && len(args) == 0 {
				return usage("flag --json prints the record of the job that is watched: give its ID")
			}
			return withQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
				ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
				defer stop()
				w := wait{queue: q, out: cmd.OutOrStdout(), errs: cmd.ErrOrStderr(), timeout: timeout, json: asJSON}
				if len(args) == 0 {
					return w.all(ctx)
				}
				if _, err := q.Record(ctx, args[0]); err != nil {
					return unknownJob(args[0], err)
				}
				return w.job(ctx, args[0])
			})
		},
	}
	cmd.Flags().DurationVar(&timeout, "timeout", 0, "how long to watch at most (default: until the end)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the job's record when it has ended")
	addQueueFlags(cmd)
	return cmd
}

// all prints changes of any job until it is interrupted or the time is up.
func (w *wait) all(ctx context.Context) error {
	if w.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, w.timeout)
		defer cancel()
	}
	changes := changes{w: w.out, seen: map[string]string{}}
	for {
		began := time.Now()
		records, err := w.queue.Records(ctx, queues.Filter{})
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
func (c *changes) print(records []usher.Record, now time.Time) error {
	for i := len(records) - 1; i >= 0; i-- {
		r := &records[i]
		state := fmt.Sprintf("%d %s", r.Run, r.State)
		if r.Why != nil && r.State != usher.Running {
			state += " " + *r.Why
		}
		known := c.seen[r.ID] == state
		c.seen[r.ID] = state
		if known || !c.warm && r.State.Ended() {
			continue
		}
		line := fmt.Sprintf("%s  %s  %s  %s", clockTime(now), coloured(c.w, string(r.State)), r.Kind, r.ID)
		if more := remark(*r); more != "" {
			line += "  " + printable(more)
		}
		if _, err := fmt.Fprintln(c.w, line); err != nil {
			return fmt.Errorf("print job: %w", err)
		}
	}
	c.warm = true
	return nil
}
