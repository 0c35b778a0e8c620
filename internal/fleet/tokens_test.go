package fleet_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"usher"
	"usher/internal/fleet"
)

// named says that the operator names the advertiser, so that its login has no limit.
func named(context.Context) bool { return true }

// countedLogins counts logins and returns token-1, token-2, …
type countedLogins struct {
	n   atomic.Int32
	err error
}

func (l *countedLogins) login(context.Context) (string, error) {
	n := l.n.Add(1)
	return fmt.Sprintf("token-%d", n), l.err
}

func TestTokenIsRenewedOnceForAll(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, addr string) {
		whileAnswered(t, func(hook failures) []string { return renewForAll(t, addr, hook) })
	})
}

// renewForAll renews the token of two workers three times, with 20 callers at once, and
// returns what was wrong.
func renewForAll(t *testing.T, addr string, hook failures) (wrong []string) {
	t.Helper()
	key := rand.Text() // each try has its own token
	var platform countedLogins
	tokens := make([]*fleet.Tokens, 2)
	for i := range tokens {
		rdb := dial(t, addr)
		rdb.AddHook(hook)
		tokens[i] = join(t, rdb, fmt.Sprint(i), 0).Tokens(key, named, platform.login)
	}
	var mu sync.Mutex
	check := func(token string, err error, want string) {
		if err != nil || token != want {
			mu.Lock()
			defer mu.Unlock()
			wrong = append(wrong, fmt.Sprintf("got %q, %v, want %q", token, err, want))
		}
	}
	for round, stale := range []string{"", "token-1", "token-2"} {
		var callers sync.WaitGroup
		for i := range 20 {
			callers.Go(func() {
				token, err := tokens[i%2].Renew(t.Context(), stale)
				check(token, err, fmt.Sprintf("token-%d", round+1))
			})
		}
		callers.Wait()
		if n := platform.n.Load(); n != int32(round+1) {
			return append(wrong, fmt.Sprintf("%d logins, want %d", n, round+1))
		}
	}
	// A caller with an old token gets the newest one.
	token, err := tokens[0].Renew(t.Context(), "token-1")
	check(token, err, "token-3")
	token, err = tokens[1].Token(t.Context())
	check(token, err, "token-3")
	return wrong
}

func TestTokenWaitsForLoginOfAnotherWorker(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, addr string) {
		started, finish := make(chan struct{}), make(chan struct{})
		slow := join(t, dial(t, addr), "a", 0).Tokens("key", named, func(context.Context) (string, error) {
			close(started)
			<-finish
			return "theirs", nil
		})
		rdb := dial(t, addr)
		asked := make(chan struct{}, 100)
		rdb.AddHook(tap{":lock:token", func(redis.Cmder) error { asked <- struct{}{}; return nil }})
		quick := join(t, rdb, "b", 0).Tokens("key", named, func(context.Context) (string, error) {
			return "", errors.New("two workers log in at the same time")
		})
		var both sync.WaitGroup
		both.Go(func() { _, _ = slow.Token(t.Context()) })
		await(t, "the first login", started)
		both.Go(func() {
			if token, err := quick.Token(t.Context()); err != nil || token != "theirs" {
				t.Errorf("got %q, %v", token, err)
			}
		})
		await(t, "the second worker to find the lock taken", asked)
		close(finish)
		both.Wait()
	})
}

func TestLoginsHaveTheirOwnTokens(t *testing.T) {
	t.Parallel()
	rdb := dial(t, sharedAddress(t))
	f := join(t, rdb, "a", 0)
	var platform countedLogins
	for i, key := range []string{"https://a/ user1 ADV1", "https://a/ user1 ADV2"} {
		if token, err := f.Tokens(key, named, platform.login).Token(t.Context()); err != nil || token != fmt.Sprintf("token-%d", i+1) {
			t.Errorf("%s: got %q, %v", key, token, err)
		}
	}
	for _, key := range rdb.Keys(t.Context(), t.Name()+"*").Val() {
		if contains(key, "user1") || contains(key, "https") {
			t.Errorf("a key shows the login: %s", key)
		}
	}
	left := rdb.TTL(t.Context(), rdb.Keys(t.Context(), t.Name()+":usher:token:*").Val()[0]).Val()
	if left <= 50*time.Minute || left > time.Hour {
		t.Errorf("a shared token lives %v", left)
	}
}

func TestRefusedLoginIsNotRepeated(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, addr string) {
		refusal := errors.New("wrong password")
		platform := countedLogins{err: refusal}
		own := join(t, dial(t, addr), "a", 0).Tokens("key", named, platform.login)
		for range 10 {
			if _, err := own.Token(t.Context()); !errors.Is(err, refusal) {
				t.Fatalf("got %v", err)
			}
		}
		other := join(t, dial(t, addr), "b", 0).Tokens("key", named, platform.login)
		_, err := other.Token(t.Context())
		var later *usher.RetryAfter
		if !errors.As(err, &later) || later.After <= 0 || later.After > time.Minute {
			t.Errorf("another worker got %v, want a RetryAfter", err)
		}
		if n := platform.n.Load(); n != 1 {
			t.Errorf("%d logins, want 1", n)
		}
	})
}

