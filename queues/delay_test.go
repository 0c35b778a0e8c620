package queues

import (
	"testing"
	"time"
)

// A job far behind checks rarely. The next job checks at least every half second, however
// long the one in front has run.
func TestDelayOnTarget(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		ahead   int
		running time.Duration // 0: the job in front waits as well
		want    time.Duration
	}{
		"behind a cut job":               {0, time.Hour, 500 * time.Millisecond},
		"next, just begun":               {1, 40 * time.Millisecond, 50 * time.Millisecond},
		"next, after a second":           {1, time.Second, 250 * time.Millisecond},
		"next, after an hour":            {1, time.Hour, 500 * time.Millisecond},
		"tenth, just begun":              {10, time.Millisecond, 200 * time.Millisecond},
		"tenth, after an hour":           {10, time.Hour, 2500 * time.Millisecond},
		"hundredth, after an hour":       {100, time.Hour, 10 * time.Second},
		"far behind one that waits":      {1000, 0, 20 * time.Second},
		"behind a hundred thousand jobs": {100_000, time.Hour, 5 * time.Minute},
	} {
		front := tenant{ahead: c.ahead}
		if started := now.Add(-c.running); c.running > 0 {
			front.started = &started
		}
		if got := front.delay(now); got != c.want {
			t.Errorf("%s: %v, not %v", name, got, c.want)
		}
	}
}
