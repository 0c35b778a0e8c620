package store_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher/queues/store"
)

// Reading many messages may take any time, but not if NATS sends nothing more.
func TestProgress(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, advance, stop := store.Progress(t.Context(), 10*time.Second)
		defer stop()
		for range 100 {
			time.Sleep(9 * time.Second)
			advance()
		}
		if err := context.Cause(ctx); err != nil {
			t.Fatal(err)
		}
		time.Sleep(11 * time.Second)
		if err := context.Cause(ctx); !store.NoResponse(err) {
			t.Errorf("the cause is %v", err)
		}
	})
}

// A request without a response is repeated; an answer is not, even if it is an error.
func TestAsk(t *testing.T) {
	t.Parallel()
	refused := errors.New("refused")
	unavailable := &jetstream.APIError{Code: 503, ErrorCode: 10008}
	for name, c := range map[string]struct {
		errs     []error // of the requests; nil: no response
		requests int
		err      error
	}{
		"an answer":            {[]error{refused}, 1, refused},
		"a lost request":       {[]error{nil, refused}, 2, refused},
		"no leader for a time": {[]error{unavailable, nats.ErrTimeout, refused}, 3, refused},
		"never a response":     {nil, 2, context.DeadlineExceeded},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				requests := 0
				err := store.Ask(t.Context(), 5*time.Second, 10*time.Second, func(ctx context.Context) error {
					requests++
					if requests <= len(c.errs) && c.errs[requests-1] != nil {
						return c.errs[requests-1]
					}
					<-ctx.Done()
					return ctx.Err()
				})
				if requests != c.requests || !errors.Is(err, c.err) {
					t.Errorf("%d requests and %v, want %d and %v", requests, err, c.requests, c.err)
				}
			})
		})
	}
}
