package rules

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/review"
	"usher/internal/readable"
	"usher/queues"
	"usher/queues/decisions"
)

func approve() *cobra.Command {
	var only []string
	return command.Act[*queues.Queue, *approvalReport]{
		About: command.About{
			Use: "approve RUN", Short: "Approve a held run",
			Long: `Approve a run that is held because its rule asks for approval or because the run
exceeds a limit. The run records who approved it.

What waits is decided again first: as of the same time, by the report as it is now, and with
all other rules of the account, as in a run. What the rule no longer wants is left out, with
the warning no_longer, and so is a change of a number that was changed since, with the
warning changed_meanwhile. What cannot be decided now stays held, and so does what a paused rule
has decided. The decisions on creatives that were changed since are not carried out, and a run
whose rule file was changed or is gone cannot be approved. The command shows what was spent in
the last 7 days on what would change, and asks; without an answer, such as without a terminal,
nothing is approved unless it has --yes. It needs the login of the platform.

An approval does not carry out what another guard holds, such as keep_active or a
cooldown. These decisions are printed with the reason. With --only, all other decisions
are dropped.`,
			Example: `  usher rules approve rule-budgets-stop-20261121T0700Z --reason 'looked at the numbers'
  usher rules approve rule-budgets-stop-20261121T0700Z --yes --reason 'looked at the numbers'
  usher rules approve rule-budgets-stop-20261121T0700Z --dry-run`,
			Flags: func(cmd *cobra.Command) {
				cmd.Flags().StringSliceVar(&only, "only", nil, "approve only the decisions on this creative, CAMPAIGN/CREATIVE, CAMPAIGN/budget or CAMPAIGN/bid, and drop the others, repeatable")
			},
			Args: command.ExactArgs("RUN"), JSON: "the run as JSON",
		},
		On: connect.Queue("platform", "username").Completing(connect.Complete(runNames)),
		Plan: func(ctx context.Context, c *command.Call, q *queues.Queue) (command.Plan[*approvalReport], error) {
			return planApproval(ctx, c, q, only)
		},
		Verb: "approve", Done: "approved",
		Print: printApproval,
	}.Command()
}

// planApproval decides again on what a run holds.
func planApproval(ctx context.Context, c *command.Call, q *queues.Queue, only []string) (plan command.Plan[*approvalReport], err error) {
	by, id, stored := c.By(), c.Args[0], decisions.New(q, nil)
	e, err := stored.Evaluation(ctx, id)
	if err != nil {
		return plan, explainRunError(id, err)
	}
	i := stored.Interventions()
	switch e.State {
	case usher.EvaluationHeld:
	case usher.EvaluationApproved: // approving again publishes what a crash has kept from it
		plan.Show = func(out io.Writer) error {
			_, err := fmt.Fprintf(out, "run %s is approved already\n", id)
			return err
		}
	default:
		return plan, fmt.Errorf("run %s is %s: %w", id, e.State, decisions.ErrNotHeld)
	}
	if e.State == usher.EvaluationHeld {
		all, err := stored.Decisions(ctx, id)
		if err != nil {
			return plan, err
		}
		held := decisions.Waiting(&e, all)
		now, err := reviewHeld(ctx, c, q, &e, held)
		if err != nil {
			return plan, fmt.Errorf("approve run %s: %w", id, err)
		}
		i.Again = func(context.Context, usher.Evaluation, []usher.StoredDecision) (map[string]usher.Decision, error) {
			return now.Decisions, nil
		}
		plan.Show = func(out io.Writer) error { return writeReview(out, held, now) }
		plan.Question = fmt.Sprintf("Approve run %s?", id)
	}
	plan.Do = func(ctx context.Context) (*approvalReport, error) {
		return conclude(ctx, c, stored, func() (usher.Evaluation, error) { return i.Approve(ctx, id, by.Actor, by.Reason, only) })
	}
	return plan, nil
}

// announceTime is the time within which workers announce a file that is new or has changed.
const announceTime = 15 * time.Second

// reviewHeld decides again on what a run holds. The rules of a run that was decided a moment ago may
// not be announced yet, so that they look gone or changed.
func reviewHeld(ctx context.Context, c *command.Call, q *queues.Queue, e *usher.Evaluation, held []usher.StoredDecision) (*review.Approval, error) {
	for {
		reviewer, err := review.Open(ctx, c.Cmd, q)
		if err != nil {
			return nil, err
		}
		now, err := reviewer.Approval(ctx, e, held)
		if !errors.Is(err, decisions.ErrOutdated) || q.Now().Sub(e.At) > announceTime || usher.Sleep(ctx, time.Second) != nil {
			return now, err
		}
	}
}

