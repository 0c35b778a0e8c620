package decisions_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/queues/audit"
	"usher/queues/decisions"
	"usher/queues/queuetest"
)

// keptActive returns a decision that keep_active holds. No approval carries it out.
func keptActive(campaign, creative string) usher.StoredDecision {
	d := decision(campaign, creative, usher.Held)
	d.Guard, d.Reason = usher.GuardKeepActive, "would pause, but keep_active is 1: ctr < 0.0005"
	return d
}

// What keep_active holds waits for no approval: an approval in part that names it is refused
// with the reason and changes nothing, and it is not among the decisions that were left out.
func TestApprovalCannotCarryOut(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	r := decisions.New(b.Queue(t), b.Options.Metrics)
	decide(t, r, evaluation("careful", usher.EvaluationHeld), decision("A", "a-1", usher.Held), decision("A", "a-2", usher.Held), keptActive("B", "b-1"))
	for _, only := range [][]string{{"b-1"}, {"B/b-1"}, {"a-1", "b-1"}} {
		_, err := r.Interventions().Approve(t.Context(), "careful", "ann", "", only)
		if !errors.Is(err, decisions.ErrNotApprovable) || !strings.Contains(err.Error(), "would pause, but keep_active is 1: ctr < 0.0005") {
			t.Errorf("an approval of %v: %v", only, err)
		}
	}
	if e, err := r.Evaluation(t.Context(), "careful"); err != nil || e.State != usher.EvaluationHeld {
		t.Fatalf("after refused approvals it is %+v, %v", e, err)
	}
	e, err := r.Interventions().Approve(t.Context(), "careful", "ann", "", []string{"a-1"})
	if err != nil || queuetest.JSON(t, e.LeftOut) != `["A/a-2"]` || queuetest.JSON(t, e.Jobs) != `["careful.A.pause"]` {
		t.Errorf("approved in part it is %+v, %v", e, err)
	}
}

// The story of a creative says that its decision was left out of the approval. It names no job.
func TestStoryOfDroppedDecision(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	r := decisions.New(b.Queue(t), b.Options.Metrics)
	// The decisions on one campaign are kept in the run, those on several beside it.
	decide(t, r, evaluation("one", usher.EvaluationHeld), decision("A", "a-1", usher.Held), decision("A", "a-2", usher.Held))
	decide(t, r, evaluation("two", usher.EvaluationHeld), decision("A", "a-1", usher.Held), decision("A", "a-2", usher.Held), keptActive("B", "b-1"))
	for _, run := range []string{"one", "two"} {
		if _, err := r.Interventions().Approve(t.Context(), run, "ann", "", []string{"a-1"}); err != nil {
			t.Fatal(err)
		}
	}
	for creative, outcomes := range map[string][]string{
		"a-1": {"job one.A.pause", "job two.A.pause"},
		"a-2": {"dropped: the approval left it out", "dropped: the approval left it out"},
		"b-1": {""},
	} {
		s, err := r.Story(t.Context(), creative)
		if err != nil || len(s.Pages) != len(outcomes) {
			t.Fatalf("%s: %s, %v", creative, queuetest.JSON(t, s), err)
		}
		for i, p := range s.Pages {
			if !strings.HasPrefix(p.Outcome, outcomes[i]) || outcomes[i] == "" && p.Outcome != "" || p.Decision.Left != (creative == "a-2") {
				t.Errorf("%s: %s", creative, queuetest.JSON(t, p))
			}
		}
	}
}

// The story of a creative says who approved a change, and that no rule changes the creative after
// an undo until somebody releases it. A released creative cannot be undone again.
func TestStoryOfApprovalAndUndo(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	r := decisions.New(q, b.Options.Metrics)
	asks := decision("A", "a-1", usher.Held)
	asks.Guard, asks.Reason = usher.GuardApproval, "would pause, and waits for approval: ctr < 0.0005"
	decide(t, r, evaluation("careful", usher.EvaluationHeld), asks, keptActive("A", "a-2"))
	if _, err := r.Interventions().Approve(t.Context(), "careful", "ann", "looked", nil); err != nil {
		t.Fatal(err)
	}
	at := time.Now().UTC().Add(-time.Hour)
	remember(t, b, q, did("careful", "a-1", "INACTIVE", at))
	s, err := r.Story(t.Context(), "a-1")
	if err != nil || len(s.Pages) != 1 || queuetest.JSON(t, s.Pages[0].Approval) != `{"by":"ann","reason":"looked","wanted":"ctr \u003c 0.0005"}` || s.Kept != nil {
		t.Fatalf("approved: %s, %v", queuetest.JSON(t, s), err)
	}
	undo, _, err := r.Interventions().Undo(t.Context(), "careful", "bob", "they are new")
	if err != nil {
		t.Fatal(err)
	}
	back := did(undo.ID, "a-1", "ACTIVE", at.Add(time.Minute))
	back.Actor, back.Rule = "bob", ""
	remember(t, b, q, back)
	s, err = r.Story(t.Context(), "a-1")
	if err != nil || s.Kept == nil || s.Kept.String() != "kept by bob until released: undo of careful: they are new" || s.Pages[1].Approval != nil {
		t.Errorf("undone: %s, %v", queuetest.JSON(t, s), err)
	}
	if _, err := r.Interventions().Release(t.Context(), "a-1", audit.Act{Actor: "ann"}); err != nil {
		t.Fatal(err)
	}
	_, left, err := r.Interventions().Undo(t.Context(), "careful", "bob", "")
	if err != nil || queuetest.JSON(t, left) != `[{"campaign":"A","creative":"a-1","why":"was changed later by run `+undo.ID+`"}]` {
		t.Errorf("released: %s, %v", queuetest.JSON(t, left), err)
	}
	if s, err := r.Story(t.Context(), "a-1"); err != nil || s.Kept != nil {
		t.Errorf("released: %s, %v", queuetest.JSON(t, s), err)
	}
}
