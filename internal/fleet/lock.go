package fleet

import (
	"context"
	"crypto/rand"
	"fmt"
	randv2 "math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"usher"
)

// Lock takes a lock, such as campaign/SANDBOX1-x, and returns a context and a
// function that releases the lock.
//
// The context lives while the lock is certainly ours. It ends with ctx; with cause
// usher.ErrLockLost if a renewal finds that the lock is gone, or if no renewal has
// succeeded for so long that another worker may soon take it; and with cause
// usher.ErrShutdown at Close. Its Err consults the clock, so that a process that was
// suspended until after the end of the lock (SIGSTOP, a paused machine) notices that
// before any timer fires.
//
// The function may be called more than once. Until the first call the lock is renewed,
// even if ctx ends, so that the caller can clean up under it.
//
// The error is a *usher.RetryAfter if another worker holds the lock, or if Redis does not
// answer or accepts no writes. Its Why names the holder, or says what is wrong with Redis.
// The lock is advisory: a Redis that restarts empty has forgotten it.
func (f *Fleet) Lock(ctx context.Context, name string) (context.Context, func(), error) {
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	if f.lost.Load() {
		f.metrics.locks.WithLabelValues("away").Inc()
		return nil, nil, lockUnavailable(name, *f.failure.Load())
	}
	key, owner := f.key("lock:"+name), rand.Text()+" "+f.options.Worker
	since, holder, err := f.acquire(ctx, key, owner, f.options.LockTTL)
	switch {
	case ctx.Err() != nil:
		return nil, nil, context.Cause(ctx)
	case err != nil:
		f.metrics.locks.WithLabelValues("away").Inc()
		return nil, nil, lockUnavailable(name, err)
	case holder != owner:
		f.metrics.locks.WithLabelValues("held").Inc()
		return nil, nil, lockHeld(name, holder)
	}
	f.metrics.locks.WithLabelValues("taken").Inc()
	h := &hold{fleet: f, name: name, key: key, owner: owner}
	held, release := h.begin(ctx, since)
	return held, release, nil
}

// Holder returns the name of the worker that holds a lock; "" if it is free.
func (f *Fleet) Holder(ctx context.Context, name string) (string, error) {
	owner, err := f.text(ctx, f.key("lock:"+name))
	if err != nil {
		return "", Explain("read lock "+name, err)
	}
	return workerOf(owner), nil
}

// workerOf returns the name of the worker in the value of a lock.
func workerOf(owner string) string {
	_, worker, _ := strings.Cut(owner, " ")
	return worker
}

// lockHeld returns the error of a lock that holder holds. Its delay is jittered, so
// that waiting workers do not all return at the same time.
func lockHeld(name, holder string) error {
	return &usher.RetryAfter{
		After: 300*time.Millisecond + randv2.N(1200*time.Millisecond), //nolint:gosec // jitter needs no secure random numbers
		Why:   fmt.Sprintf("lock %s held by %s", name, workerOf(holder)),
	}
}

// lockUnavailable returns the error of a lock if Redis does not answer or accepts no writes.
func lockUnavailable(name string, err error) error {
	wrong, _ := diagnose(err)
	return &usher.RetryAfter{
		After: time.Second + randv2.N(time.Second), //nolint:gosec // as in lockHeld
		Why:   fmt.Sprintf("lock %s: %s", name, wrong),
		Err:   Explain("take lock "+name, err),
	}
}

// acquire requests the lock at key for owner. It returns the owner of the lock after
// the request, and the time just before the request, from which the TTL of a new lock
// counts. After an error it requests the lock once more, because Redis may have carried
// out the first request. If the second request fails, too, acquire releases the lock in
// the background.
func (f *Fleet) acquire(ctx context.Context, key, owner string, ttl time.Duration) (since time.Time, holder string, err error) {
	for range 2 {
		since = time.Now()
		holder, err = f.eval(ctx, f.scripts.lock, []string{key}, owner, ttl.Milliseconds()).Text()
		if err == nil && ctx.Err() == nil {
			return since, holder, nil
		}
		if ctx.Err() != nil {
			break
		}
	}
	f.start(func() { f.release(context.WithoutCancel(ctx), key, owner) })
	return since, "", err
}

// release releases the lock at key if it is owner's. If that fails, the lock
// expires.
func (f *Fleet) release(ctx context.Context, key, owner string) {
	if err := f.eval(ctx, f.scripts.release, []string{key}, owner).Err(); err != nil {
		f.log.Warn("a lock could not be released; it will expire", "lock", key, "error", err)
	}
}

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
	return c.Context.Err() // it is the context's error
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
