package memory_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/hashing"
	"usher/internal/exports"
	"usher/internal/exports/memory"
	"usher/internal/exports/memory/memorytest"
	"usher/internal/exports/places"
	"usher/internal/inspection"
)

// read reads an export to its end, as a feed does.
func read(t *testing.T, data []byte, job usher.Job) (*usher.Memory, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "export")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	var src usher.Source
	if job.Source != nil {
		src = *job.Source
	}
	src.URL, job.Source = path, &src
	allowed, err := places.Allow([]string{filepath.Dir(path)})
	if err != nil {
		t.Fatal(err)
	}
	access := places.New(places.Options{Allowed: allowed})
	t.Cleanup(access.Close)
	report, err := inspection.Inspect(t.Context(), exports.New(access, exports.Options{}), &src,
		inspection.Options{Profile: *job.Profile, Input: job.Input, Progress: func(int64, int64) {}})
	if err != nil {
		return nil, err
	}
	return memory.Of(memory.Read{Job: &job, Understood: report.Understood, Tally: &report.Tally, Warnings: report.Warnings}), nil
}

// differences compares the days of a pair. It returns the message for an export that a job refuses.
func differences(t *testing.T, p *memorytest.Pair) []string {
	t.Helper()
	last, err := read(t, p.One, p.Job)
	if err != nil {
		t.Fatalf("day 1: %v", err)
	}
	now, err := read(t, p.Two, p.Job)
	var refused *usher.Permanent
	switch {
	case errors.As(err, &refused) && p.Refused:
		return []string{refused.Error()}
	case errors.As(err, &refused) && p.Either && refused.Hint != "":
		return []string{p.Want}
	case err != nil || p.Refused:
		t.Fatalf("day 2: %v", err)
	}
	return memory.Differences(last, now, usher.DefaultMaxShift)
}

// TestChanges compares exports that change what is uploaded.
func TestChanges(t *testing.T) {
	t.Parallel()
	for _, p := range memorytest.Changes(t) {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			found := differences(t, &p)
			if !slices.ContainsFunc(found, func(text string) bool { return strings.Contains(text, p.Want) }) {
				t.Errorf("%q, want %q", found, p.Want)
			}
			for _, text := range found {
				if !p.Refused && hashing.MaskIDs(text) != text {
					t.Errorf("%q has an id", text)
				}
			}
		})
	}
}

// TestHonest compares exports that change as exports of a growing company do.
func TestHonest(t *testing.T) {
	t.Parallel()
	for _, p := range memorytest.Honest(t, 200) {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			if found := differences(t, &p); len(found) > 0 {
				t.Errorf("%q", found)
			}
		})
	}
}

// A reason that is new takes at least ten rows; one that was there before may grow by five points.
func TestLeastRows(t *testing.T) {
	t.Parallel()
	of := func(rows, empty int64) *usher.Memory {
		return &usher.Memory{Rows: rows, Dropped: usher.Counts{"junk.empty": empty}}
	}
	for _, c := range []struct {
		last, now *usher.Memory
		differs   bool
	}{
		{of(100, 0), of(100, 9), false},
		{of(20, 0), of(20, 9), false},
		{of(100, 0), of(100, 10), true},
		{of(2000, 0), of(2000, 19), false},
		{of(100, 1), of(100, 6), false},
		{of(100, 1), of(100, 7), true},
	} {
		if got := memory.Differences(c.last, c.now, usher.DefaultMaxShift); (len(got) > 0) != c.differs {
			t.Errorf("%v, then %v: %q", c.last.Dropped, c.now.Dropped, got)
		}
	}
}

// A column that left rows out, and leaves out none any more, may say yes for everybody.
func TestNothingWithheld(t *testing.T) {
	t.Parallel()
	of := func(rows, withheld int64) *usher.Memory {
		m := &usher.Memory{Rows: rows, Dropped: usher.Counts{}}
		if withheld > 0 {
			m.Dropped["withheld.consent"] = withheld
		}
		return m
	}
	for _, c := range []struct {
		last, now *usher.Memory
		differs   bool
	}{
		{of(200, 50), of(150, 0), true},
		{of(200, 50), of(200, 1), false},
		{of(30, 9), of(30, 0), false},     // a few people may all have changed their minds
		{of(2000, 100), of(30, 0), false}, // 5 %
		{of(200, 0), of(200, 0), false},
	} {
		got := memory.Differences(c.last, c.now, usher.DefaultMaxShift)
		if (len(got) > 0) != c.differs || c.differs && !strings.Contains(got[0], "none of its 150 rows is left out by source.only, and in the last export it was 50 (25 %)") {
			t.Errorf("%v, then %v: %q", c.last.Dropped, c.now.Dropped, got)
		}
	}
}

// Each reason of rows has words.
func TestWordsOfReasons(t *testing.T) {
	t.Parallel()
	last := &usher.Memory{Rows: 1000}
	for r := hashing.None + 1; r < hashing.Withheld; r++ {
		reason := "junk." + r.String()
		if r.Invalid() {
			reason = "invalid." + r.String()
		}
		now := &usher.Memory{Rows: 1000, Dropped: usher.Counts{reason: 500}}
		if found := memory.Differences(last, now, 100); len(found) != 1 || strings.Contains(found[0], "count as") {
			t.Errorf("%s: %q", reason, found)
		}
	}
}
