package fleet

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	randv2 "math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"usher"
)

// Lock takes the lock called name, such as campaign/SANDBOX1-x. The returned
// context lives as long as the lock is surely ours: it ends with cause
// usher.ErrLockLost when a renewal finds the lock gone, or when none succeeded
// for so long that somebody else may soon have it; with usher.ErrShutdown at
// Close; and with ctx. Its Err goes by the clock, so that a process which slept
// through the lock's end (SIGSTOP, a paused machine) learns it from Err before
// any timer has run. The returned function gives the lock back, ends the
// context and may be called more than once; until then the lock is renewed,
// even when ctx ends, so that work can be put in order under it.
//
// A lock that is held, or Redis away, is a *usher.RetryAfter whose Why names
// the holder. It keeps workers from tripping over each other and excludes
// nobody for sure: a Redis that restarts empty has forgotten it.
func (f *Fleet) Lock(ctx context.Context, name string) (context.Context, func(), error) {
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	if f.lost.Load() {
		f.metrics.locks.WithLabelValues("away").Inc()
		return nil, nil, lockAway(name, nil)
	}
	key, owner := f.key("lock:"+name), rand.Text()+" "+f.options.Worker
	since, holder, err := f.acquire(ctx, key, owner, f.options.LockTTL)
	switch {
	case ctx.Err() != nil:
		return nil, nil, context.Cause(ctx)
	case err != nil:
		f.metrics.locks.WithLabelValues("away").Inc()
		return nil, nil, lockAway(name, err)
	case holder != owner:
		f.metrics.locks.WithLabelValues("held").Inc()
		return nil, nil, lockHeld(name, holder)
	}
	f.metrics.locks.WithLabelValues("taken").Inc()
	h := &hold{fleet: f, name: name, key: key, owner: owner}
	return h.begin(ctx, since)
}

// Holder is the worker that has the lock called name; "" where nobody has it.
func (f *Fleet) Holder(ctx context.Context, name string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	holder, err := f.rdb.Get(ctx, f.key("lock:"+name)).Result()
	if err != nil && !errors.Is(err, redis.Nil) {
		return "", away("read lock "+name, err)
	}
	_, who, _ := strings.Cut(holder, " ")
	return who, nil
}

// lockHeld says who has it. The wait is jittered, so that those who wait do not
// come back together.
func lockHeld(name, holder string) error {
	_, who, _ := strings.Cut(holder, " ")
	return &usher.RetryAfter{
		After: 300*time.Millisecond + randv2.N(1200*time.Millisecond), //nolint:gosec // jitter is no secret
		Why:   fmt.Sprintf("lock %s held by %s", name, who),
	}
}

// lockAway says that nobody can tell who has it.
func lockAway(name string, err error) error {
	if err == nil {
		err = errors.New("it did not when last asked")
	}
	return &usher.RetryAfter{
		After: time.Second + randv2.N(4*time.Second), //nolint:gosec // jitter is no secret
		Why:   fmt.Sprintf("lock %s: Redis does not answer", name),
		Err:   away("take lock "+name, err),
	}
}

// acquire asks for the lock at key for owner and answers who has it, and since
// when it is surely so: before the request left. An error is asked again, once,
// as the first request may have been carried out; if nothing is known then
// either, what it may have taken is given back.
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

// release gives the lock at key back if it is owner's. Where that fails, it
// lapses.
func (f *Fleet) release(ctx context.Context, key, owner string) {
	if err := f.eval(ctx, f.scripts.release, []string{key}, owner).Err(); err != nil {
		f.log.Warn("a lock could not be given back; it lapses by itself", "lock", key, "error", err)
	}
}

// hold is a lock while we have it.
type hold struct {
	fleet *Fleet
	name  string
	key   string
	owner string
	taken time.Time
	once  sync.Once // it is lost once

	stop   context.CancelCauseFunc // of the work's context
	end    context.CancelFunc      // of the renewals
	expiry *time.Timer             // fires when the lock may soon be somebody else's
	until  atomic.Pointer[time.Time]
	ended  chan struct{} // no renewal is under way any more
}

// begin starts the renewals of a lock that is ours since then.
func (h *hold) begin(ctx context.Context, since time.Time) (context.Context, func(), error) {
	var work, renewals context.Context
	work, h.stop = context.WithCancelCause(ctx)
	renewals, h.end = context.WithCancel(context.WithoutCancel(ctx))
	h.ended = make(chan struct{})
	h.taken = since
	h.expiry = time.AfterFunc(h.renewedBy(since), h.lose)
	if !h.fleet.start(func() { h.renew(renewals) }) {
		h.stop(usher.ErrShutdown)
		close(h.ended)
	}
	var once sync.Once
	return lockContext{work, h}, func() { once.Do(h.giveBack) }, nil
}

// renewedBy notes until when the lock is ours, renewed by a request that left
// at since, and returns how long that is. A tenth of its life stays for the
// work to notice and stop.
func (h *hold) renewedBy(since time.Time) time.Duration {
	ttl := h.fleet.options.LockTTL
	until := since.Add(ttl - ttl/10)
	h.until.Store(&until)
	return time.Until(until)
}

// lockContext is the context of work under a lock.
type lockContext struct {
	context.Context
	h *hold
}

// Err ends the context first where the lock's time is over.
func (c lockContext) Err() error {
	if c.Context.Err() == nil && time.Until(*c.h.until.Load()) <= 0 {
		c.h.lose()
	}
	return c.Context.Err() //nolint:wrapcheck // it is the context's own
}

func (h *hold) lose() {
	h.once.Do(h.fleet.metrics.lost.Inc)
	h.stop(usher.ErrLockLost)
	h.end()
}

// renew makes the lock live on, three times in its life, and more often while
// that fails, until it is lost or given back.
func (h *hold) renew(ctx context.Context) {
	defer close(h.ended)
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
			h.fleet.log.Warn("a lock was lost while it was held: its work stops", "lock", h.name)
			h.lose()
			return
		default:
			h.expiry.Reset(h.renewedBy(asked))
			wait.Reset(ttl / 3)
		}
	}
}

// giveBack ends the renewals, then the lock, then the work's context.
func (h *hold) giveBack() {
	h.end()
	<-h.ended
	h.expiry.Stop()
	h.fleet.metrics.held.Observe(time.Since(h.taken).Seconds())
	if !h.fleet.lost.Load() {
		h.fleet.release(context.Background(), h.key, h.owner)
	}
	h.stop(context.Canceled)
}
