package rules

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues"
	"usher/queues/decisions"
)

// undoReport is the result of an undo, as printed by --json.
type undoReport struct {
	Run  *usher.Evaluation   `json:"run"` // the run of the undo; null if there was nothing to undo
	Left []decisions.Skipped `json:"left"`
}

func rulesUndo() *cobra.Command {
	var who command.Actor
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "undo RUN",
		Short: "Undo the changes of a run",
		Long: `Undo the changes of a run: resume the creatives that it paused, and pause those that
it resumed. The changes are ordinary jobs, and the audit names you as their actor. A
creative that somebody has changed since is skipped; its job checks this again while
it holds the lock. Afterwards rules neither pause nor resume these creatives, until
'usher rules release' hands them back.`,
		Example: "  usher rules undo rule-budgets-stop-20261121T0700Z --reason 'the report was wrong'",
		Args:    command.ExactArgs("RUN"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
				act := who.Act()
				stored := decisions.New(q, nil)
				e, skipped, err := stored.Interventions().Undo(ctx, args[0], act.Actor, act.Reason)
				if err != nil {
					return explainRunError(args[0], err)
				}
				report := undoReport{Run: &e, Left: skipped}
				if e.ID == "" {
					report.Run = nil
				}
				if asJSON {
					return terminal.WriteJSON(cmd.OutOrStdout(), report)
				}
				writeUndo(cmd, report)
				undone, err := stored.Evaluation(ctx, args[0])
				if n := undone.CountApprovable(); err == nil && undone.State == usher.EvaluationHeld {
					fmt.Fprintf(cmd.OutOrStdout(), "%s of run %s may still be approved: 'usher rules reject %s' drops them\n", readable.Count(int64(n), "held change"), args[0], args[0])
				}
				return err
			})
		},
	}
	who.AddFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the run as JSON")
	connect.AddQueueFlags(cmd)
	return cmd
}

func writeUndo(cmd *cobra.Command, report undoReport) {
	out := cmd.OutOrStdout()
	if report.Run == nil {
		fmt.Fprintln(out, "nothing to undo")
	} else {
		counts := report.Run.Counts
		var what []string
		if n := counts[usher.Pause] + counts[usher.Resume]; n > 0 {
			what = append(what, readable.Count(int64(n), "creative"))
		}
		if n := counts[usher.Decrease] + counts[usher.Increase]; n > 0 {
			what = append(what, readable.Count(int64(n), "change")+" of budgets or bids")
		}
		fmt.Fprintf(out, "run %s reverts %s\n", report.Run.ID, strings.Join(what, ", "))
		writeJobIDs(cmd, report.Run.Jobs)
	}
	for _, l := range report.Left {
		name := creativeName(l.Campaign, l.Creative)
		if l.Field != "" {
			name = "the " + l.Field.String() + " of " + l.Campaign
		}
		fmt.Fprintf(out, "skipped: %s %s\n", readable.Printable(name), readable.Printable(l.Why))
	}
}

func rulesRebuild() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rebuild",
		Short: "Rebuild rule memory from the audit",
		Long: `Rebuild rule memory from the audit of the last 400 days, and from the jobs that may
have changed a budget or bid without an audit, after the bucket usher_rules was lost.
The memory records which rule paused a creative or set a number, and when a rule last
changed it. Existing entries are kept. Workers may run meanwhile.`,
		Example: "  usher rules rebuild",
		Args:    command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
				n, err := decisions.New(q, nil).RebuildMemory(ctx)
				if err != nil {
					return err
				}
				fmt.Fprintf(cmd.OutOrStdout(), "rebuilt rule memory from the audit: %s creatives, budgets and bids\n", readable.Number(int64(n)))
				return nil
			})
		},
	}
	connect.AddQueueFlags(cmd)
	return cmd
}
