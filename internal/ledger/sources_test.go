package ledger_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/hashing"
	"usher/internal/ledger"
)

// membership is what a history says of a digest.
type membership struct {
	member, known bool
	day           ledger.Day // the last one of any delta
}

// history is a target with random deltas, and a model of its members.
type history struct {
	*testing.T

	random *rand.Rand
	store  *ledger.Store
	at     time.Time
	pool   []hashing.Digest
	target ledger.Target
	model  map[hashing.Digest]membership
}

func newHistory(t *testing.T, seed uint64, size int) *history {
	t.Helper()
	return newHistoryAt(t, t.TempDir(), seed, size)
}

// newHistoryAt is newHistory for a store at a place.
func newHistoryAt(t *testing.T, url string, seed uint64, size int) *history {
	t.Helper()
	h := &history{
		T: t, random: rand.New(rand.NewPCG(41, seed)), at: time.Now(),
		target: ledger.Target{Advertiser: "A", Name: "segment/1"}, model: map[hashing.Digest]membership{},
	}
	h.pool = digests(h.random, size)
	var err error
	h.store, err = ledger.Open(t.Context(), ledger.Options{URL: url, Heads: newHeads(), Now: func() time.Time { return h.at }})
	h.must(err)
	t.Cleanup(func() { _ = h.store.Close() })
	return h
}

func (h *history) set(digests []hashing.Digest, day ledger.Day, member, known bool) {
	for _, d := range digests {
		h.model[d] = membership{member, known, max(day, h.model[d].day)}
	}
}

func (h *history) some() (digests []hashing.Digest) {
	for _, d := range h.pool {
		if h.random.IntN(6) == 0 {
			digests = append(digests, d)
		}
	}
	return digests
}

