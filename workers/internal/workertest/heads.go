package workertest

import (
	"context"
	"sync"

	"usher/internal/ledger"
)

// Heads keeps the heads of ledgers in memory.
type Heads struct {
	mu                  sync.Mutex
	suppression         ledger.SuppressionHead
	suppressionRevision uint64

	heads     map[string]ledger.Head
	revisions map[string]uint64
}

// crashingHeads are the heads of a worker that crashes.
type crashingHeads struct {
	*Heads
	crash *Crash
}

func (h *crashingHeads) Head(ctx context.Context, t ledger.Target) (head ledger.Head, revision uint64, err error) {
	err = h.crash.step("Head", func() error { head, revision, err = h.Heads.Head(ctx, t); return err })
	return head, revision, err
}

func (h *crashingHeads) SetHead(ctx context.Context, head ledger.Head, revision uint64) (next uint64, err error) {
	err = h.crash.step("SetHead", func() error { next, err = h.Heads.SetHead(ctx, head, revision); return err })
	return next, err
}

func (h *crashingHeads) Suppression(ctx context.Context) (head ledger.SuppressionHead, revision uint64, err error) {
	err = h.crash.step("Suppression", func() error { head, revision, err = h.Heads.Suppression(ctx); return err })
	return head, revision, err
}

func (h *crashingHeads) SetSuppression(ctx context.Context, head ledger.SuppressionHead, revision uint64) error {
	return h.crash.step("SetSuppression", func() error { return h.Heads.SetSuppression(ctx, head, revision) })
}

// Head implements ledger.Heads.
func (h *Heads) Head(_ context.Context, t ledger.Target) (ledger.Head, uint64, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	head, found := h.heads[t.Key()]
	if !found {
		return head, 0, ledger.ErrNone
	}
	return head, h.revisions[t.Key()], nil
}

// SetHead implements ledger.Heads.
func (h *Heads) SetHead(_ context.Context, head ledger.Head, revision uint64) (uint64, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.heads == nil {
		h.heads, h.revisions = map[string]ledger.Head{}, map[string]uint64{}
	}
	if _, found := h.heads[head.Key()]; revision != h.revisions[head.Key()] && (found || revision != 0) {
		return 0, ledger.ErrConflict
	}
	h.revisions[head.Key()]++
	h.heads[head.Key()] = head
	return h.revisions[head.Key()], nil
}

// DropHead implements ledger.Heads.
func (h *Heads) DropHead(_ context.Context, t ledger.Target, revision uint64) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.revisions[t.Key()] != revision {
		return ledger.ErrConflict
	}
	delete(h.heads, t.Key())
	return nil
}

// EachHead implements ledger.Heads.
func (h *Heads) EachHead(_ context.Context, visit func(ledger.Head, string)) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, head := range h.heads {
		visit(head, "")
	}
	return nil
}

// Suppression implements ledger.Heads.
func (h *Heads) Suppression(context.Context) (ledger.SuppressionHead, uint64, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.suppressionRevision == 0 {
		return h.suppression, 0, ledger.ErrNone
	}
	return h.suppression, h.suppressionRevision, nil
}

// SetSuppression implements ledger.Heads.
func (h *Heads) SetSuppression(_ context.Context, head ledger.SuppressionHead, revision uint64) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if revision != h.suppressionRevision {
		return ledger.ErrConflict
	}
	h.suppression = head
	h.suppressionRevision++
	return nil
}

// Forget loses the head of the suppression list.
func (h *Heads) Forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.suppression, h.suppressionRevision = ledger.SuppressionHead{}, 0
}
