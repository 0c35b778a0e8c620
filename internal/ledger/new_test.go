package ledger_test

import (
	"math/rand/v2"
	"testing"

	"usher"
	"usher/hashing"
	"usher/internal/ledger"
)

// newOn is a segment whose members were uploaded on different days, and lapse after 30.
type newOn struct {
	*testing.T
	store  *ledger.Store
	target ledger.Target
}

// compare compares wanted digests with the members on a day, and commits.
func (n *newOn) compare(job string, today ledger.Day, wanted []hashing.Digest) (*ledger.Comparison, *ledger.Differences) {
	n.Helper()
	head, revision, err := n.store.Head(n.Context(), n.target)
	if err != nil && revision > 0 {
		n.Fatal(err)
	}
	head.V, head.Target = 1, n.target
	w := n.store.Staging(n.target, job, 1).Runs(ledger.ReadStep, 0, 0)
	defer w.Release()
	err = w.Add(n.Context(), wanted)
	runs := 0
	if err == nil {
		runs, err = w.Flush(n.Context())
	}
	c := &ledger.Comparison{Job: job, Run: 1, Head: head, Revision: revision, Runs: []int{runs}, Today: today, Duration: 30, Refresh: 2}
	c.Cut(int64(len(wanted)))
	var found *ledger.Differences
	if err == nil {
		err = n.store.Compare(n.Context(), c, 0, nil)
	}
	if err == nil {
		found, err = n.store.Differences(n.Context(), c)
	}
	if err == nil {
		_, err = n.store.Commit(n.Context(), &ledger.Commit{Head: head, Revision: revision, Job: job, Run: 1, Duration: 30, Profile: usher.Profile{Type: usher.IDFA}, Shards: found.Shards})
	}
	if err != nil {
		n.Fatal(err)
	}
	return c, found
}

// A member that has lapsed is new when it comes again, one that is refreshed is not, and neither counts
// if the platform refuses it.
func TestNewAfterLapse(t *testing.T) {
	t.Parallel()
	for _, size := range []int{100, 20_000} { // sought, and merged
		n := &newOn{t, openStore(t), ledger.Target{Advertiser: "A", Name: "segment/1"}}
		all := digests(rand.New(rand.NewPCG(5, uint64(size))), 3*size)
		lapsed, kept, added := all[:size], all[size:2*size], all[2*size:]
		n.compare("first", 20_000, lapsed)
		n.compare("second", 20_020, all[:2*size]) // those of the first day are not refreshed
		c, found := n.compare("third", 20_049, all)
		if found.Added != int64(size) || found.Refreshed != 2*int64(size) || found.Lapsed != int64(size) {
			t.Fatalf("%+v", found.Counts)
		}
		for i, refused := range []struct {
			digests []hashing.Digest
			want    int
		}{{nil, 2 * size}, {kept, 2 * size}, {added, size}, {lapsed, size}, {all[size:], size}} {
			staging := n.store.Staging(n.target, "third", 1)
			w := staging.Runs("refused", i, 0)
			if err := w.Add(t.Context(), refused.digests); err != nil {
				t.Fatal(err)
			}
			written, err := w.Flush(t.Context())
			w.Release()
			var files []ledger.File
			if err == nil {
				files, err = staging.Files(t.Context(), "refused", i, written)
			}
			if err != nil {
				t.Fatal(err)
			}
			if got, err := n.store.New(t.Context(), c, found, files); err != nil || got == nil || *got != int64(refused.want) {
				t.Errorf("%d digests, %d refused: %v are new, not %d: %v", size, len(refused.digests), got, refused.want, err)
			}
		}
	}
}
