package rules

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues"
	"usher/queues/decisions"
)

func rulesApprove() *cobra.Command {
	var only []string
	cmd := approvalCommand("approve", "Approve a held run",
		`Approve a run that is held because its rule asks for approval or because the run
exceeds a limit. The decisions that wait for this approval are then carried out, except
on creatives that were changed since the decision. The run records who approved it.

An approval does not carry out what another guard holds, such as keep_active or a
cooldown. These decisions are printed with the reason. With --only, the decisions on
other creatives are dropped.`, func(i decisions.Interventions, ctx context.Context, id, by, reason string) (usher.Evaluation, error) {
			return i.ApprovePart(ctx, id, by, reason, only)
		})
	cmd.Flags().StringSliceVar(&only, "only", nil, "approve only the decisions on this creative, or on CAMPAIGN/CREATIVE, and drop the others, repeatable")
	return cmd
}

func rulesReject() *cobra.Command {
	return approvalCommand("reject", "Reject a held run",
		`Reject a run that waits for approval. Its held decisions are dropped. The next run of
the rule decides again.`, decisions.Interventions.Reject)
}

// approvalReport is the output of `usher rules approve --json` and `usher rules reject --json`.
type approvalReport struct {
	usher.Evaluation
	// NotCarriedOut are the held decisions that the approval does not carry out, because their
	// guard is one that no approval lifts, or because the approval left them out.
	NotCarriedOut []usher.StoredDecision `json:"notCarriedOut,omitempty"`
}

// approvalCommand returns the command that applies decide to a held run.
func approvalCommand(name, short, long string, decide func(decisions.Interventions, context.Context, string, string, string) (usher.Evaluation, error)) *cobra.Command {
	var who command.Actor
	var asJSON bool
	cmd := &cobra.Command{
		Use: name + " RUN", Short: short, Long: long,
		Example: fmt.Sprintf("  usher rules %s rule-budgets-stop-20261121T0700Z --reason 'looked at the numbers'", name),
		Args:    command.ExactArgs("RUN"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
				act, stored := who.Act(), decisions.New(q, nil)
				before, err := stored.Evaluation(ctx, args[0])
				if err != nil {
					return explainRunError(args[0], err)
				}
				e, err := decide(stored.Interventions(), ctx, args[0], act.Actor, act.Reason)
				if err != nil {
					return explainRunError(args[0], err)
				}
				report := approvalReport{Evaluation: e}
				if report.NotCarriedOut, err = notCarriedOut(ctx, stored, &e); err != nil {
					return err
				}
				if asJSON {
					return terminal.WriteJSON(cmd.OutOrStdout(), report)
				}
				fmt.Fprintf(cmd.OutOrStdout(), "run %s is %s by %s\n", e.ID, e.State, readable.Printable(e.By))
				writeJobIDs(cmd, slices.DeleteFunc(e.Jobs, func(job string) bool { // those of changes that needed no approval
					return before.State == usher.EvaluationHeld && slices.Contains(before.Jobs, job)
				}))
				report.writeNotCarriedOut(cmd.OutOrStdout())
				return nil
			})
		},
	}
	who.AddFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the run as JSON")
	connect.AddQueueFlags(cmd)
	return cmd
}

// notCarriedOut returns the held decisions that the approval of an evaluation does not carry
// out. Of a rejected evaluation, which carries out none, it returns nil.
func notCarriedOut(ctx context.Context, stored *decisions.Store, e *usher.Evaluation) ([]usher.StoredDecision, error) {
	if e.State != usher.EvaluationApproved {
		return nil, nil
	}
	decisions, err := stored.Decisions(ctx, e.ID)
	if err != nil {
		return nil, fmt.Errorf("run %s is approved, but its decisions cannot be read: %w", e.ID, err)
	}
	return slices.DeleteFunc(decisions, func(d usher.StoredDecision) bool { return d.Action != usher.Held || d.JobKind(true) != "" }), nil
}

// maxNotCarriedOut is the number of decisions that an approval prints at most.
const maxNotCarriedOut = 50

func (r *approvalReport) writeNotCarriedOut(w io.Writer) {
	for i := range r.NotCarriedOut {
		d := &r.NotCarriedOut[i]
		switch {
		case i == maxNotCarriedOut:
			fmt.Fprintf(w, "  not carried out: %s more, see 'usher rules run %s'\n", readable.Number(int64(len(r.NotCarriedOut)-i)), r.ID)
			return
		case d.Left:
			fmt.Fprintf(w, "  dropped: %s of %s\n", d.Wants, readable.Printable(d.Subject()))
		default:
			fmt.Fprintf(w, "  not carried out: %s of %s: %s\n", d.Wants, readable.Printable(d.Subject()), readable.Printable(d.Reason))
		}
	}
}

func writeJobIDs(cmd *cobra.Command, jobs []string) {
	for _, job := range jobs {
		fmt.Fprintf(cmd.OutOrStdout(), "  job %s\n", job)
	}
}
