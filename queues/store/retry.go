package store

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/cenkalti/backoff/v4"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
)

// unavailable is JetStream's error code if a stream or the cluster has no leader.
const unavailable jetstream.ErrorCode = 10008

// StallTime is how long a search for damaged values waits for the next message.
const StallTime = 15 * time.Second

// errStalled is the cause of a context of Progress that has ended.
var errStalled = errors.New("NATS has sent nothing more")

// NoResponse reports whether a call failed because the server did not respond in time, so
// that its error says nothing about what was asked for.
func NoResponse(err error) bool {
	var api *jetstream.APIError
	var network net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrTimeout) || errors.Is(err, errStalled) ||
		errors.As(err, &api) && api.ErrorCode == unavailable || errors.As(err, &network) && network.Timeout()
}

// askPause is the time between a request that a cluster without a leader refuses, and the
// next one.
const askPause = 100 * time.Millisecond

// Ask repeats a request that has no response within each, until it has one or limit is
// over: a request is lost if it is sent while a stream changes its leader. It returns the
// error of the last request.
func Ask(ctx context.Context, each, limit time.Duration, request func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for {
		err := askOnce(ctx, each, request)
		if !NoResponse(err) || ctx.Err() != nil || usher.Sleep(ctx, askPause) != nil {
			return err
		}
	}
}

func askOnce(ctx context.Context, each time.Duration, request func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, each)
	defer cancel()
	return request(ctx)
}

// Progress returns a context for reading many messages, which may take long. It ends if
// advance is not called for limit, with a cause for which NoResponse is true. The caller
// must call stop.
func Progress(ctx context.Context, limit time.Duration) (_ context.Context, advance, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(limit, func() { cancel(errStalled) })
	return ctx, func() { timer.Reset(limit) }, func() {
		timer.Stop()
		cancel(nil)
	}
}

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