// writeReview says what waits for approval, what of it is no longer wanted, and how much was spent of late on
// what the decisions are about.
func writeReview(w io.Writer, held []usher.StoredDecision, now *review.Approval) error {
	wanted := map[usher.Action]int{}
	var others []string
	for i := range held {
		d := &held[i]
		switch is, why := decisions.Compare(d, now.Decisions); is {
		case decisions.Gone:
			others = append(others, fmt.Sprintf("no longer wanted: %s of %s: %s", d.Wants, d.Subject(), why))
		case decisions.Changed:
			others = append(others, fmt.Sprintf("out of date: %s of %s: %s", d.Wants, d.Subject(), why))
		case decisions.Undecided:
			others = append(others, fmt.Sprintf("stays held: %s of %s: %s", d.Wants, d.Subject(), why))
		default:
			wanted[d.Wants]++
		}
	}
	var parts []string
	for _, action := range usher.Actions() {
		if n := wanted[action]; n > 0 {
			parts = append(parts, readable.Count(n, string(action)))
		}
	}
	if len(parts) == 0 {
		parts = []string{"nothing"}
	}
	_, err := fmt.Fprintf(w, "still wanted: %s\nspent on what waits, %s to %s: %s\n", strings.Join(parts, ", "), now.Stake.From, now.Stake.To, stakeText(now))
	for i, line := range others {
		if i == maxNotCarriedOut {
			fmt.Fprintf(w, "%s more\n", readable.Number(int64(len(others)-i)))
			break
		}
		fmt.Fprintln(w, readable.Printable(line))
	}
	if err != nil {
		return fmt.Errorf("print what waits for approval: %w", err)
	}
	return nil
}

// stakeText says what was spent, and on how many days the report has all of it.
func stakeText(now *review.Approval) string {
	s := &now.Stake
	switch {
	case s.Known == s.Of:
		return amountsText(s.Gross)
	case len(s.Gross) == 0:
		return fmt.Sprintf("unknown, the report has all of it on %d of %d days", s.Known, s.Of)
	}
	return fmt.Sprintf("at least %s, the report has all of it on %d of %d days", amountsText(s.Gross), s.Known, s.Of)
}

