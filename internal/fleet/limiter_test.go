package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
	"pgregory.net/rapid"

	"usher"
	"usher/internal/fleet"
)

func contains(s, part string) bool { return strings.Contains(s, part) }

// clockedRedis is a miniredis whose clock moves only when advance is called.
type clockedRedis struct {
	*miniredis.Miniredis
	now time.Time
}

func newClockedRedis(t *testing.T) *clockedRedis {
	t.Helper()
	c := &clockedRedis{Miniredis: miniredis.RunT(t), now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	c.SetTime(c.now)
	return c
}

func (c *clockedRedis) advance(d time.Duration) {
	c.now = c.now.Add(d)
	c.SetTime(c.now)
}

// callTimes are the times at which calls passed, in order.
type callTimes []time.Time

// mostInASecond returns the largest number of calls in any window of one second.
func (c callTimes) mostInASecond() int {
	most, from := 0, 0
	for i, at := range c {
		for at.Sub(c[from]) >= time.Second {
			from++
		}
		most = max(most, i-from+1)
	}
	return most
}

func TestNoSecondExceedsTheRate(t *testing.T) {
	t.Parallel()
	c := newClockedRedis(t)
	var unanswered atomic.Bool
	both := make([]*fleet.Fleet, 2)
	for i := range both {
		rdb := dial(t, c.Addr())
		rdb.AddHook(failures{&unanswered})
		both[i] = join(t, rdb, fmt.Sprint(i), 0)
	}
	a, b := both[0], both[1]
	n, judged := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		for _, f := range both {
			for f.Lost() {
				_ = f.Probe(t.Context()) // until Redis answers
			}
		}
		n++
		r := usher.Rate{PerSecond: rapid.Float64Range(1, 40).Draw(rt, "rate")}
		limiters := []*fleet.Limiter{a.LimiterAt(fmt.Sprint(n), r), b.LimiterAt(fmt.Sprint(n), r)}
		var all, audience callTimes
		for range 60 {
			// Mostly at short intervals, sometimes after a pause.
			wait := rapid.IntRange(0, int(2e6/r.PerSecond)).Draw(rt, "µs")
			if rapid.IntRange(0, 30).Draw(rt, "pause") == 0 {
				wait = 3_000_000
			}
			c.advance(time.Duration(wait) * time.Microsecond)
			campaign := rapid.Bool().Draw(rt, "campaign")
			worker := rapid.SampledFrom(limiters).Draw(rt, "worker")
			if worker.Ask(t.Context(), campaign) > 0 {
				continue
			}
			all = append(all, c.now)
			if !campaign {
				audience = append(audience, c.now)
			}
		}
		if unanswered.Swap(false) {
			return // the machine stalled, so a worker used its local limiter
		}
		judged++
		if most := all.mostInASecond(); float64(most) > max(math.Ceil(r.PerSecond), 1.05*r.PerSecond+1e-9) {
			rt.Fatalf("%d calls in a second at %v a second", most, r.PerSecond)
		}
		if most := audience.mostInASecond(); float64(most) > math.Ceil(fleet.AudiencePerSecond(r))+1+r.PerSecond/20 {
			rt.Fatalf("%d audience calls in a second at %v a second", most, r.PerSecond)
		}
	})
	if judged == 0 {
		t.Error("in every case, Redis left a call unanswered")
	}
}

func TestCampaignPassesWhileAudienceSaturates(t *testing.T) {
	t.Parallel()
	for _, perSecond := range []float64{2, 10, 50} {
		t.Run(fmt.Sprint(perSecond), func(t *testing.T) {
			t.Parallel()
			whileAnswered(t, func(hook failures) []string { return saturate(t, perSecond, hook) })
		})
	}
}

