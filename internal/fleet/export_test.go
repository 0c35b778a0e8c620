package fleet

import (
	"context"
	"time"

	"usher"
)

// Lost reports whether Redis did not carry out the last request.
func (f *Fleet) Lost() bool { return f.lost.Load() }

// Ask takes a call from the limit in Redis, or returns how long to wait for one.
func (l *Limiter) Ask(ctx context.Context, campaign bool) time.Duration { return l.ask(ctx, campaign) }

// AudiencePerSecond returns the rate of r without the reserve.
func AudiencePerSecond(r usher.Rate) float64 { return audienceFlow(r).perSecond }

// Oversleep changes the context of a held lock as if the process had been suspended
// until after the lock's end: the lock has expired, and no timer has fired yet.
func Oversleep(ctx context.Context) {
	h := ctx.(heldContext).hold
	h.endRenew()
	<-h.renewed
	h.expiry.Stop()
	now := time.Now()
	h.until.Store(&now)
}
