package ledger_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"usher"
	"usher/hashing"
	"usher/internal/ledger"
)

// A digest that the platform refuses to add is a member as of its last upload if it was one, may be one if it
// may have been one, and is none otherwise, and if the target was cleared.
func TestCorrect(t *testing.T) {
	t.Parallel()
	const size, first, second, today = 200, 20_000, 20_024, 20_053
	for _, cleared := range []bool{false, true} {
		for _, digestsOfTarget := range []int64{4 * size, 1 << 21} { // one shard, and several
			t.Run(fmt.Sprint(cleared, digestsOfTarget), func(t *testing.T) {
				t.Parallel()
				n := &newOn{t, openStore(t), ledger.Target{Advertiser: "A", Name: "segment/1"}}
				all := digests(rand.New(rand.NewPCG(6, 1)), 4*size)
				group := map[hashing.Digest]string{}
				var refused []hashing.Digest
				of := map[string][]hashing.Digest{}
				for i, d := range all {
					group[d] = []string{"lapsed", "due", "perhaps", "new"}[i%4]
					of[group[d]] = append(of[group[d]], d)
					if i%8 < 4 {
						refused = append(refused, d)
					}
				}
				n.compare("first", first, of["lapsed"])
				n.compare("second", second, append(slices.Clone(of["lapsed"]), of["due"]...))
				n.perhaps(of["perhaps"])
				n.mirror(today, digestsOfTarget, all, refused, cleared)

				head, _, err := n.store.Head(t.Context(), n.target)
				if err != nil {
					t.Fatal(err)
				}
				state, err := n.store.Load(t.Context(), head)
				if err != nil {
					t.Fatal(err)
				}
				list, known, err := state.Members(t.Context())
				if err = errors.Join(err, state.Close(t.Context())); err != nil {
					t.Fatal(err)
				}
				got := map[string]int{}
				for _, r := range list {
					got[fmt.Sprintf("%s %t %d", group[r.Digest], known[r.Digest], r.Day)]++
				}
				for _, name := range []string{"lapsed", "due", "perhaps", "new"} {
					got[fmt.Sprintf("%s true %d", name, today)] -= size / 2
				}
				if !cleared {
					got[fmt.Sprintf("due true %d", second)] -= size / 2
					got["perhaps false 0"] -= size / 2
				}
				for what, excess := range got {
					if excess != 0 {
						t.Errorf("%s: %d too many", what, excess)
					}
				}
			})
		}
	}
}

// perhaps makes a mirror begin that may have added digests, and that does not end.
func (n *newOn) perhaps(digests []hashing.Digest) {
	n.Helper()
	var list []ledger.Record
	for _, d := range digests {
		list = append(list, ledger.Record{Digest: d})
	}
	file, err := n.store.WriteFile(n.Context(), "perhaps", list, false)
	if err == nil {
		_, _, err = n.store.Begin(n.Context(), n.target, "unfinished", 1, &ledger.Pending{Lists: []ledger.File{file}})
	}
	if err != nil {
		n.Fatal(err)
	}
}

// mirror makes digests the members, but for those that are refused.
func (n *newOn) mirror(today ledger.Day, digestsOfTarget int64, wanted, refused []hashing.Digest, cleared bool) {
	n.Helper()
	must := func(err error) {
		n.Helper()
		if err != nil {
			n.Fatal(err)
		}
	}
	staging := n.store.Staging(n.target, "mirror", 1)
	write := func(step string, digests []hashing.Digest) int {
		w := staging.Runs(step, 0, 0)
		defer w.Release()
		must(w.Add(n.Context(), digests))
		written, err := w.Flush(n.Context())
		must(err)
		return written
	}
	c := &ledger.Comparison{Job: "mirror", Run: 1, Runs: []int{write(ledger.ReadStep, wanted)}, Today: today, Duration: 30, Refresh: 2}
	var err error
	c.Head, c.Revision, err = n.store.Head(n.Context(), n.target)
	must(err)
	c.Cut(digestsOfTarget)
	for i := range c.Groups {
		must(n.store.Compare(n.Context(), c, i, nil))
	}
	found, err := n.store.Differences(n.Context(), c)
	must(err)
	if found.Added+found.Refreshed != int64(len(wanted)) {
		n.Fatalf("%+v", found.Counts)
	}
	head, revision, err := n.store.BeginMirror(n.Context(), c, &ledger.Pending{Lists: found.Adds})
	must(err)
	files, err := staging.Files(n.Context(), "refused", 0, write("refused", refused))
	must(err)
	shards, err := n.store.Correct(n.Context(), c, &ledger.Correction{Head: head, Shards: found.Shards, Refused: files, Cleared: cleared})
	must(err)
	head, err = n.store.Commit(n.Context(), &ledger.Commit{
		Head: head, Revision: revision, Job: c.Job, Run: 1, Duration: c.Duration, Profile: usher.Profile{Type: usher.IDFA}, Shards: shards,
	})
	must(err)
	must(n.store.Collect(n.Context(), &head))
}
