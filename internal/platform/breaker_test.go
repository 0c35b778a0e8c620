package platform_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"usher"
	"usher/internal/platform"
	"usher/internal/rtb"
)

func TestBreakerOpens(t *testing.T) {
	t.Parallel()
	down := fmt.Errorf("upload: %w", &usher.Unavailable{Err: errors.New("no answer")})
	slow := fmt.Errorf("upload: %w", context.DeadlineExceeded)
	answered := &usher.Permanent{Class: usher.Refused, Err: &rtb.Fault{Status: 400}}
	busy := &usher.RetryAfter{Err: &usher.Unavailable{Err: &rtb.Fault{Status: 503}}}
	repeat := func(n int, err error) (list []error) {
		for range n {
			list = append(list, err)
		}
		return list
	}
	for _, c := range []struct {
		name string
		seen []error
		open bool
		how  string
	}{
		{"four in a row", repeat(4, down), false, ""},
		{"five in a row", repeat(5, down), true, "it does not respond"},
		{"a success in between", append(repeat(4, down), append([]error{nil}, repeat(4, down)...)...), false, ""},
		{"an answer in between", append(repeat(4, down), append([]error{answered}, repeat(4, down)...)...), false, ""},
		{"cancelled calls in between", append(repeat(4, down), context.Canceled, usher.ErrShutdown, usher.ErrLockLost, down), true, "it does not respond"},
		{"five that hang", repeat(5, slow), true, "it does not respond"},
		{"five 503 with Retry-After", repeat(5, busy), true, "it answers with status 503, and has failed since 2026-11-22T01:02:04Z"},
		{"five 400", repeat(5, answered), false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			now := time.Date(2026, 11, 22, 1, 2, 3, 0, time.UTC)
			b := platform.NewBreaker(nil, time.Minute, func() time.Time { return now }, slog.New(slog.DiscardHandler))
			for _, err := range c.seen {
				now = now.Add(time.Second)
				b.Observe(err, false)
			}
			if since, _ := b.Outage(); b.Open() != c.open || (b.Err() != nil) != c.open || since != nil {
				t.Errorf("open is %t, %v, and the platform is down since %v before a probe has failed", b.Open(), b.Err(), since)
			}
			gate := b.Gate(false)
			var later *usher.RetryAfter
			if (gate != nil) != c.open || c.open && (!errors.As(gate, &later) || !strings.Contains(gate.Error(), c.how)) {
				t.Errorf("Gate returned %v", gate)
			}
		})
	}
}

// While the breaker is open, one call every five seconds probes the platform. The
// first one that succeeds closes the breaker and ends every Wait.
func TestBreakerProbes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		down := &usher.Unavailable{Err: errors.New("no answer")}
		var probes atomic.Int64
		b := platform.NewBreaker(func(context.Context) error {
			if probes.Add(1) < 4 {
				return down
			}
			return nil
		}, time.Minute, time.Now, slog.New(slog.DiscardHandler))
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { b.Run(ctx) })
		for range 2 { // the breaker can open again
			probes.Store(0)
			start := time.Now()
			for range 5 {
				b.Observe(down, false)
			}
			if err := b.Wait(ctx, false); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(start); took != 20*time.Second || probes.Load() != 4 || b.Open() {
				t.Errorf("closed after %s and %d probes", took, probes.Load())
			}
			synctest.Wait()
		}
		for range 5 {
			b.Observe(down, false)
		}
		waiting, giveUp := context.WithCancelCause(ctx)
		giveUp(usher.ErrShutdown)
		if err := b.Wait(waiting, false); !errors.Is(err, usher.ErrShutdown) {
			t.Errorf("Wait returned %v after its context ended", err)
		}
		stop()
		running.Wait()
	})
}

