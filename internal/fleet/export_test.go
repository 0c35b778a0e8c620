package fleet

import (
	"context"
	"time"

	"usher"
)

// Beat sends a heartbeat now, so that a test need not wait for one.
func (f *Fleet) Beat(ctx context.Context) error { return f.beat(ctx) }

// Lost reports whether Redis is away as far as f knows.
func (f *Fleet) Lost() bool { return f.lost.Load() }

// Ask takes a call from Redis, or says how long to wait for it.
func (l *Limiter) Ask(ctx context.Context, campaign bool) time.Duration { return l.ask(ctx, campaign) }

// PerSecondOfAudience is the rate of r without the reserve.
func PerSecondOfAudience(r usher.Rate) float64 { return audienceCalls(r).perSecond }

// Oversleep makes a lock's context that of a process which has slept through
// the lock's end: the time is over, and no timer has run yet.
func Oversleep(ctx context.Context) {
	h := ctx.(lockContext).h
	h.end()
	<-h.ended
	h.expiry.Stop()
	now := time.Now()
	h.until.Store(&now)
}
