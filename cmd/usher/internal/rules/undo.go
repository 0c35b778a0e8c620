package rules

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/internal/readable"
	"usher/queues"
	"usher/queues/decisions"
)

// undoReport is the result of an undo, as printed by --json.
type undoReport struct {
	Run  *usher.Evaluation   `json:"run"` // the run of the undo; null if there was nothing to undo
	Left []decisions.Skipped `json:"left"`

	shown  []decisions.Skipped // which the plan has named already
	undone usher.Evaluation    // as it is after the undo
}

// newUndoReport returns the report of an undo, or of its plan.
func newUndoReport(e usher.Evaluation, skipped []decisions.Skipped) *undoReport {
	r := &undoReport{Left: skipped}
	if e.ID != "" {
		r.Run = &e
	}
	return r
}

func undo() *cobra.Command {
	return command.Act[*queues.Queue, *undoReport]{
		About: command.About{
			Use:   "undo RUN",
			Short: "Undo the changes of a run",
			Long: `Undo the changes of a run: resume the creatives that it paused, and pause those that
it resumed. The changes are ordinary jobs, and the audit names you as their actor. A
creative that somebody has changed since is skipped; its job checks this again while
it holds the lock. Rules leave alone what is undone, until 'usher rules release' hands it
back: 'usher rules kept' lists it.

undo does not cover what a job of the run has not changed yet. It names the jobs that have
not ended, and the commands that cancel them, and ends with exit code 1. While the stop
switch is on, it undoes nothing and fails, because its jobs could not change anything.

undo shows its plan and asks for confirmation. --yes skips the question, and --dry-run only
shows the plan.`,
			Example: "  usher rules undo rule-budgets-stop-20261121T0700Z --reason 'the report was wrong'",
			Args:    command.ExactArgs("RUN"),
			JSON:    "the run as JSON",
		},
		On: connect.Queue().Completing(connect.Complete(runNames)),
		Plan: func(ctx context.Context, c *command.Call, q *queues.Queue) (plan command.Plan[*undoReport], err error) {
			by, id, stored := c.By(), c.Args[0], decisions.New(q, nil)
			e, skipped, err := stored.Interventions().PlanUndo(ctx, id, by.Actor, by.Reason)
			if err != nil {
				return plan, explainRunError(id, err)
			}
			planned := newUndoReport(e, skipped)
			plan.Do = func(ctx context.Context) (*undoReport, error) {
				e, skipped, err := stored.Interventions().Undo(ctx, id, by.Actor, by.Reason)
				if err != nil {
					return nil, explainRunError(id, err)
				}
				report := newUndoReport(e, skipped)
				if planned.Run != nil && !c.JSON {
					report.shown = planned.Left
				}
				report.undone, err = stored.Evaluation(ctx, id)
				return report, err
			}
			if planned.Run != nil {
				plan.Question = fmt.Sprintf("Undo run %s: revert %s?", id, planned.changes())
				plan.Show = func(out io.Writer) error { return planned.writeLeft(out) }
			}
			plan.Leave = func(context.Context) (*undoReport, error) { return &undoReport{Left: skipped}, nil }
			return plan, nil
		},
		Verb: "undo", Done: "undone",
		Print:   func(c *command.Call, r *undoReport) error { return r.write(c.Out()) },
		Failure: func(_ *command.Call, r *undoReport) error { return r.failure() },
	}.Command()
}

// changes says what an undo reverts.
func (r *undoReport) changes() string {
	var what []string
	if n := r.Run.Counts[usher.Pause] + r.Run.Counts[usher.Resume]; n > 0 {
		what = append(what, readable.Count(n, "creative"))
	}
	if n := r.Run.Counts[usher.Decrease] + r.Run.Counts[usher.Increase]; n > 0 {
		what = append(what, readable.Count(n, "change")+" of budgets or bids")
	}
	return strings.Join(what, ", ")
}

func (r *undoReport) write(out io.Writer) error {
	if r.Run == nil {
		fmt.Fprintln(out, "nothing to undo")
	} else {
		fmt.Fprintf(out, "run %s reverts %s\n", r.Run.ID, r.changes())
		writeJobIDs(out, r.Run.Jobs)
	}
	if err := r.writeLeft(out); err != nil {
		return err
	}
	for _, job := range r.openJobs() {
		fmt.Fprintf(out, "job %s of the run may still change them: 'usher jobs cancel %s' cancels it\n", job, job)
	}
	if n := r.undone.CountApprovable(); r.undone.State == usher.EvaluationHeld {
		fmt.Fprintf(out, "%s of run %s may still be approved: 'usher rules reject %s' drops them\n", readable.Count(n, "held change"), r.undone.ID, r.undone.ID)
	}
	return nil
}

// openJobs returns the jobs of the run that may still change what the undo skips.
func (r *undoReport) openJobs() []string {
	var jobs []string
	for _, l := range r.Left {
		if l.Job != "" && !slices.Contains(jobs, l.Job) {
			jobs = append(jobs, l.Job)
		}
	}
	return jobs
}

// failure is the error of an undo that has left jobs of the run. A plan has none.
func (r *undoReport) failure() error {
	jobs := r.openJobs()
	if len(jobs) == 0 || r.undone.ID == "" {
		return nil
	}
	return fmt.Errorf("not all of run %s is undone: %s may still change what it decided; 'usher jobs cancel' cancels a job, and a later undo covers what it has changed", r.undone.ID, readable.Count(len(jobs), "job"))
}

// writeLeft prints what an undo does not revert.
func (r *undoReport) writeLeft(out io.Writer) error {
	for _, l := range r.Left {
		if slices.Contains(r.shown, l) {
			continue
		}
		name := creativeName(l.Campaign, l.Creative)
		if l.Field != "" {
			name = "the " + l.Field.String() + " of " + l.Campaign
		}
		if _, err := fmt.Fprintf(out, "skipped: %s %s\n", readable.Printable(name), readable.Printable(l.Why)); err != nil {
			return fmt.Errorf("print undo: %w", err)
		}
	}
	return nil
}