// If only calls of uploads fail, the breaker is open for uploads until a probe succeeds, and campaign
// jobs go on. It is open for both once a probe, a login or a call of a campaign job has failed as well.
func TestBreakerOfUploads(t *testing.T) {
	t.Parallel()
	down := &usher.Unavailable{Err: errors.New("no answer")}
	for name, c := range map[string]struct {
		probe error
		calls []error // of campaign jobs, once uploads fail
		both  bool    // it is open for both before a probe
		after bool    // and after it
	}{
		"uploads alone":          {nil, nil, false, false},
		"a campaign job works":   {nil, []error{nil, nil}, false, false},
		"a campaign job, too":    {down, []error{down}, true, true},
		"the probe, too":         {down, nil, false, true},
		"the probe after others": {down, []error{nil}, false, true},
		"a refused login":        {fmt.Errorf("probe: %w", usher.ErrUnauthorized), nil, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := platform.NewBreaker(func(context.Context) error { return c.probe }, time.Minute, time.Now, slog.New(slog.DiscardHandler))
				ctx, stop := context.WithCancel(t.Context())
				var running sync.WaitGroup
				running.Go(func() { b.Run(ctx) })
				for range 50 {
					b.Observe(down, true)
				}
				for _, err := range c.calls {
					b.Observe(err, false)
				}
				if uploads, campaign := b.Gate(true) != nil, b.Gate(false) != nil; !uploads || campaign != c.both {
					t.Errorf("before a probe, it is open for uploads: %t, for campaign jobs: %t", uploads, campaign)
				}
				if !c.both && b.Wait(ctx, false) != nil {
					t.Error("a campaign job has not waited")
				}
				time.Sleep(6 * time.Second) // of the bubble
				synctest.Wait()
				if uploads, campaign := b.Gate(true) != nil, b.Gate(false) != nil; uploads != c.after || campaign != c.after {
					t.Errorf("after a probe, it is open for uploads: %t, for campaign jobs: %t", uploads, campaign)
				}
				stop()
				running.Wait()
			})
		})
	}
}

// A platform that goes down while no calls are made is noticed by probes, within half a
// minute. While calls are made, there are none.
func TestBreakerProbesWhileIdle(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var probes atomic.Int64
		var down atomic.Bool
		b := platform.NewBreaker(func(context.Context) error {
			probes.Add(1)
			if down.Load() {
				return &usher.Unavailable{Err: errors.New("no answer")}
			}
			return nil
		}, time.Minute, time.Now, slog.New(slog.DiscardHandler))
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { b.Run(ctx) })
		for range 60 {
			time.Sleep(time.Second) // of the bubble
			b.Observe(nil, false)
		}
		if n := probes.Load(); n != 0 {
			t.Errorf("%d probes while calls are made", n)
		}
		time.Sleep(time.Minute)
		if n := probes.Load(); n < 5 || n > 6 || b.Open() {
			t.Errorf("%d probes in an idle minute; open is %t", n, b.Open())
		}
		down.Store(true)
		time.Sleep(30 * time.Second)
		if !b.Open() {
			t.Error("the breaker is closed half a minute after the platform went down")
		}
		down.Store(false)
		time.Sleep(6 * time.Second)
		if b.Open() {
			t.Error("the breaker is open although the platform is up")
		}
		stop()
		running.Wait()
	})
}

// Calls that fail may be of one operation: the platform is down when a probe has failed, too, and since the
// first of the calls.
func TestOutageIsProbed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		down := &usher.Unavailable{Err: errors.New("no answer")}
		var works atomic.Bool
		works.Store(true)
		b := platform.NewBreaker(func(context.Context) error {
			if works.Load() {
				return nil
			}
			return down
		}, time.Minute, time.Now, slog.New(slog.DiscardHandler))
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { b.Run(ctx) })
		fail := func() (since time.Time) {
			since = time.Now()
			for range 5 {
				b.Observe(down, false)
				time.Sleep(100 * time.Millisecond) // of the bubble
			}
			return since
		}
		fail()
		for b.Open() {
			if since, err := b.Outage(); since != nil || err != nil {
				t.Fatalf("while only calls have failed, the platform is down since %v: %v", since, err)
			}
			time.Sleep(100 * time.Millisecond)
		}
		works.Store(false)
		began := fail()
		time.Sleep(6 * time.Second)
		if since, err := b.Outage(); since == nil || !since.Equal(began) || err == nil {
			t.Errorf("the platform is down since %v (%v), want %s", since, err, began)
		}
		stop()
		running.Wait()
	})
}

