package heads_test

import (
	"errors"
	"slices"
	"testing"

	"usher/internal/ledger"
	"usher/queues/heads"
	"usher/queues/queuetest"
)

// A head is changed by compare-and-set. A damaged one is no missing one: it is an error, and
// doctor names it.
func TestHeads(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	h := heads.In(q.Store())
	target := ledger.Target{Advertiser: "SANDBOX1", Name: "segment/17"}
	if _, _, err := h.Head(t.Context(), target); !errors.Is(err, ledger.ErrNone) {
		t.Fatalf("a missing head: %v", err)
	}
	revision, err := h.SetHead(t.Context(), ledger.Head{V: 1, Target: target}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.SetHead(t.Context(), ledger.Head{V: 1, Target: target, Epoch: 1}, revision+1); !errors.Is(err, ledger.ErrConflict) {
		t.Errorf("another revision: %v", err)
	}
	if _, err := h.SetHead(t.Context(), ledger.Head{V: 1, Target: target, Epoch: 2}, revision); err != nil {
		t.Error(err)
	}
	const key = "ledger.SANDBOX1=20segment=2F17"
	if err := q.Store().Rules.Put(t.Context(), key, "no head"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := h.Head(t.Context(), target); !errors.As(err, new(*ledger.DamagedError)) {
		t.Errorf("a damaged head: %v", err)
	}
	if damaged, err := q.Damaged(t.Context()); err != nil || !slices.Contains(damaged, key) {
		t.Errorf("damaged are %v, %v", damaged, err)
	}
	if err := h.DropHead(t.Context(), target); err != nil {
		t.Fatal(err)
	}
	if _, err := h.SetHead(t.Context(), ledger.Head{V: 1, Target: target}, 0); err != nil {
		t.Errorf("after a drop: %v", err)
	}
}
