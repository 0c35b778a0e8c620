package pipeline

import (
	"context"
	"errors"
	"time"

	"github.com/cenkalti/backoff/v4"

	"usher"
)

// Retry says how a batch is tried again in place, which is cheaper than to open
// the export again. Zero values are the defaults.
type Retry struct {
	Shortest time.Duration // the first wait, without jitter; 0: 200 ms, doubling
	Longest  time.Duration // of a wait, without jitter; 0: 5 s
	For      time.Duration // from the first try on, waits included; 0: 30 s
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

// backOff is the sequence of waits: each within half and one and a half times of
// what doubling gives, so that batches that failed together do not come back
// together; then backoff.Stop.
func (r Retry) backOff() *backoff.ExponentialBackOff {
	return backoff.NewExponentialBackOff(
		backoff.WithInitialInterval(r.Shortest), backoff.WithMaxInterval(r.Longest),
		backoff.WithMultiplier(2), backoff.WithMaxElapsedTime(r.For),
	)
}

// send has ids answered in one request, tried again in place while that may
// help. The error it gives up with is Send's own, or the cause of the context.
func (f *flight) send(d *delta, ids list) error {
	for waits := f.o.Retry.backOff(); ; {
		err := f.request(d, ids)
		if err == nil || !f.pause(err, waits) {
			return f.orCause(err)
		}
	}
}

// pause waits before the next try after err. It is false where there is none.
func (f *flight) pause(err error, waits *backoff.ExponentialBackOff) bool {
	if f.ctx.Err() != nil {
		return false
	}
	wait, again := nextWait(err, waits, f.o.Retry.For)
	return again && f.sleep(wait)
}

// orCause is err, or what ended the upload.
func (f *flight) orCause(err error) error {
	if err != nil && f.ctx.Err() != nil {
		return context.Cause(f.ctx)
	}
	return err
}

// nextWait says how long to wait before the next try, if there is one.
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

// sleep is false where the upload ends before.
func (f *flight) sleep(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-f.stopped:
	case <-f.ctx.Done():
	}
	return false
}
