package fleet

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"usher"
)

// hold is a lock while this worker holds it.
type hold struct {
	fleet *Fleet
	name  string
	key   string
	owner string
	taken time.Time

	lostOnce sync.Once               // counts the loss once
	stop     context.CancelCauseFunc // ends the context of the work
	endRenew context.CancelFunc      // ends the renewals
	renewed  chan struct{}           // closed after the last renewal
	expiry   *time.Timer             // fires at until
	until    atomic.Pointer[time.Time]
}

// begin starts the renewals of a lock that was taken at since. It returns the
// context of the work under the lock and the function that releases the lock.
func (h *hold) begin(ctx context.Context, since time.Time) (context.Context, func()) {
	var work, renewals context.Context
	work, h.stop = context.WithCancelCause(ctx)
	renewals, h.endRenew = context.WithCancel(context.WithoutCancel(ctx))
	h.renewed = make(chan struct{})
	h.taken = since
	h.expiry = time.AfterFunc(h.extend(since), h.lose)
	if !h.fleet.start(func() { h.renew(renewals) }) {
		h.stop(usher.ErrShutdown)
		close(h.renewed)
	}
	return heldContext{work, h}, sync.OnceFunc(h.release)
}

// extend records that a request sent at since took or renewed the lock, and returns
// for how long the lock is now ours. That is a tenth less than the lock's TTL, so that
// the work can stop before the lock expires.
func (h *hold) extend(since time.Time) time.Duration {
	ttl := h.fleet.options.LockTTL
	until := since.Add(ttl - ttl/10)
	h.until.Store(&until)
	return time.Until(until)
}

// heldContext is the context of the work under a lock.
type heldContext struct {
	context.Context
	hold *hold
}

// Err first ends the context if the lock has expired by the clock.
func (c heldContext) Err() error {
	if c.Context.Err() == nil && time.Until(*c.hold.until.Load()) <= 0 {
		c.hold.lose()
	}
	return c.Context.Err() //nolint:wrapcheck // it is the context's error
}

func (h *hold) lose() {
	h.lostOnce.Do(h.fleet.metrics.lost.Inc)
	h.stop(usher.ErrLockLost)
	h.endRenew()
}

// renew renews the lock every third of its TTL, and more often after an error, until
// the lock is lost or released.
func (h *hold) renew(ctx context.Context) {
	defer close(h.renewed)
	ttl := h.fleet.options.LockTTL
	wait := time.NewTimer(ttl / 3)
	defer wait.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.fleet.closing:
			h.stop(usher.ErrShutdown)
			return
		case <-wait.C:
		}
		asked := time.Now()
		renewed, err := h.fleet.eval(ctx, h.fleet.scripts.renew, []string{h.key}, h.owner, ttl.Milliseconds()).Bool()
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			wait.Reset(ttl / 15)
		case !renewed || !h.expiry.Stop():
			h.fleet.log.Warn("a held lock was lost: the work under it stops", "lock", h.name)
			h.lose()
			return
		default:
			h.expiry.Reset(h.extend(asked))
			wait.Reset(ttl / 3)
		}
	}
}

// release ends the renewals, then releases the lock, then ends the context of the
// work.
func (h *hold) release() {
	h.endRenew()
	<-h.renewed
	h.expiry.Stop()
	h.fleet.metrics.held.Observe(time.Since(h.taken).Seconds())
	if !h.fleet.lost.Load() {
		h.fleet.release(context.Background(), h.key, h.owner)
	}
	h.stop(context.Canceled)
}