// saturate makes as many audience calls as the limiter lets pass in four seconds, and one
// campaign call a second among them. It returns what was wrong.
func saturate(t *testing.T, perSecond float64, hook failures) (wrong []string) {
	t.Helper()
	c := newClockedRedis(t)
	rdb := dial(t, c.Addr())
	rdb.AddHook(hook)
	l := join(t, rdb, "a", 0).LimiterAt("A", usher.Rate{PerSecond: perSecond})
	passed := 0
	interval := time.Duration(float64(time.Second) / perSecond)
	const seconds, steps = 4, 4
	for step := range int(seconds * steps * perSecond) {
		for l.Ask(t.Context(), false) == 0 {
			passed++
		}
		if step%int(steps*perSecond) == 7 {
			if wait := l.Ask(t.Context(), true); wait > interval {
				wrong = append(wrong, fmt.Sprintf("a campaign call waits %v at %v a second", wait, perSecond))
			}
		}
		c.advance(interval / steps)
	}
	want := (perSecond - max(1, perSecond/5)) * seconds
	if got := float64(passed); got < 0.9*want-2 || got > 1.05*want+2 {
		wrong = append(wrong, fmt.Sprintf("%v audience calls passed in 4 s, want about %v", got, want))
	}
	return wrong
}

func TestRateMayChange(t *testing.T) {
	t.Parallel()
	c := newClockedRedis(t)
	f := join(t, dial(t, c.Addr()), "a", 0)
	slow := f.LimiterAt("A", usher.Rate{PerSecond: 0.01})
	if wait := slow.Ask(t.Context(), true); wait != 0 {
		t.Fatalf("the first call waits %v", wait)
	}
	if wait := slow.Ask(t.Context(), true); wait < time.Minute {
		t.Fatalf("the second call waits %v at one in 100 s", wait)
	}
	fast := f.LimiterAt("A", usher.Rate{PerSecond: 100})
	if fast != slow {
		t.Error("an advertiser has two limiters")
	}
	if wait := fast.Ask(t.Context(), true); wait > 100*time.Millisecond {
		t.Errorf("waits %v at the new rate of 100/s", wait)
	}
}

func TestNoLimit(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, addr string) {
		l := join(t, dial(t, addr), "a", 0).LimiterAt("A", usher.Rate{})
		for range 50 {
			if err := l.Wait(t.Context(), false); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestFleetKeepsToOneRate counts the calls of three workers. It measures the time by
// Redis's clock, so that a slow machine cannot make the test fail.
func TestFleetKeepsToOneRate(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, addr string) {
		const perSecond, burst, each = 100, 5, 30
		rdb := dial(t, addr)
		var workers sync.WaitGroup
		start := rdb.Time(t.Context()).Val()
		for i := range 3 {
			l := join(t, dial(t, addr), fmt.Sprint(i), 0).LimiterAt("A", usher.Rate{PerSecond: perSecond, Burst: burst})
			for _, campaign := range []bool{true, false} {
				workers.Go(func() {
					for range each / 2 {
						if err := l.Wait(t.Context(), campaign); err != nil {
							t.Error(err)
						}
					}
				})
			}
		}
		workers.Wait()
		took := rdb.Time(t.Context()).Val().Sub(start)
		if least := time.Duration(3*each-burst) * time.Second / perSecond; took < least {
			t.Errorf("%d calls passed in %v, want at least %v", 3*each, took, least)
		}
	})
}

func TestBlockAppliesToAllWorkers(t *testing.T) {
	t.Parallel()
	c := newClockedRedis(t)
	a := join(t, dial(t, c.Addr()), "a", 0).LimiterAt("A", usher.Rate{PerSecond: 10})
	f := join(t, dial(t, c.Addr()), "b", 0)
	b := f.LimiterAt("A", usher.Rate{PerSecond: 10})
	a.Block(t.Context(), 20*time.Second)
	b.Block(t.Context(), 0)
	f.LimiterAt("A", usher.Rate{PerSecond: 10}).Block(t.Context(), time.Nanosecond)
	for _, campaign := range []bool{true, false} {
		if wait := b.Ask(t.Context(), campaign); wait != 20*time.Second {
			t.Errorf("another worker waits %v, want 20s (campaign: %v)", wait, campaign)
		}
	}
	if wait := a.Ask(t.Context(), true); wait < 10*time.Second || wait > 20*time.Second {
		t.Errorf("the stopped worker waits %v", wait)
	}
	if wait := f.LimiterAt("B", usher.Rate{PerSecond: 10}).Ask(t.Context(), false); wait != 0 {
		t.Errorf("another advertiser waits %v", wait)
	}
	c.advance(20 * time.Second)
	if wait := b.Ask(t.Context(), false); wait != 0 {
		t.Errorf("waits %v after the stop", wait)
	}
	b.Block(t.Context(), 1000*time.Hour)
	third := join(t, dial(t, c.Addr()), "c", 0).LimiterAt("A", usher.Rate{PerSecond: 10})
	if wait := third.Ask(t.Context(), false); wait != time.Hour {
		t.Errorf("a stop of 1000 hours lasts %v, want an hour", wait)
	}
}

