package queues

import (
	"log/slog"
	"testing"
	"time"
)

// The queue's clock follows NATS's only if the local one cannot have shown the same time.
func TestClockIsCorrected(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		before        time.Duration // how far the queue's clock was ahead of the local one
		server, round time.Duration // NATS's time relative to the local clock when it answered
		want          time.Duration // how far the queue's clock is ahead of the local one
	}{
		"equal":                              {},
		"slightly behind":                    {server: 2 * time.Second, round: time.Millisecond},
		"slightly ahead":                     {server: -2 * time.Second, round: time.Millisecond},
		"within a slow round trip":           {server: -9 * time.Second, round: 8 * time.Second},
		"an hour ahead":                      {server: -time.Hour, want: -time.Hour},
		"an hour behind":                     {server: time.Hour, want: time.Hour},
		"an hour ahead, slowly answered":     {server: -time.Hour, round: 4 * time.Second, want: -time.Hour + 2*time.Second},
		"still an hour ahead":                {before: -time.Hour, server: -time.Hour + time.Second, want: -time.Hour},
		"still, but slowly answered":         {before: -time.Hour, server: -time.Hour - 9*time.Second, round: 8 * time.Second, want: -time.Hour},
		"even more":                          {before: -time.Hour, server: -2 * time.Hour, want: -2 * time.Hour},
		"synchronized since":                 {before: -time.Hour, server: time.Second},
		"a drift of more than the tolerance": {before: -time.Hour, server: -time.Hour + 3*time.Second, want: -time.Hour + 3*time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			local := start
			clock := newClock(func() time.Time { return local }, slog.New(slog.DiscardHandler))
			clock.anchor.Store(&anchor{local: start, now: start.Add(c.before)})
			local = start.Add(time.Minute)
			clock.correct(local.Add(c.server), local, c.round)
			if got := clock.now().Sub(local); got != c.want {
				t.Errorf("it is %s ahead of the local clock, want %s", got, c.want)
			}
			local = local.Add(time.Minute)
			if got := clock.now().Sub(local); got != c.want {
				t.Errorf("a minute later it is %s ahead of the local clock, want %s", got, c.want)
			}
		})
	}
}
