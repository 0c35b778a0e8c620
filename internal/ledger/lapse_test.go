package ledger_test

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"usher"
	"usher/internal/ledger"
)

// Members of a segment with a duration that nothing uploads again are named a day before the first of
// them lapse, until all have lapsed. The members that are kept by a daily mirror never are.
func TestLapseWatch(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := time.Date(2026, 3, 1, 6, 0, 0, 0, time.UTC)
	s, err := ledger.Open(t.Context(), ledger.Options{URL: dir, Heads: newHeads(), Now: func() time.Time { return at }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	const n, duration = 500, 10
	members := digests(rand.New(rand.NewPCG(61, 62)), n)
	mirror := func(segment, job string) {
		t.Helper()
		target := ledger.Target{Advertiser: "A", Name: segment}
		head, revision, err := s.Head(t.Context(), target)
		if err != nil && revision > 0 {
			t.Fatal(err)
		}
		head.V, head.Target = 1, target
		w := s.Staging(target, job, 1).Runs(ledger.ReadStep, 0, 0)
		defer w.Release()
		if err := w.Add(t.Context(), members); err != nil {
			t.Fatal(err)
		}
		runs, err := w.Flush(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		c := &ledger.Comparison{Job: job, Run: 1, Head: head, Runs: []int{runs}, Today: ledger.DayOf(at), Duration: duration, Refresh: 2}
		if revision == 0 {
			if _, err := s.Adopt(t.Context(), c, n, usher.Profile{Type: usher.IDFA}); err != nil {
				t.Fatal(err)
			}
			return
		}
		c.Cut(n)
		if err := s.Compare(t.Context(), c, 0, nil); err != nil {
			t.Fatal(err)
		}
		found, err := s.Differences(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Commit(t.Context(), &ledger.Commit{Head: head, Revision: revision, Job: job, Run: 1, Duration: duration, Shards: found.Shards}); err != nil {
			t.Fatal(err)
		}
	}
	var saved []ledger.Lapsing
	w := &ledger.LapseWatch{Store: s, Logger: slog.New(slog.DiscardHandler), Saved: func(context.Context) ([]ledger.Lapsing, error) { return saved, nil }, Save: func(_ context.Context, list []ledger.Lapsing) error {
		saved = list
		return nil
	}}
	mirror("segment/1", "once")
	first := at
	for day := range 40 {
		at = first.AddDate(0, 0, day)
		for range 24 { // each hour, the last one before the next mirror
			if err := w.Look(t.Context()); err != nil {
				t.Fatal(err)
			}
			for i := range saved {
				if l := &saved[i]; l.Name != "segment/1" || l.Count != n || l.Members != n || !l.First.Equal(time.Date(2026, 3, 12, 0, 0, 0, 0, time.UTC)) || l.Since.IsZero() {
					t.Fatalf("day %d: %+v", day, l)
				}
			}
			// Uploaded on 1 March for 10 days, they are members until 11 March.
			if today := at.YearDay(); (len(saved) == 1) != (today == time.Date(2026, 3, 11, 0, 0, 0, 0, time.UTC).YearDay()) {
				t.Fatalf("at %s: %+v", at, saved)
			}
			at = at.Add(time.Hour)
		}
		mirror("segment/2", at.Format("mirror-20060102"))
	}

	// A ledger that cannot be read ends nothing: nobody knows that its members are uploaded again.
	mirror("segment/3", "once-more")
	at = at.AddDate(0, 0, duration)
	if err := w.Look(t.Context()); err != nil || len(saved) != 1 || saved[0].Name != "segment/3" {
		t.Fatalf("%+v, %v", saved, err)
	}
	before := saved[0]
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := w.Look(t.Context()); err == nil || len(saved) != 1 || saved[0] != before {
		t.Errorf("without its files: %+v, %v", saved, err)
	}
}
