package queues

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"
)

// ClockTolerance is how far two clocks may be apart, beyond the round trip of the
// comparison, and still count as equal.
const ClockTolerance = 2 * time.Second

// clock tells NATS's time. JetStream stamps messages with it and all workers share it, so
// the age of a job does not depend on which worker takes it. A local clock that agrees
// with NATS is used as it is.
type clock struct {
	local  func() time.Time
	logger *slog.Logger
	anchor atomic.Pointer[anchor]
	wrong  bool // the local clock disagreed at the last comparison, which was logged
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

// correct sets the anchor after NATS has read its clock at some time in the round trip
// that ended at answered. A clock that may have shown the same time then is kept: the
// local one or else the present one. So jitter of the round trip changes nothing.
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
	switch {
	case wrong && !c.wrong:
		// Without their monotonic readings, which do not follow a clock that is set.
		c.logger.Warn("this machine's clock differs from NATS's: jobs age by NATS's time; synchronize the clocks by NTP, `usher doctor` compares them",
			"ahead", answered.Round(0).Sub(now.Round(0)).Round(time.Second))
	case !wrong && c.wrong:
		c.logger.Info("this machine's clock agrees with NATS's again")
	}
	c.wrong = wrong
}

// ServerTime returns the time of the NATS server that stamps jobs: the leader of their
// stream.
func (q *Queue) ServerTime(ctx context.Context) (time.Time, error) {
	stream, err := q.store.Stream(ctx, q.names.JobsStream())
	if err != nil {
		return time.Time{}, fmt.Errorf("read NATS's time: %w", err)
	}
	return stream.CachedInfo().TimeStamp, nil
}
