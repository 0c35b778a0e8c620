package decisions_test

import (
	"errors"
	"slices"
	"testing"

	"usher"
	"usher/queues/audit"
	"usher/queues/decisions"
	"usher/queues/queuetest"
)

// A pause has its reason, all workers see it, and the audit has it and its end.
func TestRulePauses(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	p := decisions.NewRulePauses(q)
	if err := p.Resume(t.Context(), "budgets", "stop", audit.Act{Actor: "bob"}); !errors.Is(err, decisions.ErrNotPaused) {
		t.Errorf("a rule that is not paused is resumed: %v", err)
	}
	if err := p.Pause(t.Context(), "budgets", "stop", audit.Act{Actor: "ann", Reason: "incident 12"}); err != nil {
		t.Fatal(err)
	}
	list, err := decisions.NewRulePauses(b.Queue(t)).List(t.Context()) // in another process
	if pause := list["budgets/stop"]; err != nil || len(list) != 1 || pause.By != "ann" || pause.Reason != "incident 12" || pause.At.IsZero() {
		t.Errorf("paused are %+v, %v", list, err)
	}
	if err := p.Pause(t.Context(), "budgets", "stop", audit.Act{Actor: "cid", Reason: "incident 13"}); err != nil {
		t.Fatal(err)
	}
	if err := p.Resume(t.Context(), "budgets", "stop", audit.Act{Actor: "bob", Reason: "it is over"}); err != nil {
		t.Fatal(err)
	}
	if list, err := p.List(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("paused are %+v, %v", list, err)
	}
	var entries []string
	err = q.Audit().Each(t.Context(), audit.Filter{Rule: "stop"}, func(a usher.Audit) error {
		entries = append(entries, a.Actor+": "+a.Before+" → "+a.After+", "+a.Reason)
		return nil
	})
	want := []string{
		"ann: rule budgets/stop running → rule budgets/stop paused, incident 12",
		"cid: rule budgets/stop paused by ann: incident 12 → rule budgets/stop paused, incident 13",
		"bob: rule budgets/stop paused → rule budgets/stop running, it is over",
	}
	if err != nil || !slices.Equal(entries, want) {
		t.Errorf("the audit has %q, want %q; %v", entries, want, err)
	}
}
