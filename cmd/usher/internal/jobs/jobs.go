package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/records"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues"
	"usher/queues/status"
)

// Command returns usher jobs.
func Command() *cobra.Command {
	return command.Group("jobs", "List, show, watch and cancel jobs", jobsList(), jobsShow(), jobsWatch(), jobsCancel())
}

// stateWords returns the states of a job.
func stateWords() []string {
	var words []string
	for _, s := range []usher.State{usher.Queued, usher.Running, usher.Retrying, usher.Done, usher.Failed, usher.Cancelled} {
		words = append(words, string(s))
	}
	return words
}

func jobsList() *cobra.Command {
	var states, kinds []string
	var limit int
	var asJSON bool
	cmd := &cobra.Command{
		Use: "ls", Aliases: []string{"list"},
		Short: "List jobs, newest first",
		Long: `List all recorded and waiting jobs, newest first. Records are kept for 100 days. A
'failed' job is in the dead letters: see usher dead.`,
		Example: `  usher jobs ls --state running,retrying
  usher jobs ls --kind segment.add --limit 20 --json`,
		Args: command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 0 {
				return command.Usagef("flag --limit takes a number of jobs, 0 for all")
			}
			f := status.Filter{Limit: limit}
			for _, s := range states {
				f.States = append(f.States, usher.State(s))
			}
			for _, k := range kinds {
				f.Kinds = append(f.Kinds, usher.Kind(k))
			}
			return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
				screen := !asJSON && !cmd.Flags().Changed("limit") && terminal.Width(cmd.OutOrStdout()) > 0
				if screen {
					f.Limit = screenJobs + 1 // to know whether there are more
				}
				records, err := q.Status().Records(ctx, f)
				if err != nil {
					return err
				}
				if screen && len(records) > screenJobs {
					defer fmt.Fprintf(cmd.ErrOrStderr(), "there are more: --limit 0 prints all, --state, --kind and --json select\n")
					records = records[:screenJobs]
				}
				return writeJobs(cmd, records, asJSON)
			})
		},
	}
	command.ChoicesVar(cmd, &states, "state", "list only jobs in these states", stateWords()...)
	command.ChoicesVar(cmd, &kinds, "kind", "list only jobs of these kinds", command.Kinds()...)
	cmd.Flags().IntVar(&limit, "limit", 0, fmt.Sprintf("maximum number of jobs, 0 for all (default %d on a terminal, otherwise all)", screenJobs))
	cmd.Flags().BoolVar(&asJSON, "json", false, "print an array of records")
	connect.AddQueueFlags(cmd)
	return cmd
}

// screenJobs is the number of jobs that a terminal gets without --limit.
const screenJobs = 50

func writeJobs(cmd *cobra.Command, list []usher.Record, asJSON bool) error {
	if asJSON {
		if list == nil {
			list = []usher.Record{}
		}
		return terminal.WriteJSON(cmd.OutOrStdout(), list)
	}
	if len(list) == 0 {
		fmt.Fprintln(cmd.ErrOrStderr(), "no job matches")
		return nil
	}
	table := terminal.Table{Header: []string{"ID", "KIND", "STATE", "READ", "ACCEPTED", "SUBMITTED", ""}, Right: []int{4, 5}, Cut: []int{7, 1}, Drop: []int{5, 4, 6, 2}}
	times := command.Times(cmd)
	for _, r := range list {
		table.Add(r.ID, string(r.Kind), string(r.State), readable.Number(r.Tally.Read), readable.Number(r.Tally.Accepted), times.Text(r.Submitted), readable.Line(records.Remark(r), 300))
	}
	return table.Write(cmd.OutOrStdout())
}

func jobsShow() *cobra.Command {
	var asJSON, receipt bool
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show a job's record",
		Long: `Show a job's record: its state, what it waits for, its tally, and if it failed, why
and what to do.

With --receipt, print what a device.forget did: an array with an object for each digest and
target, whose outcome is removed, absent or pending.`,
		Example: `  usher jobs show segment-add-2026-11-21-7kq2mzbd --json
  usher jobs show device-forget-2026-11-21-u4hd2xqa --receipt`,
		Args: command.ExactArgs("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
				if receipt {
					return writeReceipt(ctx, cmd, q, args[0])
				}
				r, err := q.Status().Record(ctx, args[0])
				if err != nil {
					return unknownJob(args[0], err)
				}
				if asJSON {
					return terminal.WriteJSON(cmd.OutOrStdout(), r)
				}
				return records.WriteJob(ctx, cmd.OutOrStdout(), q, r)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the record as JSON")
	cmd.Flags().BoolVar(&receipt, "receipt", false, "print the receipt of a device.forget as JSON")
	connect.AddQueueFlags(cmd)
	return cmd
}

// unknownJob adds to the error of an unknown job how to find jobs.
func unknownJob(id string, err error) error {
	if errors.Is(err, status.ErrNoJob) {
		return fmt.Errorf("there is no job %q: 'usher jobs ls' lists all jobs, 'usher dead ls' lists invalid ones", id)
	}
	return err
}

func jobsCancel() *cobra.Command {
	var who command.Actor
	cmd := &cobra.Command{
		Use:   "cancel ID",
		Short: "Cancel a job",
		Long: `Cancel a job within ten seconds. Requests in flight are aborted, and a waiting job does
not start. Ids that the platform has accepted stay there. A cancelled job leaves no dead
letter.`,
		Example: "  usher jobs cancel segment-add-2026-11-21-7kq2mzbd",
		Args:    command.ExactArgs("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
				ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
				defer cancel()
				err := q.Cancel(ctx, args[0], who.Act())
				if errors.Is(err, queues.ErrEnded) {
					return fmt.Errorf("job %s has already ended: 'usher jobs show %s' shows how", args[0], args[0])
				}
				if err != nil {
					return unknownJob(args[0], err)
				}
				fmt.Fprintf(cmd.OutOrStdout(), "job %s is cancelled\n", args[0])
				return nil
			})
		},
	}
	who.AddFlags(cmd)
	connect.AddQueueFlags(cmd)
	return cmd
}