// A platform that refuses every login is an outage of its own kind: it opens the breaker within
// seconds, is told apart from a platform that is down, and ends with the first login that works.
func TestBreakerOpensWhenLoginsAreRefused(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		refused := fmt.Errorf("log in: %w: %w", usher.ErrUnauthorized, &rtb.Fault{Status: 401})
		var probe atomic.Pointer[error]
		probe.Store(&refused)
		var log strings.Builder
		b := platform.NewBreaker(func(context.Context) error { return *probe.Load() }, time.Minute, time.Now, slog.New(slog.NewTextHandler(&log, nil)))
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { b.Run(ctx) })
		for range 10 { // jobs that are tried again
			time.Sleep(time.Second) // of the bubble
			b.Observe(refused, false)
		}
		if !b.Open() || !errors.Is(b.Err(), usher.ErrUnauthorized) {
			t.Fatalf("after 10 s of refused logins, open is %t: %v", b.Open(), b.Err())
		}
		var later *usher.RetryAfter
		if err := b.Gate(false); !errors.As(err, &later) || !rtb.IsDown(err) || !errors.Is(err, usher.ErrUnauthorized) || !strings.Contains(later.Why, "refuses usher's login") {
			t.Errorf("Gate returned %v", err)
		}
		since, _ := b.Outage()
		waits := error(&usher.RetryAfter{After: time.Second, Why: "another worker logs in"}) // so nothing is known
		probe.Store(&waits)
		time.Sleep(6 * time.Second)
		if now, why := b.Outage(); now == nil || !now.Equal(*since) || !errors.Is(why, usher.ErrUnauthorized) {
			t.Errorf("while another worker logs in, the breaker says %v since %v", why, now)
		}
		down := error(&usher.Unavailable{Err: errors.New("no answer")})
		probe.Store(&down)
		time.Sleep(6 * time.Second)
		if now, why := b.Outage(); errors.Is(why, usher.ErrUnauthorized) || !now.After(*since) {
			t.Errorf("the platform is down meanwhile, but the breaker says %v since %v", why, now)
		}
		probe.Store(&refused)
		time.Sleep(6 * time.Second)
		var works error
		probe.Store(&works)
		time.Sleep(6 * time.Second)
		if b.Open() || b.Err() != nil {
			t.Errorf("after a login that works, open is %t: %v", b.Open(), b.Err())
		}
		stop()
		running.Wait()
		for _, line := range []string{"level=WARN msg=\"the platform refuses usher's login", "level=WARN msg=\"the platform is down", "level=INFO msg=\"the platform accepts usher's login again"} {
			if !strings.Contains(log.String(), line) {
				t.Errorf("the log lacks %s:\n%s", line, log.String())
			}
		}
	})
}

// A 401 that a new login mends, such as that of an expired token, is no outage, and neither are
// 401s among calls that succeed.
func TestBreakerStaysClosedAfterExpiredTokens(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		refused := fmt.Errorf("upload: %w: %w", usher.ErrUnauthorized, &rtb.Fault{Status: 401})
		b := platform.NewBreaker(func(context.Context) error { return nil }, time.Minute, time.Now, slog.New(slog.DiscardHandler))
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { b.Run(ctx) })
		for range 30 {
			for range 20 {
				b.Observe(refused, false)
			}
			if b.Open() {
				t.Fatal("a 401 of calls opened the breaker")
			}
			time.Sleep(time.Second)
		}
		stop()
		running.Wait()
	})
}

// A probe waits as long as other calls do: a platform that needs eight seconds for each answer is not
// down, and one that has not answered within the limit is.
func TestProbesWaitAsLongAsCalls(t *testing.T) {
	t.Parallel()
	for limit, down := range map[time.Duration]bool{10 * time.Second: false, 7 * time.Second: true} {
		synctest.Test(t, func(t *testing.T) {
			b := platform.NewBreaker(func(ctx context.Context) error { return usher.Sleep(ctx, 8*time.Second) }, limit, time.Now, slog.New(slog.DiscardHandler))
			ctx, stop := context.WithCancel(t.Context())
			var running sync.WaitGroup
			running.Go(func() { b.Run(ctx) })
			time.Sleep(2 * time.Minute) // without a call
			since, err := b.Outage()
			if (since != nil) != down || down && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("with a limit of %s, it is down since %v: %v", limit, since, err)
			}
			stop()
			running.Wait()
		})
	}
}
