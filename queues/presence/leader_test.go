package presence

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// A leader whose beats fail ends its task in time, and runs it again once it beats.
func TestLeaderWithoutBeats(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		var ended []time.Duration
		began, calls := time.Now(), 0
		l := led{task: Task{"feeds", func(ctx context.Context) {
			calls++
			<-ctx.Done()
			ended = append(ended, time.Since(began))
		}}}
		for _, beat := range []time.Duration{0, 3 * time.Second, 20 * time.Second} {
			time.Sleep(beat - time.Since(began))
			l.lead(ctx, time.Now().Add(leadFor))
		}
		synctest.Wait()
		if calls != 2 || len(ended) != 1 || ended[0] != 3*time.Second+leadFor {
			t.Errorf("%d calls, which ended after %v", calls, ended)
		}
		stop()
		l.wait()
	})
}
