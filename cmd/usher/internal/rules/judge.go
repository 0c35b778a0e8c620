package rules

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues"
	"usher/queues/rulings"
)

func rulesApprove() *cobra.Command {
	return judgeCommand("approve", "Have done what a run holds for approval",
		`Has done what a run holds: because its rule asks, or because it went over a cap. A
creative that was changed since the run saw it is left alone. Who approved stands
in the run.`, (*rulings.Rulings).Approve)
}

func rulesReject() *cobra.Command {
	return judgeCommand("reject", "Have not done what a run holds for approval",
		`Ends a run that waits for approval: what it holds is not done. The rule's next run
decides anew.`, (*rulings.Rulings).Reject)
}

// judgeCommand approves or rejects a run.
func judgeCommand(word, short, long string, judge func(*rulings.Rulings, context.Context, string, string, string) (usher.Evaluation, error)) *cobra.Command {
	var reason, actor string
	var asJSON bool
	cmd := &cobra.Command{
		Use: word + " RUN", Short: short, Long: long,
		Example: fmt.Sprintf("  usher rules %s rule-budgets-stop-20261121T0700Z --reason 'looked at the numbers'", word),
		Args:    command.ExactArgs("RUN"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
				e, err := judge(rulings.New(q, nil), ctx, args[0], command.ActorName(actor), reason)
				if err != nil {
					return unknownRun(args[0], err)
				}
				if asJSON {
					return terminal.WriteJSON(cmd.OutOrStdout(), e)
				}
				fmt.Fprintf(cmd.OutOrStdout(), "run %s is %s by %s\n", e.ID, e.State, readable.Printable(e.By))
				writeJobIDs(cmd, e.Jobs)
				return nil
			})
		},
	}
	addJudgeFlags(cmd, &reason, &actor, &asJSON)
	return cmd
}

func addJudgeFlags(cmd *cobra.Command, reason, actor *string, asJSON *bool) {
	cmd.Flags().StringVar(reason, "reason", "", "why, for those who read it later")
	cmd.Flags().StringVar(actor, "actor", "", "who wants it, for the audit (default: the user of this system)")
	cmd.Flags().BoolVar(asJSON, "json", false, "print the run as JSON")
	connect.AddQueueFlags(cmd)
}

func writeJobIDs(cmd *cobra.Command, jobs []string) {
	for _, job := range jobs {
		fmt.Fprintf(cmd.OutOrStdout(), "  job %s\n", job)
	}
}

// undoReport is what an undo did.
type undoReport struct {
	Run  *usher.Evaluation `json:"run"` // that takes it back; null where there was nothing
	Left []rulings.Left    `json:"left"`
}

func rulesUndo() *cobra.Command {
	var reason, actor string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "undo RUN",
		Short: "Take back what a run changed, where nobody touched it since",
		Long: `Takes back what a run of rules changed: what it paused is resumed, what it resumed
is paused, by jobs like any other, audited as yours. A creative that somebody has
touched since is left alone; that is looked at once more under the lock. A rule
does not resume what an undo paused; it may pause again what an undo resumed,
after its cooldown: 'usher rules stop' first, if it is the rule that is wrong.`,
		Example: "  usher rules undo rule-budgets-stop-20261121T0700Z --reason 'the report was wrong'",
		Args:    command.ExactArgs("RUN"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
				e, left, err := rulings.New(q, nil).Undo(ctx, args[0], command.ActorName(actor), reason)
				if err != nil {
					return unknownRun(args[0], err)
				}
				report := undoReport{Run: &e, Left: left}
				if e.ID == "" {
					report.Run = nil
				}
				if asJSON {
					return terminal.WriteJSON(cmd.OutOrStdout(), report)
				}
				return writeUndo(cmd, report)
			})
		},
	}
	addJudgeFlags(cmd, &reason, &actor, &asJSON)
	return cmd
}

func writeUndo(cmd *cobra.Command, report undoReport) error {
	out := cmd.OutOrStdout()
	if report.Run == nil {
		fmt.Fprintln(out, "nothing of it is there to be taken back")
	} else {
		n := int64(report.Run.Counts[usher.Pause] + report.Run.Counts[usher.Resume])
		fmt.Fprintf(out, "run %s takes back %s\n", report.Run.ID, readable.Count(n, "creative"))
		writeJobIDs(cmd, report.Run.Jobs)
	}
	for _, l := range report.Left {
		fmt.Fprintf(out, "left alone: %s, %s\n", readable.Printable(named(l.Campaign, l.Creative)), readable.Printable(l.Why))
	}
	return nil
}

func rulesRebuild() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rebuild",
		Short: "Make what rules remember anew from the audit",
		Long: `Makes what rules remember of creatives (which rule paused which, when a rule
touched one last) anew from the audit of 400 days, beside what they remember
still: after the bucket usher_rules was lost. It may run while workers do.`,
		Example: "  usher rules rebuild",
		Args:    command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
				n, err := rulings.New(q, nil).RebuildMemory(ctx)
				if err != nil {
					return err
				}
				fmt.Fprintf(cmd.OutOrStdout(), "the audit has changes by rules of %s\n", readable.Count(int64(n), "creative"))
				return nil
			})
		},
	}
	connect.AddQueueFlags(cmd)
	return cmd
}
