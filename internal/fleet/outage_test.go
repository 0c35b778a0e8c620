package fleet_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"usher"
)

// newProxy returns a proxy in front of the Redis at upstream. addToxic adds faults to it.
func newProxy(t *testing.T, upstream string) *toxiproxy.Proxy {
	t.Helper()
	s := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(prometheus.NewRegistry()), zerolog.Nop())
	p := toxiproxy.NewProxy(s, "redis", "127.0.0.1:0", upstream)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Toxics.ResetToxics(context.Background())
		p.Stop()
	})
	return p
}

// addToxic adds a fault to p. toxic is its description in toxiproxy's JSON.
func addToxic(t *testing.T, p *toxiproxy.Proxy, toxic string) {
	t.Helper()
	if _, err := p.Toxics.AddToxicJson(strings.NewReader(toxic)); err != nil {
		t.Fatal(err)
	}
}

func TestLockEndsBeforeAnotherWorkerTakesIt(t *testing.T) {
	t.Parallel()
	for name, toxic := range map[string]string{
		"no replies":     `{"name":"x","type":"timeout","attributes":{"timeout":0}}`,
		"no requests":    `{"name":"x","type":"timeout","stream":"upstream","attributes":{"timeout":0}}`,
		"late replies":   `{"name":"x","type":"latency","attributes":{"latency":1500}}`,
		"broken replies": `{"name":"x","type":"limit_data","attributes":{"bytes":1}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			addr := sharedAddress(t)
			proxy := newProxy(t, addr)
			ctx, unlock := mustLock(t, join(t, dial(t, proxy.Listen), "a", 3*time.Second), "campaign/X")
			defer unlock()
			addToxic(t, proxy, toxic)

			b := join(t, dial(t, addr), "b", 0)
			until(t, "the lock to lapse", func() bool {
				_, unlock, err := b.Lock(t.Context(), "campaign/X")
				if err != nil {
					return false
				}
				defer unlock()
				if ctx.Err() == nil {
					t.Error("another worker holds the lock and the work goes on")
				}
				return true
			})
			if cause := context.Cause(ctx); !errors.Is(cause, usher.ErrLockLost) {
				t.Errorf("the cause is %v", cause)
			}
		})
	}
}

func TestLockEndsWhenRedisRestartsEmpty(t *testing.T) {
	t.Parallel()
	s := ownServer(t)
	f := join(t, dial(t, s.addr), "a", 2*time.Second)
	ctx, unlock := mustLock(t, f, "campaign/X")
	defer unlock()
	s.kill()
	restarted, err := startServer(s.addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(restarted.kill)
	await(t, "the work to end", ctx.Done())
	if cause := context.Cause(ctx); !errors.Is(cause, usher.ErrLockLost) {
		t.Errorf("the cause is %v", cause)
	}
	until(t, "a new lock", func() bool {
		_, unlock, err := f.Lock(t.Context(), "campaign/X")
		if err == nil {
			unlock()
		}
		return err == nil
	})
}

func TestFleetSurvivesRestartOfRedis(t *testing.T) {
	t.Parallel()
	s := ownServer(t)
	f := join(t, dial(t, s.addr), "a", 0)
	if err := f.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.kill()
	until(t, "the fleet to notice", f.Lost)

	_, _, err := f.Lock(t.Context(), "campaign/X")
	var later *usher.RetryAfter
	if !errors.As(err, &later) {
		t.Fatalf("got %v, want a RetryAfter", err)
	}
	if later.After < time.Second || later.After > 2*time.Second || !strings.Contains(later.Why, "Redis does not answer") {
		t.Errorf("got %v and %q", later.After, later.Why)
	}
	if err := f.LimiterAt("A", usher.Rate{PerSecond: 1000}).Wait(t.Context(), false); err != nil {
		t.Errorf("the limiter does not continue without Redis: %v", err)
	}

	if f.LostFor() <= 0 {
		t.Error("the fleet does not say for how long Redis is lost")
	}
	f.AwaitRedis(t.Context(), time.Millisecond)
	if !f.Lost() {
		t.Fatal("Redis is back before it was restarted")
	}
	var waiting sync.WaitGroup
	waiting.Go(func() { f.AwaitRedis(t.Context(), time.Hour) })

	restarted, err := startServer(s.addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(restarted.kill)
	waiting.Wait()
	if f.Lost() || f.LostFor() != 0 {
		t.Error("AwaitRedis returned before Redis was back")
	}
	f.AwaitRedis(t.Context(), time.Hour)
	_, unlock := mustLock(t, f, "campaign/X")
	unlock()
}
