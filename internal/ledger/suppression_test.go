package ledger_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"usher/hashing"
	"usher/internal/ledger"
)

// suppress puts digests on a list, as a caller of its own: half of the callers from a file.
func suppress(t *testing.T, s *ledger.Store, by string, digests []hashing.Digest) (added int64) {
	t.Helper()
	if len(digests)%2 == 0 {
		slices.SortFunc(digests, func(a, b hashing.Digest) int { return bytes.Compare(a[:], b[:]) })
		_, added, err := s.Suppression().Add(t.Context(), by, slices.Compact(digests))
		if err != nil {
			t.Error(err)
		}
		return added
	}
	files := s.Receipts().Of(by, 1)
	runs := files.Runs(ledger.UUIDStep, 0, 0)
	defer runs.Release()
	if err := runs.Add(t.Context(), digests); err != nil {
		t.Error(err)
	}
	written, err := runs.Flush(t.Context())
	if err == nil {
		err = files.Seal(t.Context(), written, 0)
	}
	if err == nil {
		_, added, err = s.Suppression().AddFile(t.Context(), by, files.All())
	}
	if err != nil {
		t.Error(err)
	}
	return added
}

// listed returns the digests of a list.
func listed(t *testing.T, s *ledger.Store) (digests []hashing.Digest) {
	t.Helper()
	err := s.Suppression().Each(t.Context(), func(d hashing.Digest) error {
		digests = append(digests, d)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return digests
}

// overtakenHeads are heads to which another caller adds the first digest when the list's head
// is first read.
type overtakenHeads struct {
	ledger.Heads

	overtaken atomic.Bool
	overtake  func()
}

func (h *overtakenHeads) Suppression(ctx context.Context) (ledger.SuppressionHead, uint64, error) {
	head, revision, err := h.Heads.Suppression(ctx)
	if h.overtaken.CompareAndSwap(false, true) {
		h.overtake()
	}
	return head, revision, err
}

// Two callers add the first digests of a list. The one that found no head does not take the
// other's file for a list that lost its head.
func TestTwoCallersBeginAList(t *testing.T) {
	t.Parallel()
	all := &overtakenHeads{Heads: newHeads()}
	s, err := ledger.Open(t.Context(), ledger.Options{URL: t.TempDir(), Heads: all})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	all.overtake = func() { suppress(t, s, "first", []hashing.Digest{{1}, {2}}) }
	if n := suppress(t, s, "second", []hashing.Digest{{3}, {4}}); n != 2 {
		t.Errorf("%d were added", n)
	}
	if got := listed(t, s); len(got) != 4 {
		t.Errorf("the list is %v", got)
	}
}

// A list whose head is lost is damaged, and not an empty one to which ids may be added.
func TestListWithoutHead(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	open := func() *ledger.Store {
		s, err := ledger.Open(t.Context(), ledger.Options{URL: folder, Heads: newHeads()})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		return s
	}
	suppress(t, open(), "first", []hashing.Digest{{1}, {2}})
	list, want := open().Suppression(), &ledger.DamagedError{}
	for range 2 { // the first one has not begun another list
		if _, _, err := list.Add(t.Context(), "second", []hashing.Digest{{3}}); !errors.As(err, &want) || want.Name != ledger.SuppressionListHead {
			t.Errorf("adding to it: %v", err)
		}
	}
	if err := list.CheckLost(t.Context()); !errors.As(err, &want) {
		t.Errorf("the check: %v", err)
	}
}

// The first writer of the list was killed while it wrote into a folder: nothing is lost.
func TestListThatWasNeverWritten(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	suppress(t, s, "other", []hashing.Digest{{1}})
	names, err := s.Names(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s = openStore(t)
	if err := s.Put(t.Context(), names[0]+".18eccd0dda76b867.tmp", []byte("half")); err != nil {
		t.Fatal(err)
	}
	if err := s.Suppression().CheckLost(t.Context()); err != nil {
		t.Error(err)
	}
	suppress(t, s, "first", []hashing.Digest{{2}})
}

// A list has what was added and not removed, whoever adds at the same time.
func TestSuppression(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	r := rand.New(rand.NewPCG(7, 8))
	var all []hashing.Digest
	var adding sync.WaitGroup
	for i := range 12 {
		digests := random(r, 1+i*i*10, false)
		all = append(all, digests...)
		adding.Go(func() {
			if n := suppress(t, s, fmt.Sprintf("job-%d", i), digests); n != int64(len(digests)) {
				t.Errorf("%d of %d were added", n, len(digests))
			}
			if n := suppress(t, s, fmt.Sprintf("again-%d", i), digests); n != 0 {
				t.Errorf("%d were added again", n)
			}
		})
	}
	adding.Wait()
	slices.SortFunc(all, func(a, b hashing.Digest) int { return bytes.Compare(a[:], b[:]) })
	if !slices.Equal(listed(t, s), all) {
		t.Error("the list has other digests than were added")
	}
	head, err := s.Suppression().Head(t.Context())
	if err != nil || len(head.Files) > 8 || ledger.Digests(head.Files) > 2*int64(len(all)) {
		t.Errorf("%d files: %v", len(head.Files), err)
	}
	removed, err := s.Suppression().Remove(t.Context(), "cli", all[10:20])
	if err != nil || removed != 10 {
		t.Errorf("removed %d: %v", removed, err)
	}
	if !slices.Equal(listed(t, s), slices.Concat(all[:10], all[20:])) {
		t.Error("the list has other digests than were left")
	}
	if removed, err := s.Suppression().Remove(t.Context(), "cli", all[10:20]); err != nil || removed != 0 {
		t.Errorf("removed %d again: %v", removed, err)
	}
	names, err := s.Names(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if n := len(slices.DeleteFunc(names, func(name string) bool { return name[:8] != "suppress" })); n != 1 {
		t.Errorf("%d files are left", n)
	}
}
