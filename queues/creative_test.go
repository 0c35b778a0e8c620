package queues_test

import (
	"slices"
	"testing"

	"usher"
	"usher/queues/audit"
	"usher/queues/lanes"
	"usher/queues/queuetest"
)

// A job that found a creative unchanged, and finds its own change in a later reading, has both
// in the audit, each of them once.
func TestChangeAfterCreativeWasLeft(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Campaign)
	publishPause(t, b, 1, 1)
	lease := lane.Take(t)
	for _, after := range []string{"ACTIVE", "ACTIVE", "INACTIVE", "INACTIVE"} {
		a := usher.Audit{At: q.Now(), Job: "pause-1-1", Run: 1, Campaign: "c1", Creative: "x", Before: "ACTIVE", Wanted: "INACTIVE", After: after}
		if err := lease.Audit(t.Context(), a); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	err := q.Audit().Each(t.Context(), audit.Filter{Job: "pause-1-1"}, func(a usher.Audit) error { got = append(got, a.After); return nil })
	slices.Sort(got)
	if want := []string{"ACTIVE", "INACTIVE"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("the audit has changes to %v, %v; want %v", got, err, want)
	}
}
