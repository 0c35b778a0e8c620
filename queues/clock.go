package queues

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"usher/queues/presence"
)

// ClockTolerance is how far two clocks may be apart, beyond the round trip of the
// comparison, and still count as equal.
const ClockTolerance = 2 * time.Second

// clock provides NATS's time. JetStream stamps messages with it and all workers share it, so
// the age of a job does not depend on which worker takes it. While the local clock agrees with
// NATS's, the local time is used unchanged.
type clock struct {
	local  func() time.Time
	logger *slog.Logger
	anchor atomic.Pointer[anchor]
	ahead  atomic.Int64 // how far the local clock was ahead of NATS's at the last comparison, in ns; 0 if they agree
	wrong  bool         // the local clock disagreed at the last comparison, which was logged
}

// anchor is a reading of the local clock and the time that it stands for.
type anchor struct{ local, now time.Time }

func newClock(local func() time.Time, logger *slog.Logger) *clock {
	c := &clock{local: local, logger: logger}
	at := local()
	c.anchor.Store(&anchor{local: at, now: at})
	return c
}

// now returns the time of the anchor plus what has passed since. That is measured by the
// monotonic clock, so setting the local clock does not change it.
func (c *clock) now() time.Time {
	a := c.anchor.Load()
	return a.now.Add(c.local().Sub(a.local))
}

// compare asks NATS for its time and sets the anchor. After an error the anchor stays. It
// must not be called concurrently.
func (c *clock) compare(ctx context.Context, ask func(context.Context) (time.Time, error)) error {
	asked := c.local()
	server, err := ask(ctx)
	if err != nil {
		return err
	}
	answered := c.local()
	c.correct(server, answered, answered.Sub(asked))
	return nil
}

// correct sets the anchor. server is what NATS's clock showed at some moment of the round
// trip, which ended at answered on the local clock. If the local clock may have shown the same
// time at that moment, the anchor follows the local clock. Otherwise, if the anchored clock
// may have, it stays. So jitter of the round trip changes nothing.
func (c *clock) correct(server, answered time.Time, roundTrip time.Duration) {
	agrees := func(now time.Time) bool {
		return !server.After(now.Add(ClockTolerance)) && !server.Before(now.Add(-roundTrip-ClockTolerance))
	}
	a := c.anchor.Load()
	now := a.now.Add(answered.Sub(a.local))
	wrong := !agrees(answered)
	switch {
	case !wrong:
		now = answered
	case !agrees(now):
		now = server.Add(roundTrip / 2)
	}
	c.anchor.Store(&anchor{local: answered, now: now})
	// Round(0) strips the monotonic readings, which ignore that a clock was set.
	ahead := answered.Round(0).Sub(now.Round(0))
	if !wrong {
		ahead = 0
	}
	c.ahead.Store(int64(ahead))
	switch {
	case wrong && !c.wrong:
		c.logger.Warn("this machine's clock differs from NATS's: jobs age by NATS's time; synchronize the clocks by NTP, `usher doctor` compares them",
			"ahead", ahead.Round(time.Second))
	case !wrong && c.wrong:
		c.logger.Info("this machine's clock agrees with NATS's again")
	}
	c.wrong = wrong
}

// compareClocks compares the clocks of this machine and of NATS.
func (q *Queue) compareClocks(ctx context.Context) {
	try, cancel := context.WithTimeout(ctx, presence.BeatEvery)
	defer cancel()
	if err := q.clock.compare(try, q.ServerTime); err != nil && ctx.Err() == nil {
		q.logger.Debug("reading NATS's time failed, trying again", "error", err)
	}
}

// ClockAhead returns how far this machine's clock is ahead of NATS's, a negative time if it is behind,
// or 0 if they agree as far as a comparison can tell.
func (q *Queue) ClockAhead() time.Duration { return time.Duration(q.clock.ahead.Load()) }

// ServerTime returns the time of the NATS server that stamps jobs: the leader of their
// stream.
func (q *Queue) ServerTime(ctx context.Context) (time.Time, error) {
	stream, err := q.store.Stream(ctx, q.names.JobsStream())
	if err != nil {
		return time.Time{}, fmt.Errorf("read NATS's time: %w", err)
	}
	return stream.CachedInfo().TimeStamp, nil
}
