package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/queues"
)

func jobsCommand() *cobra.Command {
	return group("jobs", "See, watch and cancel jobs", jobsList(), jobsShow(), jobsWatch(), jobsCancel())
}

// stateWords are the states of a job.
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
		Use:   "ls",
		Short: "List jobs, newest first",
		Long: `Lists the jobs that are on record, newest first, and those that still wait to be
taken. Records live 100 days. 'failed' means: in the dead letters, see usher dead.`,
		Example: `  usher jobs ls --state running,retrying
  usher jobs ls --kind segment.add --limit 20 --json`,
		Args: none,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 0 {
				return usage("flag --limit takes a number of jobs, 0 for all")
			}
			f := queues.Filter{Limit: limit}
			for _, s := range states {
				f.States = append(f.States, usher.State(s))
			}
			for _, k := range kinds {
				f.Kinds = append(f.Kinds, usher.Kind(k))
			}
			return withQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
				records, err := q.Records(ctx, f)
				if err != nil {
					return err
				}
				return writeJobs(cmd, records, asJSON)
			})
		},
	}
	choicesFlag(cmd, &states, "state", "only those", stateWords()...)
	choicesFlag(cmd, &kinds, "kind", "only those", kindWords()...)
	cmd.Flags().IntVar(&limit, "limit", 0, "how many at most (default all)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print an array of records")
	addQueueFlags(cmd)
	return cmd
}

func writeJobs(cmd *cobra.Command, records []usher.Record, asJSON bool) error {
	if asJSON {
		if records == nil {
			records = []usher.Record{}
		}
		return writeJSON(cmd.OutOrStdout(), records)
	}
	if len(records) == 0 {
		fmt.Fprintln(cmd.ErrOrStderr(), "no job matches")
		return nil
	}
	table := grid{header: []string{"ID", "KIND", "STATE", "READ", "ACCEPTED", "SUBMITTED", ""}, right: []int{4, 5}}
	for _, r := range records {
		table.add(r.ID, string(r.Kind), string(r.State), number(r.Tally.Read), number(r.Tally.Accepted), clockTime(r.Submitted), oneLine(remark(r), 60))
	}
	return table.write(cmd.OutOrStdout())
}

// remark is what is worth saying of a job in a list.
func remark(r usher.Record) string {
	switch {
	case r.Error != nil:
		return string(r.Error.Class)
	case r.Why != nil:
		return *r.Why
	case r.Parts.Total > 1 && !r.State.Ended():
		return fmt.Sprintf("%d of %d parts done", r.Parts.Done, r.Parts.Total)
	}
	return ""
}

func jobsShow() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "show ID",
		Short:   "Show what is on record of a job",
		Long:    `Shows a job's record: its state, what it waits for, where every row went, why it failed and what to do.`,
		Example: "  usher jobs show segment-add-2026-11-21-7kq2mzbd --json",
		Args:    exactly("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
				r, err := q.Record(ctx, args[0])
				if err != nil {
					return unknownJob(args[0], err)
				}
				if asJSON {
					return writeJSON(cmd.OutOrStdout(), r)
				}
				return writeJob(ctx, cmd.OutOrStdout(), q, r)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the record as JSON")
	addQueueFlags(cmd)
	return cmd
}

// unknownJob says of an unknown job where the known ones are.
func unknownJob(id string, err error) error {
	if errors.Is(err, queues.ErrNoJob) {
		return fmt.Errorf("there is no job %q on record: 'usher jobs ls' lists them, and 'usher dead ls' what came invalid", id)
	}
	return err
}

func jobsCancel() *cobra.Command {
	var reason, actor string
	cmd := &cobra.Command{
		Use:   "cancel ID",
		Short: "End a job",
		Long: `Ends a job within ten seconds: what is in flight is aborted, what waits never
begins. What the platform took stays there. A cancelled job makes no dead letter.`,
		Example: "  usher jobs cancel segment-add-2026-11-21-7kq2mzbd",
		Args:    exactly("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
				ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
				defer cancel()
				err := q.Cancel(ctx, args[0], queues.Act{Actor: actorOr(actor), Reason: reason})
				if errors.Is(err, queues.ErrEnded) {
					return fmt.Errorf("job %s has ended already, there is nothing to cancel: 'usher jobs show %s' says how it ended", args[0], args[0])
				}
				if err != nil {
					return unknownJob(args[0], err)
				}
				fmt.Fprintf(cmd.OutOrStdout(), "job %s is cancelled\n", args[0])
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why, for the audit")
	cmd.Flags().StringVar(&actor, "actor", "", "who wants it, for the audit (default: the user of this system)")
	addQueueFlags(cmd)
	return cmd
}

// oneLine is text in one line, at most n characters of it.
func oneLine(text string, n int) string {
	text = strings.Join(strings.Fields(printable(text)), " ")
	if runes := []rune(text); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return text
}
