package store

import (
	"context"
	"errors"
	"time"

	"github.com/cenkalti/backoff/v4"

	"usher"
)

// CallTime bounds one call of NATS. With less, a stalled disk would look like an
// outage; with more, a call could outlast a lease.
const CallTime = 5 * time.Second

// patientTime bounds how long a listing asks for the newest revision of its keys.
const patientTime = 30 * time.Second

// Retry repeats a call of NATS until it succeeds, ctx ends, or it returns
// usher.ErrLeaseLost. It returns the error of the last try.
func Retry(ctx context.Context, call func(context.Context) error) error {
	var last error
	policy := backoff.NewExponentialBackOff(
		backoff.WithInitialInterval(100*time.Millisecond), backoff.WithMultiplier(2),
		backoff.WithMaxInterval(2*time.Second), backoff.WithMaxElapsedTime(0),
	)
	_ = backoff.Retry(func() error {
		try, cancel := context.WithTimeout(ctx, CallTime)
		defer cancel()
		last = call(try)
		if errors.Is(last, usher.ErrLeaseLost) {
			return backoff.Permanent(last)
		}
		return last
	}, backoff.WithContext(policy, ctx))
	return last
}
