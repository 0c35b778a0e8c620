package jobs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues"
	"usher/queues/decisions"
	"usher/queues/status"
)

// Command returns usher jobs.
func Command() *cobra.Command {
	return command.Group("jobs", "List, show, watch and cancel jobs", list(), show(), watch(), cancel())
}

// stateWords returns the states of a job.
func stateWords() []string {
	var words []string
	for _, s := range []usher.State{usher.Queued, usher.Running, usher.Retrying, usher.Done, usher.Failed, usher.Cancelled} {
		words = append(words, string(s))
	}
	return words
}

// screenJobs is the number of jobs that a terminal gets without --limit.
const screenJobs = 50

// filter has the flags of usher jobs ls.
type filter struct {
	states, kinds []string
	limit         int
}

func (f *filter) addFlags(cmd *cobra.Command) {
	command.ChoicesVar(cmd, &f.states, "state", "list only jobs in these states", stateWords()...)
	command.ChoicesVar(cmd, &f.kinds, "kind", "list only jobs of these kinds", command.Kinds()...)
	command.LimitVar(cmd, &f.limit, "jobs", fmt.Sprintf(" (default %d on a terminal, otherwise all)", screenJobs))
}

// page returns how many jobs the command prints at most, 0 for all.
func (f *filter) page(c *command.Call) int {
	if !c.JSON && !c.Cmd.Flags().Changed("limit") && terminal.Width(c.Out()) > 0 {
		return screenJobs
	}
	return f.limit
}

func (f *filter) load(ctx context.Context, c *command.Call, q *queues.Queue) ([]usher.Record, error) {
	wanted := status.Filter{Limit: f.page(c)}
	if wanted.Limit > 0 && f.limit == 0 {
		wanted.Limit++ // to know whether there are more
	}
	for _, s := range f.states {
		wanted.States = append(wanted.States, usher.State(s))
	}
	for _, k := range f.kinds {
		wanted.Kinds = append(wanted.Kinds, usher.Kind(k))
	}
	return q.Status().Records(ctx, wanted)
}

func list() *cobra.Command {
	var f filter
	return command.List[*queues.Queue, usher.Record]{
		About: command.About{
			Use: "ls", Aliases: []string{"list"},
			Short: "List jobs, newest first",
			Long: `List all recorded and waiting jobs, newest first. Records are kept for 100 days. A
'failed' job is in the dead letters: see usher dead.`,
			Example: `  usher jobs ls --state running,retrying
  usher jobs ls --kind segment.add --limit 20 --json`,
			Flags: f.addFlags,
			JSON:  "an array of records",
		},
		On:   connect.Queue(),
		Load: f.load,
		Columns: []command.Column{
			{Header: "ID", Cut: 1}, {Header: "KIND", Drop: 2}, {Header: "STATE"},
			{Header: "READ", Right: true}, {Header: "ACCEPTED", Right: true}, {Header: "SUBMITTED", Drop: 1}, {Header: "TARGET", Cut: 2, Named: true},
		},
		Row: func(r *usher.Record, times terminal.Times) []string {
			return []string{
				r.ID, string(r.Kind), string(r.State), readable.Number(r.Tally.Read), readable.Number(r.Tally.Accepted),
				times.Text(r.Submitted), cell(r),
			}
		},
		Red:  isLarge,
		None: "no job matches",
		Page: f.page,
		More: func(*usher.Record) string {
			return "there are more: --limit 0 prints all, --state, --kind and --json select"
		},
	}.Command()
}

// jobView is a job as usher jobs show prints it.
type jobView struct {
	usher.Record

	advice   string            // the commands for a job that has failed
	run      *usher.Evaluation // of a rules.evaluate that has decided something
	outcomes func() error      // prints the receipt that --receipt asks for
}

func show() *cobra.Command {
	receipt := false
	return command.View[*queues.Queue, jobView]{
		About: command.About{
			Use:   "show ID",
			Short: "Show a job's record",
			Long: `Show a job's record: its state, what it waits for, its tally, and if it failed, why
and what to do.

With --receipt, print what a device.forget did: an array with an object for each digest and
target, whose outcome is removed, absent or pending.`,
			Example: `  usher jobs show segment-add-2026-11-21-7kq2mzbd --json
  usher jobs show device-forget-2026-11-21-u4hd2xqa --receipt`,
			Args: command.ExactArgs("ID"),
			Flags: func(cmd *cobra.Command) {
				cmd.Flags().BoolVar(&receipt, "receipt", false, "print the receipt of a device.forget as JSON")
			},
			JSON: "the record as JSON",
		},
		On: connect.Queue().Completing(connect.Complete(Names)),
		Load: func(ctx context.Context, c *command.Call, q *queues.Queue) (jobView, error) {
			if receipt {
				c.JSON = false // a receipt is JSON always, and no record
				return jobView{outcomes: func() error { return writeDigests(ctx, c.Cmd, q, c.Args[0]) }}, nil
			}
			return viewOf(ctx, q, c.Args[0])
		},
		Print: func(c *command.Call, v jobView) error {
			if v.outcomes != nil {
				return v.outcomes()
			}
			return v.write(c.Out())
		},
	}.Command()
}

// viewOf reads the record of a job, and what it has decided if it is a run of rules.
func viewOf(ctx context.Context, q *queues.Queue, id string) (v jobView, err error) {
	if v.Record, err = q.Status().Record(ctx, id); err != nil {
		return v, unknownJob(id, err)
	}
	if v.advice, err = adviceNow(ctx, q, v.Record); err != nil {
		return v, err
	}
	if v.Kind != usher.RulesEvaluate {
		return v, nil
	}
	e, found, err := decisions.New(q, nil).FindEvaluation(ctx, id)
	if found {
		v.run = &e
	}
	return v, err
}

func (v *jobView) write(w io.Writer) error {
	if err := writeRecord(w, v.Record, v.advice); err != nil || v.run == nil {
		return err
	}
	fmt.Fprintf(w, "%s by rules %s: 'usher rules runs show %s' shows the decisions\n", Summary(v.run), RulesOf(v.run), v.run.ID)
	for _, job := range v.run.Jobs {
		fmt.Fprintf(w, "  job %s\n", job)
	}
	return nil
}

// unknownJob adds to the error of an unknown job how to find jobs.
func unknownJob(id string, err error) error {
	if errors.Is(err, status.ErrNoJob) {
		return fmt.Errorf("there is no job %q: 'usher jobs ls' lists all jobs, 'usher dead ls' lists invalid ones", id)
	}
	return err
}

func cancel() *cobra.Command {
	return command.Act[*queues.Queue, string]{
		About: command.About{
			Use:   "cancel ID",
			Short: "Cancel a job",
			Long: `Cancel a job within ten seconds. Requests in flight are aborted, and a waiting job does
not start. Ids that the platform has accepted stay there. A cancelled job leaves no dead
letter.`,
			Example: "  usher jobs cancel segment-add-2026-11-21-7kq2mzbd",
			Args:    command.ExactArgs("ID"),
		},
		On: connect.Queue().Completing(connect.Complete(Names)),
		Do: func(ctx context.Context, c *command.Call, q *queues.Queue) (string, error) {
			ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
			defer cancel()
			id := c.Args[0]
			err := q.Cancel(ctx, id, c.By())
			if errors.Is(err, queues.ErrEnded) {
				return "", fmt.Errorf("job %s has already ended: 'usher jobs show %s' shows how", id, id)
			}
			return "job " + id + " is cancelled", unknownJob(id, err)
		},
		Print: (*command.Call).Println,
	}.Command()
}
