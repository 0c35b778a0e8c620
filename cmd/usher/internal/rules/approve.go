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
	var only []string
	cmd := approvalCommand("approve", "Approve a held run",
		`Approve a run that is held because its rule asks for approval or because the run
exceeds a limit. Its held decisions are then carried out, except on creatives that
were changed since the decision. The run records who approved it. With --only, the
held decisions on other creatives are dropped.`, func(i rulings.Interventions, ctx context.Context, id, by, reason string) (usher.Evaluation, error) {
			return i.ApprovePart(ctx, id, by, reason, only)
		})
	cmd.Flags().StringSliceVar(&only, "only", nil, "approve only the decisions on this creative, or on CAMPAIGN/CREATIVE, repeatable")
	return cmd
}

func rulesReject() *cobra.Command {
	return approvalCommand("reject", "Reject a held run",
		`Reject a run that waits for approval. Its held decisions are dropped. The next run of
the rule decides again.`, rulings.Interventions.Reject)
}

// approvalCommand returns the command that applies decide to a held run.
func approvalCommand(name, short, long string, decide func(rulings.Interventions, context.Context, string, string, string) (usher.Evaluation, error)) *cobra.Command {
	var who command.Actor
	var asJSON bool
	cmd := &cobra.Command{
		Use: name + " RUN", Short: short, Long: long,
		Example: fmt.Sprintf("  usher rules %s rule-budgets-stop-20261121T0700Z --reason 'looked at the numbers'", name),
		Args:    command.ExactArgs("RUN"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
				act := who.Act()
				e, err := decide(rulings.New(q, nil).Interventions(), ctx, args[0], act.Actor, act.Reason)
				if err != nil {
					return explainRunError(args[0], err)
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
	who.AddFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the run as JSON")
	connect.AddQueueFlags(cmd)
	return cmd
}

func writeJobIDs(cmd *cobra.Command, jobs []string) {
	for _, job := range jobs {
		fmt.Fprintf(cmd.OutOrStdout(), "  job %s\n", job)
	}
}
