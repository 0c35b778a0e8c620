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
	"usher/internal/readable"
	"usher/queues"
	"usher/queues/decisions"
)

func approve() *cobra.Command {
	var only []string
	return approval(func(i decisions.Interventions, ctx context.Context, id, by, reason string) (usher.Evaluation, error) {
		return i.Approve(ctx, id, by, reason, only)
	}, command.About{
		Use: "approve RUN", Short: "Approve a held run",
		Long: `Approve a run that is held because its rule asks for approval or because the run
exceeds a limit. The decisions that wait for this approval are then carried out, except
on creatives that were changed since the decision. The run records who approved it.

An approval does not carry out what another guard holds, such as keep_active or a
cooldown. These decisions are printed with the reason. With --only, the decisions on
other creatives are dropped.`,
		Example: "  usher rules approve rule-budgets-stop-20261121T0700Z --reason 'looked at the numbers'",
		Flags: func(cmd *cobra.Command) {
			cmd.Flags().StringSliceVar(&only, "only", nil, "approve only the decisions on this creative, or on CAMPAIGN/CREATIVE, and drop the others, repeatable")
		},
	})
}

func reject() *cobra.Command {
	return approval(decisions.Interventions.Reject, command.About{
		Use: "reject RUN", Short: "Reject a held run",
		Long: `Reject a run that waits for approval. Its held decisions are dropped. The next run of
the rule decides again.`,
		Example: "  usher rules reject rule-budgets-stop-20261121T0700Z --reason 'looked at the numbers'",
	})
}

// approvalReport is the output of `usher rules approve --json` and `usher rules reject --json`.
type approvalReport struct {
	usher.Evaluation
	// NotCarriedOut are the held decisions that the approval does not carry out, because their
	// guard is one that no approval lifts, or because the approval left them out.
	NotCarriedOut []usher.StoredDecision `json:"notCarriedOut,omitempty"`

	jobs []string // of the changes that needed the approval
}

// approval returns the command that applies decide to a held run.
func approval(decide func(i decisions.Interventions, ctx context.Context, id, by, reason string) (usher.Evaluation, error), about command.About) *cobra.Command {
	about.Args, about.JSON = command.ExactArgs("RUN"), "the run as JSON"
	return command.Act[*queues.Queue, *approvalReport]{
		About: about,
		On:    connect.Queue(),
		Do: func(ctx context.Context, c *command.Call, q *queues.Queue) (*approvalReport, error) {
			by, id, stored := c.By(), c.Args[0], decisions.New(q, nil)
			before, err := stored.Evaluation(ctx, id)
			if err != nil {
				return nil, explainRunError(id, err)
			}
			e, err := decide(stored.Interventions(), ctx, id, by.Actor, by.Reason)
			if err != nil {
				return nil, explainRunError(id, err)
			}
			report := &approvalReport{Evaluation: e}
			report.jobs = slices.DeleteFunc(slices.Clone(e.Jobs), func(job string) bool {
				return before.State == usher.EvaluationHeld && slices.Contains(before.Jobs, job)
			})
			report.NotCarriedOut, err = notCarriedOut(ctx, stored, &e)
			return report, err
		},
		Print: func(c *command.Call, r *approvalReport) error {
			fmt.Fprintf(c.Out(), "run %s is %s by %s\n", r.ID, r.State, readable.Printable(r.By))
			writeJobIDs(c.Out(), r.jobs)
			r.writeNotCarriedOut(c.Out())
			return nil
		},
	}.Command()
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
			fmt.Fprintf(w, "  not carried out: %s more, see 'usher rules runs show %s'\n", readable.Number(int64(len(r.NotCarriedOut)-i)), r.ID)
			return
		case d.Left:
			fmt.Fprintf(w, "  dropped: %s of %s\n", d.Wants, readable.Printable(d.Subject()))
		default:
			fmt.Fprintf(w, "  not carried out: %s of %s: %s\n", d.Wants, readable.Printable(d.Subject()), readable.Printable(d.Reason))
		}
	}
}

func writeJobIDs(w io.Writer, jobs []string) {
	for _, job := range jobs {
		fmt.Fprintf(w, "  job %s\n", job)
	}
}
