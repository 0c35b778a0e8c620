package heads_test

import (
	"context"
	"errors"
	"slices"
	"strings"
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
	_, revision, _ = h.Head(t.Context(), target)
	if err := h.DropHead(t.Context(), target, revision-1); !errors.Is(err, ledger.ErrConflict) {
		t.Errorf("drop of a head that was changed: %v", err)
	}
	if err := h.DropHead(t.Context(), target, revision); err != nil {
		t.Fatal(err)
	}
	if _, err := h.SetHead(t.Context(), ledger.Head{V: 1, Target: target}, 0); err != nil {
		t.Errorf("after a drop: %v", err)
	}
}

// The head of a ledger or of the suppression list that has another form, as another version may
// have written it, is damaged. It is never read as if there were none.
func TestHeadsOfAnotherForm(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	b := queuetest.New(t)
	h := heads.In(b.Queue(t).Store())
	target := ledger.Target{Advertiser: "SANDBOX1", Name: "segment/17"}
	if _, err := h.SetHead(ctx, ledger.Head{V: 1, Target: target, Generation: 1, Manifest: ledger.File{Name: "manifest-1"}, Job: "crm-1"}, 0); err != nil {
		t.Fatal(err)
	}
	if err := h.SetSuppression(ctx, ledger.SuppressionHead{V: 1, Generation: 1}, 0); err != nil {
		t.Fatal(err)
	}
	kv, err := b.JS.KeyValue(ctx, "usher_rules")
	if err != nil {
		t.Fatal(err)
	}
	keys, err := kv.Keys(ctx)
	if err != nil || len(keys) != 2 {
		t.Fatal(keys, err)
	}
	read := map[string]func(context.Context) error{
		"ledger.":      func(ctx context.Context) error { _, _, err := h.Head(ctx, target); return err },
		"suppression.": func(ctx context.Context) error { _, _, err := h.Suppression(ctx); return err },
	}
	for _, key := range keys {
		kept, err := kv.Get(ctx, key)
		if err != nil {
			t.Fatal(err)
		}
		prefix := key[:strings.Index(key, ".")+1]
		if err := read[prefix](ctx); err != nil {
			t.Errorf("%s as it was written: %v", key, err)
		}
		for _, form := range []string{strings.Replace(string(kept.Value()), `"v":1`, `"v":2`, 1), `{}`, `{"generation":1}`, `{"v":1,"generation":-1,"files":[{}]}`, "null", ""} {
			if _, err := kv.PutString(ctx, key, form); err != nil {
				t.Fatal(err)
			}
			var damaged *ledger.DamagedError
			if err := read[prefix](ctx); !errors.As(err, &damaged) {
				t.Errorf("%s is %s: %v, want a DamagedError", key, form, err)
			}
		}
	}
}