// Other workers learn whether the platform did not accept the login, or refused it for another
// reason: the breaker opens only for the first.
func TestOtherWorkersLearnWhyTheLoginIsRefused(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, addr string) {
		for name, err := range map[string]error{"401": fmt.Errorf("log in: %w", usher.ErrUnauthorized), "403": errors.New("log in: not linked")} {
			platform := countedLogins{err: err}
			if _, err := join(t, dial(t, addr), "a", 0).Tokens(name, named, platform.login).Token(t.Context()); err == nil {
				t.Fatal("the login succeeded")
			}
			var later *usher.RetryAfter
			_, err := join(t, dial(t, addr), "b", 0).Tokens(name, named, platform.login).Token(t.Context())
			if !errors.As(err, &later) || errors.Is(err, usher.ErrUnauthorized) != (name == "401") {
				t.Errorf("%s: another worker got %v", name, err)
			}
		}
	})
}

// A refused login is a permanent error only for the job that logged in. Jobs that need the
// token during the cooldown wait.
func TestForbiddenLoginFailsOneJob(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, addr string) {
		platform := countedLogins{err: usher.Refuse(usher.Forbidden, "have the user linked", "log in: not linked")}
		tokens := join(t, dial(t, addr), "a", 0).Tokens("key", named, platform.login)
		var permanent *usher.Permanent
		if _, err := tokens.Token(t.Context()); !errors.As(err, &permanent) {
			t.Fatalf("the login returned %v", err)
		}
		var later *usher.RetryAfter
		if _, err := tokens.Token(t.Context()); errors.As(err, &permanent) || !errors.As(err, &later) || later.After <= 0 {
			t.Errorf("the next call returned %v", err)
		}
	})
}

func TestUnansweredLoginAffectsOneWorker(t *testing.T) {
	t.Parallel()
	addr := sharedAddress(t)
	down := countedLogins{err: &usher.Unavailable{Err: errors.New("connection refused")}}
	_, err := join(t, dial(t, addr), "a", 0).Tokens("key", named, down.login).Token(t.Context())
	var unavailable *usher.Unavailable
	if !errors.As(err, &unavailable) {
		t.Errorf("got %v", err)
	}
	var up countedLogins
	if _, err := join(t, dial(t, addr), "b", 0).Tokens("key", named, up.login).Token(t.Context()); err != nil {
		t.Errorf("another worker got %v", err)
	}
}

func TestEmptyTokenIsAnError(t *testing.T) {
	t.Parallel()
	f := join(t, dial(t, sharedAddress(t)), "a", 0)
	empty := func(context.Context) (string, error) { return "", nil }
	if token, err := f.Tokens("key", named, empty).Token(t.Context()); err == nil {
		t.Errorf("got %q", token)
	}
}

func TestTokenKeepsItsCallersCause(t *testing.T) {
	t.Parallel()
	f := join(t, dial(t, sharedAddress(t)), "a", 0)
	ctx, cancel := context.WithCancelCause(t.Context())
	tokens := f.Tokens("key", named, func(ctx context.Context) (string, error) {
		cancel(usher.ErrCancelled)
		<-ctx.Done()
		return "", ctx.Err()
	})
	if _, err := tokens.Token(ctx); !errors.Is(err, usher.ErrCancelled) {
		t.Errorf("got %v", err)
	}
	var platform countedLogins
	next := f.Tokens("key", named, platform.login)
	if _, err := next.Token(t.Context()); err != nil {
		t.Errorf("after a cancelled login: %v", err)
	}
}

func TestOwnTokenWithoutRedis(t *testing.T) {
	t.Parallel()
	s := ownServer(t)
	var platform countedLogins
	a := join(t, dial(t, s.addr), "a", 0)
	b := join(t, dial(t, s.addr), "b", 0)
	ta, tb := a.Tokens("key", named, platform.login), b.Tokens("key", named, platform.login)
	if _, err := ta.Token(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.kill()
	until(t, "both workers to notice", func() bool { return a.Lost() && b.Lost() })
	if token, err := ta.Token(t.Context()); err != nil || token != "token-1" {
		t.Errorf("got %q, %v, want token-1 as before", token, err)
	}
	if token, err := tb.Token(t.Context()); err != nil || token != "token-2" {
		t.Errorf("got %q, %v, want a new token", token, err)
	}
	if token, err := ta.Renew(t.Context(), "token-1"); err != nil || token != "token-3" {
		t.Errorf("got %q, %v, want a new token", token, err)
	}
}
