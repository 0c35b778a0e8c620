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

// backOff returns the delays: doubling, with a jitter of 50 % in both directions, so that
// batches that failed together are not retried together; then backoff.Stop.
func (r Retry) backOff() *backoff.ExponentialBackOff {
	return backoff.NewExponentialBackOff(
		backoff.WithInitialInterval(r.Shortest), backoff.WithMaxInterval(r.Longest),
		backoff.WithMultiplier(2), backoff.WithMaxElapsedTime(r.For),
	)
}

// send sends ids in one request and retries it while that may help. It returns the last
// error of Send, or the cause of the context.
func (f *flight) send(d *delta, ids list) error {
	for waits := f.o.Retry.backOff(); ; {
		err := f.request(d, ids)
		if err == nil || !f.pause(err, waits) {
			return f.orCause(err)
		}
	}
}

// pause waits for the next attempt after err. It returns false if there is none.
func (f *flight) pause(err error, waits *backoff.ExponentialBackOff) bool {
	if f.ctx.Err() != nil {
		return false
	}
	wait, again := nextWait(err, waits, f.o.Retry.For)
	return again && sleep(f.ctx, f.stopped, wait)
}

// orCause returns the cause of a context that has ended, otherwise err.
func (f *flight) orCause(err error) error {
	if err != nil && f.ctx.Err() != nil {
		return context.Cause(f.ctx)
	}
	return err
}

// nextWait returns the delay before the next attempt, if there is one.
func nextWait(err error, waits *backoff.ExponentialBackOff, most time.Duration) (time.Duration, bool) {
	var permanent *usher.Permanent
	if errors.As(err, &permanent) {
		return 0, false
	}
	var after *usher.RetryAfter
	if errors.As(err, &after) && after.After > 0 {
		return after.After, waits.GetElapsedTime()+after.After <= most
	}
	wait := waits.NextBackOff()
	return wait, wait != backoff.Stop
}

// sleep waits for d. It returns false if the upload is stopped or ctx ends first.
//
// A timer that has expired before it is received from must not be used: within a synctest
// bubble the race detector crashes on two of them at once (https://go.dev/issue/78156).
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
