package ledger_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/hashing"
	"usher/internal/ledger"
)

// add writes a delta of a job that adds digests, and returns the names of all files after it.
func (h *history) add(job string, digests []hashing.Digest) {
	h.Helper()
	head, _, err := h.store.Head(h.Context(), h.target)
	h.must(err)
	delta, err := h.store.NewDelta(h.Context(), &head, false, job, 1, 0, ledger.Written{})
	h.must(err)
	defer delta.Release()
	h.must(delta.Add(h.Context(), digests))
	_, err = delta.Complete(h.Context())
	h.must(err)
}

// However many jobs have written deltas, each delta that is lost is noticed, and so is the loss
// of a list of them. A commit forgets them all.
func TestLostDeltaOfManyJobs(t *testing.T) {
	t.Parallel()
	h := newHistory(t, 7, 100)
	h.store.NoteAtMost(4)
	h.adopt(nil)
	for i, d := range h.pool[:11] {
		h.add(fmt.Sprintf("job-%d", i), []hashing.Digest{d})
	}
	head, _, err := h.store.Head(t.Context(), h.target)
	h.must(err)
	if len(head.Deltas) > 4 || len(head.Noted) != 2 {
		t.Errorf("the head names %d deltas and %d lists", len(head.Deltas), len(head.Noted))
	}
	load := func() error {
		state, err := h.store.Load(t.Context(), head)
		if err == nil {
			members, _, read := state.Members(t.Context())
			if err = errors.Join(read, state.Close(t.Context())); len(members) != 11 {
				t.Errorf("there are %d members", len(members))
			}
		}
		return err
	}
	h.must(load())
	names, err := h.store.Names(t.Context())
	h.must(err)
	lost := 0
	for _, name := range names {
		if !strings.Contains(name, "/d/") && !strings.Contains(name, "/n/") {
			continue
		}
		lost++
		data, err := h.store.Get(t.Context(), name)
		h.must(err)
		h.must(h.store.Remove(t.Context(), name))
		var damaged *ledger.DamagedError
		if err := load(); !errors.As(err, &damaged) || damaged.Name != name {
			t.Errorf("without %s: %v", name, err)
		}
		h.must(h.store.Put(t.Context(), name, data))
	}
	if lost != 11+2 {
		t.Errorf("%d files were removed, want 11 deltas and 2 lists", lost)
	}
	h.must(h.store.Put(t.Context(), "A/segment/1/n/left-behind", []byte("{}"))) // by a worker that was killed
	begun, revision, err := h.store.Begin(t.Context(), h.target, "mirror", 1, nil)
	h.must(err)
	after, err := h.store.Commit(t.Context(), &ledger.Commit{Head: begun, Revision: revision, Job: "mirror", Run: 1, Profile: usher.Profile{Type: usher.IDFA}})
	h.must(err)
	h.must(h.store.Collect(t.Context(), &after))
	names, err = h.store.Names(t.Context())
	h.must(err)
	if len(after.Deltas)+len(after.Noted) > 0 || slices.ContainsFunc(names, func(n string) bool { return strings.Contains(n, "/n/") || strings.Contains(n, "/d/") }) {
		t.Errorf("after the commit the head names %v and %v; there are %v", after.Deltas, after.Noted, names)
	}
}

// A worker that is killed while it writes a delta into a folder leaves a temporary file, as another one
// has that is writing. It is no delta, and is removed with those that were merged.
func TestTemporaryFileOfDelta(t *testing.T) {
	t.Parallel()
	h := newHistory(t, 7, 100)
	h.adopt(h.pool[:3])
	h.add("job", h.pool[3:5])
	head, _, err := h.store.Head(t.Context(), h.target)
	h.must(err)
	names, err := h.store.Names(t.Context())
	h.must(err)
	i := slices.IndexFunc(names, func(n string) bool { return strings.Contains(n, "/d/") })
	whole, err := h.store.Get(t.Context(), names[i])
	h.must(err)
	h.must(h.store.Put(t.Context(), names[i]+".18eccd0dda76b867.tmp", whole[:len(whole)/2]))
	state, err := h.store.Load(t.Context(), head)
	h.must(err)
	members, _, err := state.Members(t.Context())
	h.must(errors.Join(err, state.Close(t.Context())))
	if len(members) != 5 {
		t.Errorf("there are %d members", len(members))
	}
	begun, revision, err := h.store.Begin(t.Context(), h.target, "mirror", 1, nil)
	h.must(err)
	after, err := h.store.Commit(t.Context(), &ledger.Commit{Head: begun, Revision: revision, Job: "mirror", Run: 1, Profile: usher.Profile{Type: usher.IDFA}})
	h.must(err)
	h.must(h.store.Collect(t.Context(), &after))
	names, err = h.store.Names(t.Context())
	h.must(err)
	if slices.ContainsFunc(names, func(n string) bool { return strings.HasSuffix(n, ".tmp") }) {
		t.Errorf("there are %v", names)
	}
}
