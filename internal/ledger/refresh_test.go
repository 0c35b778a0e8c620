package ledger_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"usher"
	"usher/hashing"
	"usher/internal/ledger"
)

// Members of a segment with a duration are uploaded again before they lapse, each once, and not
// all on one day although they were uploaded on one.
func TestRefresh(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	const n, first, duration, early = 2000, ledger.Day(20_000), 30, 2
	target := ledger.Target{Advertiser: "A", Name: "segment/1"}
	members := make([]hashing.Digest, n)
	random := rand.NewChaCha8([32]byte{7})
	for i := range members {
		_, _ = random.Read(members[i][:]) // never fails
	}
	comparison := func(job string, head ledger.Head, today ledger.Day) *ledger.Comparison {
		t.Helper()
		w := s.Staging(target, job, 1).Runs(ledger.ReadStep, 0, 0)
		defer w.Release()
		if err := w.Add(t.Context(), members); err != nil {
			t.Fatal(err)
		}
		runs, err := w.Flush(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return &ledger.Comparison{Job: job, Run: 1, Head: head, Runs: []int{runs}, Today: today, Duration: duration, Refresh: early}
	}
	_, err := s.Adopt(t.Context(), comparison("adopt", ledger.Head{V: 1, Target: target}, first), n, usher.Profile{Type: usher.IDFA})
	if err != nil {
		t.Fatal(err)
	}
	var sum, days int64
	for day := first + 20; day <= first+duration; day++ {
		head, revision, err := s.Head(t.Context(), target)
		if err != nil {
			t.Fatal(err)
		}
		c := comparison(fmt.Sprintf("mirror-%d", day), head, day)
		c.Cut(n)
		if err := s.Compare(t.Context(), c, 0, nil); err != nil {
			t.Fatal(err)
		}
		found, err := s.Differences(t.Context(), c)
		if err != nil || found.Refreshed+found.Unchanged != n || ledger.Digests(found.Adds) != found.Refreshed {
			t.Fatalf("day %d: %+v: %v", day-first, found.Counts, err)
		}
		if found.Refreshed > n/3 {
			t.Errorf("%d members are due on day %d", found.Refreshed, day-first)
		}
		if found.Refreshed > 0 {
			days++
			if day-first > duration-early+1 {
				t.Errorf("%d members are uploaded again only on day %d", found.Refreshed, day-first)
			}
		}
		sum += found.Refreshed
		if _, err := s.Commit(t.Context(), &ledger.Commit{Head: head, Revision: revision, Job: c.Job, Run: 1, Duration: 30, Shards: found.Shards}); err != nil {
			t.Fatal(err)
		}
	}
	if sum != n || days < 4 {
		t.Errorf("%d of %d members were uploaded again, on %d days", sum, n, days)
	}
}
