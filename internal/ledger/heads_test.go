package ledger_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"usher/hashing"
	"usher/internal/ledger"
)

// heads is a Heads in memory.
type heads struct {
	mu        sync.Mutex
	heads     map[string]ledger.Head
	revisions map[string]uint64

	suppression ledger.SuppressionHead
	changes     uint64 // of suppression
}

func newHeads() *heads {
	return &heads{heads: map[string]ledger.Head{}, revisions: map[string]uint64{}}
}

func (h *heads) Head(_ context.Context, t ledger.Target) (ledger.Head, uint64, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	head, found := h.heads[t.Key()]
	if !found {
		return head, h.revisions[t.Key()], ledger.ErrNone
	}
	return head, h.revisions[t.Key()], nil
}

func (h *heads) SetHead(_ context.Context, head ledger.Head, revision uint64) (uint64, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !head.Valid() {
		return 0, fmt.Errorf("head %+v is not valid", head)
	}
	if h.revisions[head.Key()] != revision {
		return 0, ledger.ErrConflict
	}
	h.revisions[head.Key()]++
	h.heads[head.Key()] = head
	return revision + 1, nil
}

func (h *heads) DropHead(_ context.Context, t ledger.Target, revision uint64) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.revisions[t.Key()] != revision {
		return ledger.ErrConflict
	}
	delete(h.heads, t.Key())
	h.revisions[t.Key()]++
	return nil
}

func (h *heads) EachHead(_ context.Context, visit func(ledger.Head, string)) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, key := range slices.Sorted(maps.Keys(h.heads)) {
		visit(h.heads[key], "")
	}
	return nil
}

func (h *heads) Suppression(context.Context) (ledger.SuppressionHead, uint64, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.changes == 0 {
		return h.suppression, 0, ledger.ErrNone
	}
	return h.suppression, h.changes, nil
}

func (h *heads) SetSuppression(_ context.Context, head ledger.SuppressionHead, revision uint64) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !head.Valid() {
		return fmt.Errorf("head %+v is not valid", head)
	}
	if h.changes != revision {
		return ledger.ErrConflict
	}
	h.suppression = head
	h.changes++
	return nil
}

func openStore(t testing.TB) *ledger.Store {
	t.Helper()
	s, err := ledger.Open(t.Context(), ledger.Options{URL: t.TempDir(), Heads: newHeads()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// digests returns random digests in order, each once.
func digests(random *rand.Rand, n int) []hashing.Digest {
	set := map[hashing.Digest]bool{}
	for len(set) < n {
		set[digest(random)] = true
	}
	return sorted(set)
}

// digest returns a random digest. Some have few different bytes.
func digest(random *rand.Rand) (d hashing.Digest) {
	for i := range d {
		d[i] = byte(random.IntN(256))
	}
	if random.IntN(4) == 0 {
		d = hashing.Digest{d[0] &^ 0x3f, 15: d[15]}
	}
	if random.IntN(50) == 0 {
		for i := range d {
			d[i] = 0xff
		}
	}
	return d
}

func sorted[V any](set map[hashing.Digest]V) []hashing.Digest {
	list := slices.Collect(maps.Keys(set))
	slices.SortFunc(list, func(a, b hashing.Digest) int { return slices.Compare(a[:], b[:]) })
	return list
}