// amountsText formats amounts by currency.
func amountsText(gross map[string]float64) string {
	var parts []string
	for _, currency := range slices.Sorted(maps.Keys(gross)) {
		parts = append(parts, strings.TrimSpace(formatMoney(gross[currency])+" "+readable.Printable(currency)))
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

func reject() *cobra.Command {
	return command.Act[*queues.Queue, *approvalReport]{
		About: command.About{
			Use: "reject RUN", Short: "Reject a held run",
			Long: `Reject a run that waits for approval. Its held decisions are dropped. The next run of
the rule decides again.`,
			Example: "  usher rules reject rule-budgets-stop-20261121T0700Z --reason 'looked at the numbers'",
			Args:    command.ExactArgs("RUN"), JSON: "the run as JSON",
		},
		On: connect.Queue().Completing(connect.Complete(runNames)),
		Do: func(ctx context.Context, c *command.Call, q *queues.Queue) (*approvalReport, error) {
			stored := decisions.New(q, nil)
			return conclude(ctx, c, stored, func() (usher.Evaluation, error) {
				return stored.Interventions().Reject(ctx, c.Args[0], c.By().Actor, c.By().Reason)
			})
		},
		Print: printApproval,
	}.Command()
}

// approvalReport is the output of `usher rules approve --json` and `usher rules reject --json`.
type approvalReport struct {
	usher.Evaluation
	// NotCarriedOut are the held decisions that the approval does not carry out, because their
	// guard is one that no approval lifts, or because the approval left them out.
	NotCarriedOut []usher.StoredDecision `json:"notCarriedOut,omitempty"`

	jobs []string // of the changes that needed the approval
}

// conclude ends that a run is held by act.
func conclude(ctx context.Context, c *command.Call, stored *decisions.Store, act func() (usher.Evaluation, error)) (*approvalReport, error) {
	id := c.Args[0]
	before, err := stored.Evaluation(ctx, id)
	if err != nil {
		return nil, explainRunError(id, err)
	}
	e, err := act()
	if err != nil {
		return nil, explainRunError(id, err)
	}
	report := &approvalReport{Evaluation: e}
	report.jobs = slices.DeleteFunc(slices.Clone(e.Jobs), func(job string) bool {
		return before.State == usher.EvaluationHeld && slices.Contains(before.Jobs, job)
	})
	report.NotCarriedOut, err = notCarriedOut(ctx, stored, &e)
	return report, err
}

func printApproval(c *command.Call, r *approvalReport) error {
	state := string(r.State)
	if r.State == usher.EvaluationHeld {
		state = "approved in part"
	}
	fmt.Fprintf(c.Out(), "run %s is %s by %s\n", r.ID, state, readable.Printable(r.By))
	writeJobIDs(c.Out(), r.jobs)
	r.writeNotCarriedOut(c.Out())
	return nil
}

// notCarriedOut returns the held decisions that the approval of an evaluation does not carry
// out. Of a rejected evaluation, which carries out none, it returns nil.
func notCarriedOut(ctx context.Context, stored *decisions.Store, e *usher.Evaluation) ([]usher.StoredDecision, error) {
	if e.State == usher.EvaluationRejected {
		return nil, nil
	}
	decisions, err := stored.Decisions(ctx, e.ID)
	if err != nil {
		return nil, fmt.Errorf("run %s is approved, but its decisions cannot be read: %w", e.ID, err)
	}
	return slices.DeleteFunc(decisions, func(d usher.StoredDecision) bool { return d.Action != usher.Held || e.ApprovalOf(&d) > 0 }), nil
}

// maxNotCarriedOut is the number of decisions that an approval prints at most.
const maxNotCarriedOut = 50

func (r *approvalReport) writeNotCarriedOut(w io.Writer) {
	lines := 0
	for i := range r.NotCarriedOut {
		d := &r.NotCarriedOut[i]
		if slices.ContainsFunc(r.NotCarriedOut[:i], func(before usher.StoredDecision) bool { return r.areOne(d, &before) }) {
			continue // it is in the line of the first one
		}
		if lines++; lines > maxNotCarriedOut {
			fmt.Fprintf(w, "  not carried out: %s more, see 'usher rules runs show %s'\n", readable.Number(int64(len(r.NotCarriedOut)-i)), r.ID)
			return
		}
		fmt.Fprintf(w, "  %s\n", readable.Printable(r.notCarriedOutText(d)))
	}
}

// areOne reports whether two decisions that were not carried out share a line: those that a rule of
// level account made on several campaigns together.
func (r *approvalReport) areOne(a, b *usher.StoredDecision) bool {
	return a.IsOneWith(&b.Decision) && a.Left == b.Left && (r.warned(a) == "") == (r.warned(b) == "")
}

// notCarriedOutText says why a decision, or all that are one with it, was not carried out.
func (r *approvalReport) notCarriedOutText(d *usher.StoredDecision) string {
	subject, reason := d.Subject(), d.Reason
	var parts []usher.Decision
	for i := range r.NotCarriedOut {
		if other := &r.NotCarriedOut[i]; r.areOne(d, other) {
			parts = append(parts, other.Decision)
		}
	}
	if len(parts) > 1 {
		subject, reason = partsName(parts), togetherReason(&d.Decision)+"; "+partsText(parts)
	}
	what := fmt.Sprintf("%s of %s", d.Wants, subject)
	switch warned := r.warned(d); {
	case warned != "":
		return "not carried out: " + what + strings.TrimPrefix(warned, fmt.Sprintf("%s of %s", d.Wants, d.Subject()))
	case d.Left:
		return "dropped: " + what
	}
	return "not carried out: " + what + ": " + reason
}

// warned returns what the run says about a decision that was not carried out, or "".
func (r *approvalReport) warned(d *usher.StoredDecision) string {
	for i := range r.Warnings {
		if text := r.Warnings[i].Description; strings.HasPrefix(text, fmt.Sprintf("%s of %s ", d.Wants, d.Subject())) {
			return text
		}
	}
	return ""
}

func writeJobIDs(w io.Writer, jobs []string) {
	for _, job := range jobs {
		fmt.Fprintf(w, "  job %s\n", job)
	}
}
