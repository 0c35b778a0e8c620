package queues

import (
	"slices"
	"testing"
	"time"

	"usher/queues/targets"
)

// A job far behind checks rarely. The next job checks at least every half second, however
// long the one in front has run.
func TestDelayOnTarget(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		ahead   int
		running time.Duration // 0: the job in front waits as well
		check   time.Duration
		want    time.Duration
	}{
		"behind a cut job":               {0, time.Hour, 0, 500 * time.Millisecond},
		"next, just begun":               {1, 40 * time.Millisecond, 0, 50 * time.Millisecond},
		"next, after a second":           {1, time.Second, 0, 250 * time.Millisecond},
		"next, after an hour":            {1, time.Hour, 0, 500 * time.Millisecond},
		"tenth, just begun":              {10, time.Millisecond, 0, 200 * time.Millisecond},
		"tenth, after an hour":           {10, time.Hour, 0, 2500 * time.Millisecond},
		"hundredth, after an hour":       {100, time.Hour, 0, 10 * time.Second},
		"far behind one that waits":      {1000, 0, 0, 20 * time.Second},
		"behind a hundred thousand jobs": {100_000, time.Hour, 0, 5 * time.Minute},
		"checks are slow":                {10, 0, 10 * time.Millisecond, 1600 * time.Millisecond},
		"checks stand still":             {10, 0, time.Minute, 10 * time.Second},
	} {
		front := targets.Blocker{Ahead: c.ahead}
		if started := now.Add(-c.running); c.running > 0 {
			front.Started = &started
		}
		if got := checkDelay(&front, now, c.check); got != c.want {
			t.Errorf("%s: %v, not %v", name, got, c.want)
		}
	}
}

// Of many jobs that are far behind, some are delivered again every second, within a time that
// grows with the number of jobs ahead.
func TestPostponedDelay(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 400e6, time.UTC)
	for ahead, most := range map[int]int{farBehind: 20, 1000: 200, 1500: 300, 1_000_000: 300} {
		seconds := make([]int, most+1)
		for range 100 * most {
			delay := postponedDelay(ahead, now) - 600*time.Millisecond
			at := int(delay / time.Second)
			if delay%time.Second != 0 || at > most {
				t.Fatalf("%d jobs ahead: a delay of %v", ahead, delay)
			}
			seconds[at]++
		}
		if slices.Contains(seconds, 0) {
			t.Errorf("%d jobs ahead: none is delivered in a second of %v", ahead, seconds)
		}
	}
}
