//go:build unix

package ledger_test

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"usher/hashing"
	"usher/internal/ledger"
)

// limited makes TestDescriptors limit the descriptors of its process.
const limited = "USHER_TEST_LIMITED"

// A target has more deltas than a process may have files open. The test runs in a process of
// its own, because the limit is one of a process.
func TestDescriptors(t *testing.T) {
	t.Parallel()
	if os.Getenv(limited) == "" {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestDescriptors$")
		cmd.Env = append(os.Environ(), limited+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v:\n%s", err, out)
		}
		return
	}
	const deltas, descriptors = 300, 100
	h := newHistory(t, 1, deltas)
	h.adopt(h.pool)
	for i := range deltas {
		head, _, err := h.store.Begin(t.Context(), h.target, fmt.Sprintf("job-%d", i), 1, nil)
		h.must(err)
		delta, err := h.store.NewDelta(t.Context(), &head, true, fmt.Sprintf("job-%d", i), 1, 0, ledger.Written{})
		h.must(err)
		h.must(delta.Add(t.Context(), h.pool[i:i+1]))
		_, err = delta.Complete(t.Context())
		h.must(err)
		delta.Release()
	}
	h.must(syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: descriptors, Max: descriptors}))
	head, revision, err := h.store.Head(t.Context(), h.target)
	h.must(err)
	state, err := h.store.Load(t.Context(), head)
	h.must(err)
	h.must(state.EachMember(t.Context(), func(hashing.Digest, bool) error {
		t.Error("an id is a member that was removed")
		return nil
	}))
	h.must(state.Close(t.Context()))
	c := &ledger.Comparison{Job: "mirror", Run: 1, Head: head, Revision: revision}
	c.Cut(deltas)
	h.must(h.store.Staging(h.target, "mirror", 1).WriteComparison(t.Context(), c))
	h.must(h.store.Compare(t.Context(), c, 0, nil))
	found, err := h.store.Differences(t.Context(), c)
	h.must(err)
	if found.Members != 0 {
		t.Errorf("%d members are found", found.Members)
	}
}