func TestWaitReturnsTheCause(t *testing.T) {
	t.Parallel()
	l := join(t, dial(t, sharedAddress(t)), "a", 0).LimiterAt("A", usher.Rate{PerSecond: 10})
	l.Block(t.Context(), 20*time.Second)
	ctx, cancel := context.WithCancelCause(t.Context())
	var waiting sync.WaitGroup
	for range 4 { // one asks Redis, the others queue
		waiting.Go(func() {
			if err := l.Wait(ctx, false); !errors.Is(err, usher.ErrShutdown) {
				t.Errorf("got %v", err)
			}
		})
	}
	cancel(usher.ErrShutdown)
	waiting.Wait()
	if err := l.Wait(ctx, true); !errors.Is(err, usher.ErrShutdown) {
		t.Errorf("got %v", err)
	}
}

// During a Retry-After of an hour no job keeps its slot, neither on the worker that got
// the 429 nor on another one.
func TestLongBlockIsAnError(t *testing.T) {
	t.Parallel()
	c := newClockedRedis(t)
	stopped := join(t, dial(t, c.Addr()), "a", 0).LimiterAt("A", usher.Rate{PerSecond: 10})
	other := join(t, dial(t, c.Addr()), "b", 0).LimiterAt("A", usher.Rate{PerSecond: 10})
	stopped.Block(t.Context(), time.Hour)
	for _, l := range []*fleet.Limiter{stopped, other} {
		var later *usher.RetryAfter
		err := l.Wait(t.Context(), false)
		if !errors.As(err, &later) || later.After < 59*time.Minute || !contains(later.Why, "rate limit until 2") {
			t.Errorf("got %v, %+v", err, later)
		}
	}
}

// Without Redis, each worker has its share of the rate: a quarter if nobody knows how many workers
// there are. TestShareWithoutRedis runs in virtual time on a Redis that cannot be reached.
func TestShareWithoutRedis(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		rdb := redis.NewClient(&redis.Options{
			// A numeric address, because resolving a name would leave the bubble.
			Addr: "127.0.0.1:6379", MaxRetries: -1, DialerRetries: 1,
			MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
			Dialer:                   func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("connection refused") },
		})
		defer func() {
			_ = rdb.Close()
			<-time.After(2 * time.Second) // go-redis dials once more before it ends
		}()
		var known atomic.Int64 // how many workers there are; 0: it is not known
		f := fleet.New(rdb, fleet.Options{Workers: func() int { return int(known.Load()) }})
		defer f.Close()
		synctest.Wait()
		if !f.Lost() {
			t.Fatal("Redis is not lost")
		}
		l := f.LimiterAt("A", usher.Rate{PerSecond: 100})
		for _, c := range []struct{ workers, calls int }{{0, 250}, {2, 500}, {10, 100}} {
			known.Store(int64(c.workers))
			start, n := time.Now(), 0
			for time.Since(start) < 10*time.Second {
				if err := l.Wait(t.Context(), true); err != nil {
					t.Fatal(err)
				}
				n++
			}
			if n < c.calls-10 || n > c.calls+10 {
				t.Errorf("with %d workers, %d calls in 10 s, want about %d", c.workers, n, c.calls)
			}
		}
		l.Block(t.Context(), 30*time.Second)
		at := time.Now()
		if err := l.Wait(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		if stopped := time.Since(at); stopped < 30*time.Second {
			t.Errorf("a call passed %v after a stop of 30 s", stopped)
		}
	})
}
