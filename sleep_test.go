package usher_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"usher"
)

func TestSleep(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		if err := usher.Sleep(t.Context(), time.Minute); err != nil || time.Since(start) != time.Minute {
			t.Errorf("slept %v, %v", time.Since(start), err)
		}
		if err := usher.Sleep(t.Context(), 0); err != nil {
			t.Error(err)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(usher.ErrShutdown) })
		start = time.Now()
		if err := usher.Sleep(ctx, time.Hour); !errors.Is(err, usher.ErrShutdown) || time.Since(start) != time.Second {
			t.Errorf("slept %v, %v", time.Since(start), err)
		}
		if err := usher.Sleep(ctx, 0); !errors.Is(err, usher.ErrShutdown) {
			t.Errorf("after the end of the context: %v", err)
		}
	})
}