func (h *history) must(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

// write writes a delta of a job that begins an epoch. A batch of it may be unsettled, and
// the job may be pending.
func (h *history) write(number int, pending bool) {
	h.Helper()
	h.at = h.at.AddDate(0, 0, 1)
	today, removes := ledger.DayOf(h.at), h.random.IntN(2) == 0
	changed, intended, listed := h.some(), h.some(), h.some()
	var p *ledger.Pending
	if pending {
		var list []ledger.Record
		for _, d := range listed {
			list = append(list, ledger.Record{Digest: d})
		}
		file, err := h.store.WriteFile(h.Context(), fmt.Sprintf("list-%d", number), list, false)
		h.must(err)
		p = &ledger.Pending{Lists: []ledger.File{file}, Cleared: h.random.IntN(2) == 0}
	}
	head, _, err := h.store.Begin(h.Context(), h.target, fmt.Sprintf("job-%d", number), 1, p)
	h.must(err)
	delta, err := h.store.NewDelta(h.Context(), &head, removes, fmt.Sprintf("job-%d", number), 1, 0, ledger.Written{})
	h.must(err)
	defer delta.Release()
	h.must(delta.Add(h.Context(), changed))
	if h.random.IntN(4) == 0 {
		intended = nil
	}
	h.must(delta.Intend(h.Context(), 1, [][]hashing.Digest{intended}))
	_, err = delta.Complete(h.Context())
	h.must(err)
	if removes {
		h.set(changed, today, false, true)
	}
	h.set(intended, 0, true, false)
	if pending {
		h.set(listed, 0, true, false)
	}
	for d, m := range h.model {
		if pending && p.Cleared && m.member {
			h.model[d] = membership{true, false, m.day}
		}
	}
	if !removes {
		h.set(changed, today, true, true)
	}
}

// check compares what a store reads with the model.
func (h *history) check(most int) {
	h.Helper()
	h.store.MergeAtMost(most)
	head, _, err := h.store.Head(h.Context(), h.target)
	h.must(err)
	state, err := h.store.Load(h.Context(), head)
	h.must(err)
	if state.Sources() > most {
		h.Errorf("%d files are open, not %d", state.Sources(), most)
	}
	list, known, err := state.Members(h.Context())
	h.must(err)
	held, _, err := state.Find(h.Context(), h.pool)
	h.must(err)
	got := map[hashing.Digest]membership{}
	for _, r := range list {
		got[r.Digest] = membership{true, known[r.Digest], r.Day}
	}
	for i, d := range h.pool {
		want, is := h.model[d], got[d]
		if want.member != is.member || want.member && want != is {
			h.Fatalf("at most %d: digest %d is %+v, not %+v", most, i, is, want)
		}
		if (held[i] != ledger.NoMember) != want.member || (held[i] == ledger.Member) != (want.member && want.known) {
			h.Fatalf("at most %d: digest %d is found as %d, not %+v", most, i, held[i], want)
		}
	}
	h.must(state.Close(h.Context()))
	names, err := h.store.Names(h.Context())
	h.must(err)
	if slices.ContainsFunc(names, func(n string) bool { return strings.Contains(n, "/r/") }) {
		h.Errorf("files are left: %v", names)
	}
}

// Deltas say the same, whether they are merged at once or in steps: the newest decides.
func TestMergeInSteps(t *testing.T) {
	t.Parallel()
	for seed := range uint64(12) {
		h := newHistory(t, seed, 40)
		first := h.some()
		h.adopt(first)
		h.set(first, 0, true, true)
		n := h.random.IntN(70)
		pending := h.random.IntN(2 * (n + 1))
		for i := range n {
			h.write(i, i == pending)
		}
		h.check(1000)
		h.check(6)
	}
}

// adopt makes digests the members.
func (h *history) adopt(digests []hashing.Digest) {
	h.Helper()
	runs := h.store.Staging(h.target, "adopt", 1).Runs(ledger.ReadStep, 0, 0)
	defer runs.Release()
	h.must(runs.Add(h.Context(), digests))
	written, err := runs.Flush(h.Context())
	h.must(err)
	c := &ledger.Comparison{Job: "adopt", Run: 1, Head: ledger.Head{V: 1, Target: h.target}, Runs: []int{written}}
	_, err = h.store.Adopt(h.Context(), c, int64(len(digests)), usher.Profile{Type: usher.IDFA})
	h.must(err)
}

// The merged deltas of a comparison are in the staging of its job. Those of a reader that did
// not end are collected when they are a day old.
func TestMergedFilesAreCollected(t *testing.T) {
	t.Parallel()
	h := newHistory(t, 1, 40)
	s := h.store
	h.adopt(h.pool[:20])
	for i := range 20 {
		h.write(i, false)
	}
	h.at = time.Now()
	s.MergeAtMost(6)
	head, revision, err := s.Head(t.Context(), h.target)
	h.must(err)
	_, err = s.Load(t.Context(), head) // and no Close
	h.must(err)
	count := func(part string) (n int) {
		names, err := s.Names(t.Context())
		h.must(err)
		for _, name := range names {
			if strings.Contains(name, part) {
				n++
			}
		}
		return n
	}
	c := &ledger.Comparison{Job: "job", Run: 1, Head: head, Revision: revision}
	c.Cut(40)
	h.must(s.Staging(h.target, "job", 1).WriteComparison(t.Context(), c))
	if count("/s/job-1/deltas/") == 0 || count("/r/") == 0 {
		t.Fatal("no deltas were merged")
	}
	read, err := s.Staging(h.target, "job", 1).ReadComparison(t.Context())
	h.must(err)
	h.must(s.Compare(t.Context(), read, 0, nil))
	found, err := s.Differences(t.Context(), read)
	h.must(err)
	members := int64(0)
	for _, m := range h.model {
		if m.member {
			members++
		}
	}
	if found.Members != members || found.Removed != members {
		t.Errorf("%+v, not %d members", found.Counts, members)
	}
	h.at = h.at.Add(23 * time.Hour)
	h.must(s.Collect(t.Context(), &head))
	if count("/s/") > 0 || count("/r/") == 0 {
		t.Error("other files are collected")
	}
	h.at = h.at.Add(2 * time.Hour)
	h.must(s.Collect(t.Context(), &head))
	if count("/r/") > 0 {
		t.Error("stale files are not collected")
	}
}
