package decisions_test

import (
	"testing"
	"time"

	"usher"
	"usher/queues"
	"usher/queues/decisions"
	"usher/queues/lanes"
	"usher/queues/queuetest"
)

// A rebuilt memory has the claims of jobs that may have changed a number, once, and no claim
// of a job that is done.
func TestRebuildClaims(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	r := decisions.New(q, nil)
	at := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	slot := queuetest.NewSlot(t, q, lanes.Campaign)
	change := usher.BiddingChange{Field: usher.BudgetField, From: 100, To: 80, Currency: "USD"}
	claim := func(campaign string) (*queues.Lease, usher.Change, usher.Progress) {
		decision := decision(campaign, "", usher.Decrease)
		decision.Bidding, decision.Guard, decision.Wants = &change, "", ""
		decide(t, r, evaluation("tick-"+campaign, usher.EvaluationDone), decision)
		l := slot.Take(t)
		progress := usher.Progress{Bidding: &usher.BiddingIntent{Change: change, Rule: "budget", AsOf: at, Before: []byte("{}"), Sent: at.Add(time.Minute)}}
		work := l.Work()
		c := progress.Bidding.Claim(work.ID, &work.Job, progress.Bidding.Sent)
		if claimed, err := r.Claim(t.Context(), campaign, c, ""); err != nil || !claimed {
			t.Fatal(claimed, err)
		}
		if err := l.Save(progress); err != nil {
			t.Fatal(err)
		}
		return l, c, progress
	}
	done, _, progress := claim("A")
	if err := done.End(usher.Ending{State: usher.Done, Progress: progress}); err != nil {
		t.Fatal(err)
	}
	running, c, progress := claim("B")
	kv, err := b.JS.KeyValue(t.Context(), "usher_rules")
	if err != nil {
		t.Fatal(err)
	}
	for _, campaign := range []string{"A", "B"} {
		if err := kv.Purge(t.Context(), "memory."+campaign); err != nil {
			t.Fatal(err)
		}
	}
	rebuilt := func() map[string]map[string][]usher.Change {
		if _, err := r.RebuildMemory(t.Context()); err != nil {
			t.Fatal(err)
		}
		m, err := r.Memory(t.Context(), []string{"A", "B"})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	want := queuetest.JSON(t, map[string]map[string][]usher.Change{"B": {usher.BudgetField.MemoryKey(): {c}}})
	for range 2 {
		if got := queuetest.JSON(t, rebuilt()); got != want {
			t.Fatalf("rebuilt it is %s, not %s", got, want)
		}
	}
	// The change takes the place of its claim.
	a := usher.Audit{
		At: at.Add(time.Hour), Job: c.Job, Run: 1, Rule: c.Rule, Actor: "rules/budgets", Campaign: "B",
		Before: c.Before, Wanted: c.After, After: c.After, Evaluation: c.Evaluation, AsOf: at, Bidding: &change,
	}
	if err := running.Audit(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	if m := rebuilt()["B"][usher.BudgetField.MemoryKey()]; len(m) != 1 || m[0].Claimed || m[0].Rule != "budget" {
		t.Errorf("rebuilt with the audit it is %+v", m)
	}
	if err := running.End(usher.Ending{State: usher.Done, Progress: progress}); err != nil {
		t.Fatal(err)
	}
}
