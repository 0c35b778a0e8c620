package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/redis/go-redis/v9"

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
		whileAnswered(t, func(hook failures) []string { return inventAdvertisers(t, addr, hook) })
	})
}

// inventAdvertisers has 150 invented advertisers log in at two workers, and some others after them. It
// returns what was wrong.
func inventAdvertisers(t *testing.T, addr string, hook failures) (wrong []string) {
	t.Helper()
	refusal := &usher.Permanent{Class: usher.Forbidden, Err: errors.New("not linked")}
	var logins atomic.Int32
	refuse := func(context.Context) (string, error) { logins.Add(1); return "", refusal }
	accept := func(context.Context) (string, error) { return "token", nil }
	client := func() redis.UniversalClient {
		rdb := dial(t, addr)
		rdb.AddHook(hook)
		return rdb
	}
	rdb := client()
	expire := func(keys string, most int) {
		for i, key := range rdb.Keys(t.Context(), t.Name()+":usher:"+keys).Val() {
			if i < most {
				rdb.Del(t.Context(), key)
			}
		}
	}
	const all = 1 << 10
	expire("*", all) // what an earlier try has left
	worker := func(name string) *fleet.Fleet { return join(t, client(), name, 0) }
	workers := []*fleet.Fleet{worker("a"), worker("b")}
	expect := func(success bool, what string, tokens *fleet.Tokens) {
		if _, err := tokens.Token(t.Context()); (err == nil) != success {
			wrong = append(wrong, fmt.Sprintf("%s: got %v, want success %v", what, err, success))
		}
	}
	expect(true, "the first advertiser", workers[0].Tokens("before", unnamed, accept))
	var jobs sync.WaitGroup
	answers := make([]error, 150)
	for i := range answers {
		jobs.Go(func() {
			_, answers[i] = workers[i%2].Tokens(fmt.Sprint("invented-", i), unnamed, refuse).Token(t.Context())
		})
	}
	jobs.Wait()
	beyond := 0
	for _, err := range answers {
		var p *usher.Permanent
		switch {
		case !errors.As(err, &p) || p.Class != usher.Forbidden:
			wrong = append(wrong, fmt.Sprintf("an invented advertiser: got %v", err))
		case p != refusal:
			beyond++
			if !strings.Contains(p.Hint, "platform.advertisers") {
				wrong = append(wrong, fmt.Sprintf("the hint is %q", p.Hint))
			}
		}
	}
	if logins.Load() != 3 || beyond != 147 {
		wrong = append(wrong, fmt.Sprintf("%d logins, and %d jobs were refused without one; want 3 and 147", logins.Load(), beyond))
	}
	expect(true, "a named advertiser", workers[0].Tokens("named", named, accept))
	expire("token:*", all)
	expect(true, "an advertiser that has logged in before, at a worker that was started since, after its token has expired",
		worker("c").Tokens("before", unnamed, accept))
	expect(false, "a new advertiser beyond the limit", workers[0].Tokens("new", unnamed, accept))
	expire("newcomer:*", 1)
	expect(true, "a new advertiser, after one refusal has expired", workers[0].Tokens("new", unnamed, accept))
	return wrong
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
