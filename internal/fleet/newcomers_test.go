package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"usher"
	"usher/internal/fleet"
)

// unnamed says that the operator does not name the advertiser.
func unnamed(context.Context) bool { return false }

// 150 invented advertisers at two workers make three logins. Advertisers that are named, or have
// logged in before, log in nevertheless.
func TestInventedAdvertisersShareThreeLogins(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, addr string) {
		refusal := &usher.Permanent{Class: usher.Forbidden, Err: errors.New("not linked")}
		var logins atomic.Int32
		refuse := func(context.Context) (string, error) { logins.Add(1); return "", refusal }
		accept := func(context.Context) (string, error) { return "token", nil }
		rdb := dial(t, addr)
		workers := []*fleet.Fleet{join(t, rdb, "a", 0), join(t, dial(t, addr), "b", 0)}
		if _, err := workers[0].Tokens("before", unnamed, accept).Token(t.Context()); err != nil {
			t.Fatal(err)
		}
		var jobs sync.WaitGroup
		var beyond atomic.Int32
		for i := range 150 {
			jobs.Go(func() {
				_, err := workers[i%2].Tokens(fmt.Sprint("invented-", i), unnamed, refuse).Token(t.Context())
				var p *usher.Permanent
				switch {
				case !errors.As(err, &p) || p.Class != usher.Forbidden:
					t.Errorf("got %v", err)
				case p != refusal:
					beyond.Add(1)
					if !strings.Contains(p.Hint, "platform.advertisers") {
						t.Errorf("the hint is %q", p.Hint)
					}
				}
			})
		}
		jobs.Wait()
		if logins.Load() != 3 || beyond.Load() != 147 {
			t.Errorf("%d logins, and %d jobs were refused without one; want 3 and 147", logins.Load(), beyond.Load())
		}
		if _, err := workers[0].Tokens("named", named, accept).Token(t.Context()); err != nil {
			t.Errorf("a named advertiser: %v", err)
		}
		// A worker that was started since, after the token has expired.
		for _, key := range rdb.Keys(t.Context(), t.Name()+":usher:token:*").Val() {
			rdb.Del(t.Context(), key)
		}
		if _, err := join(t, dial(t, addr), "c", 0).Tokens("before", unnamed, accept).Token(t.Context()); err != nil {
			t.Errorf("an advertiser that has logged in before: %v", err)
		}
		if _, err := workers[0].Tokens("new", unnamed, accept).Token(t.Context()); err == nil {
			t.Error("a new advertiser has logged in beyond the limit")
		}
		for _, key := range rdb.Keys(t.Context(), t.Name()+":usher:newcomer:*").Val()[:1] { // one has expired
			rdb.Del(t.Context(), key)
		}
		if _, err := workers[0].Tokens("new", unnamed, accept).Token(t.Context()); err != nil {
			t.Errorf("a new advertiser, after one refusal has expired: %v", err)
		}
	})
}

// A login that the platform does not answer, or that its caller gives up, counts for nobody.
func TestUnansweredLoginsOfInventedAdvertisers(t *testing.T) {
	t.Parallel()
	f := join(t, dial(t, sharedAddress(t)), "a", 0)
	for i := range 5 {
		ctx, giveUp := context.WithCancel(t.Context())
		for key, login := range map[string]func(context.Context) (string, error){
			"down":  func(context.Context) (string, error) { return "", &usher.Unavailable{Err: errors.New("no answer")} },
			"later": func(context.Context) (string, error) { return "", &usher.RetryAfter{After: 1} },
		} {
			if _, err := f.Tokens(fmt.Sprint(key, i), unnamed, login).Token(ctx); err == nil || strings.Contains(err.Error(), "not tried") {
				t.Errorf("%s: %v", key, err)
			}
		}
		gone := func(context.Context) (string, error) { giveUp(); return "", errors.New("cancelled") }
		if _, err := f.Tokens(fmt.Sprint("gone", i), unnamed, gone).Token(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("given up: %v", err)
		}
	}
	if _, err := f.Tokens("new", unnamed, func(context.Context) (string, error) { return "token", nil }).Token(t.Context()); err != nil {
		t.Errorf("a new advertiser: %v", err)
	}
}

// Without Redis, each worker counts by itself.
func TestInventedAdvertisersWithoutRedis(t *testing.T) {
	t.Parallel()
	server := ownServer(t)
	f := join(t, dial(t, server.addr), "a", 0)
	server.kill()
	var logins atomic.Int32
	for i := range 20 {
		_, _ = f.Tokens(fmt.Sprint("invented-", i), unnamed, func(context.Context) (string, error) {
			logins.Add(1)
			return "", &usher.Permanent{Class: usher.Forbidden, Err: errors.New("not linked")}
		}).Token(t.Context())
	}
	if logins.Load() != 3 {
		t.Errorf("%d logins, want 3", logins.Load())
	}
}
