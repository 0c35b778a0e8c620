package pipeline

import (
	"context"
	"errors"
	"time"

	"github.com/cenkalti/backoff/v4"

	"usher"
)

// Retry configures how a request is retried in place, which is cheaper than opening the
// export again. Zero values mean the defaults.
type Retry struct {
	Shortest time.Duration // first delay without jitter; it doubles; 0: 200 ms
	Longest  time.Duration // maximum delay without jitter; 0: 5 s
	For      time.Duration // total time since the first attempt; 0: 30 s
}

func (r Retry) withDefaults() Retry {
	def := func(v *time.Duration, d time.Duration) {
		if *v <= 0 {
			*v = d
		}
	}
	def(&r.Shortest, 200*time.Millisecond)
	def(&r.Longest, 5*time.Second)
	def(&r.For, 30*time.Second)
	return r
}

// backOff returns the delays. They double, with a jitter of 50 % in both directions, so
// that batches that failed together are not retried together. After For it returns
// backoff.Stop.
func (r Retry) backOff() *backoff.ExponentialBackOff {
	return backoff.NewExponentialBackOff(
		backoff.WithInitialInterval(r.Shortest), backoff.WithMaxInterval(r.Longest),
		backoff.WithMultiplier(2), backoff.WithMaxElapsedTime(r.For),
	)
}

// Do calls do until it succeeds, until it is certain that another attempt fails, or until the
// time for retries has passed. It returns the last error, or the cause of the context.
func (r Retry) Do(ctx context.Context, do func() error) error {
	r = r.withDefaults()
	for waits := r.backOff(); ; {
		err := do()
		if err == nil {
			return nil
		}
		wait, ok := nextWait(err, waits, r.For)
		if !ok {
			return err
		}
		if !sleep(ctx, nil, wait) {
			return context.Cause(ctx)
		}
	}
}

// send sends ids in one request and retries it if another attempt may succeed. It returns
// the last error of Send, or the cause of the context.
func (s *screening) send(ids list) error {
	f := s.flight
	for waits := f.o.Retry.backOff(); ; {
		err := s.request(ids)
		if err == nil || !f.pause(err, waits) {
			return f.orCause(err)
		}
	}
}

// pause waits for the next attempt after err. It reports whether there is one.
func (f *flight) pause(err error, waits *backoff.ExponentialBackOff) bool {
	if f.ctx.Err() != nil {
		return false
	}
	wait, ok := nextWait(err, waits, f.o.Retry.For)
	return ok && sleep(f.ctx, f.stopped, wait)
}

// orCause returns the cause of a context that has ended, otherwise err.
func (f *flight) orCause(err error) error {
	if err != nil && f.ctx.Err() != nil {
		return context.Cause(f.ctx)
	}
	return err
}

// nextWait returns the delay before the next attempt, and whether there is one within the
// time limit.
func nextWait(err error, waits *backoff.ExponentialBackOff, limit time.Duration) (time.Duration, bool) {
	var permanent *usher.Permanent
	if errors.As(err, &permanent) {
		return 0, false
	}
	var later *usher.RetryAfter
	if errors.As(err, &later) && later.After > 0 {
		return later.After, waits.GetElapsedTime()+later.After <= limit
	}
	wait := waits.NextBackOff()
	return wait, wait != backoff.Stop
}

// sleep waits for d. It returns false if the upload is stopped or ctx ends first.
//
// For d <= 0 it uses no timer: within a synctest bubble the race detector crashes if two
// goroutines receive from expired timers at once (https://go.dev/issue/78156).
func sleep(ctx context.Context, stopped <-chan struct{}, d time.Duration) bool {
	if d <= 0 {
		select {
		case <-stopped:
			return false
		default:
			return ctx.Err() == nil
		}
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-stopped:
	case <-ctx.Done():
	}
	return false
}
