package fleet

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"usher"
)

const (
	tokenLife     = time.Hour              // of a shared token; the platform may end it earlier
	loginPatience = 10 * time.Second       // for one login
	loginLock     = 15 * time.Second       // longer, so that nobody logs in beside it
	loginPoll     = 100 * time.Millisecond // how often whoever waits for another's login looks
)

// Tokens is the access token of one login, shared by all workers: whoever finds
// it refused renews it, once for all.
type Tokens struct {
	fleet *Fleet
	login func(context.Context) (string, error)

	token, refused, lock string // keys

	turn chan struct{} // held by the one of this worker who renews

	mu      sync.Mutex
	current string
	private bool // current was made here and is not in Redis
	rest    rest
}

// Tokens returns the access token of the login that key names: the platform's
// address, the user and the advertiser, which go to Redis only as a hash. login
// logs in there; it is called by one worker at a time, with at most 10 s.
func (f *Fleet) Tokens(key string, login func(ctx context.Context) (string, error)) *Tokens {
	sum := sha256.Sum256([]byte(key))
	hash := hex.EncodeToString(sum[:16])
	return &Tokens{
		fleet: f, login: login, turn: make(chan struct{}, 1),
		token: f.key("token:" + hash), refused: f.key("refused:" + hash), lock: f.key("lock:token/" + hash),
	}
}

// Token returns the access token, and logs in where there is none.
func (t *Tokens) Token(ctx context.Context) (string, error) { return t.newer(ctx, "") }

// Renew returns another token than stale, which the platform has refused: the
// one that somebody else made meanwhile, else that of a new login. For a while
// after a refused login it returns that login's error, or a *usher.RetryAfter
// where another worker's was refused, without trying again.
func (t *Tokens) Renew(ctx context.Context, stale string) (string, error) { return t.newer(ctx, stale) }

// newer returns the token that this worker knows, else the shared one, else a
// new one; but never stale.
func (t *Tokens) newer(ctx context.Context, stale string) (string, error) {
	if token, _ := t.known(stale); token != "" {
		return token, nil
	}
	select {
	case t.turn <- struct{}{}:
		defer func() { <-t.turn }()
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
	token, private := t.known(stale)
	if token != "" {
		return token, nil
	}
	// What is in Redis while ours is not is most likely older than ours.
	if !private {
		if token, err := t.look(ctx, stale); token != "" || err != nil {
			return token, err
		}
	}
	return t.renew(ctx, stale)
}

// known is the token that this worker has, unless it is stale.
func (t *Tokens) known(stale string) (token string, private bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.current == stale {
		return "", t.private
	}
	return t.current, t.private
}

// keep makes token this worker's.
func (t *Tokens) keep(token string, private bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.current, t.private = token, private
}

// look returns the shared token if it is newer than stale, an error if nobody
// should log in now, and neither where there is nothing in Redis or no Redis.
func (t *Tokens) look(ctx context.Context, stale string) (string, error) {
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if t.fleet.lost.Load() {
		return "", nil
	}
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	token, err := t.fleet.rdb.Get(limited, t.token).Result()
	if errors.Is(err, redis.Nil) {
		err = nil
	}
	t.fleet.heard(ctx, err)
	if err != nil {
		return "", nil // without Redis this worker logs in for itself
	}
	if token != "" && token != stale {
		t.keep(token, false)
		return token, nil
	}
	left, err := t.fleet.rdb.PTTL(limited, t.refused).Result()
	if err == nil && left > 0 {
		if own := t.resting(); own != nil {
			return "", own
		}
		return "", &usher.RetryAfter{After: left, Why: "the platform refused another worker's login: check user name and password"}
	}
	return "", nil
}

// renew logs in under a lock, or waits for whoever has it.
func (t *Tokens) renew(ctx context.Context, stale string) (string, error) {
	owner := rand.Text() + " " + t.fleet.options.Worker
	for {
		if err := t.resting(); err != nil {
			return "", err
		}
		if t.fleet.lost.Load() {
			return t.logIn(ctx)
		}
		_, holder, err := t.fleet.acquire(ctx, t.lock, owner, loginLock)
		switch {
		case ctx.Err() != nil:
			return "", context.Cause(ctx)
		case err != nil:
			return t.logIn(ctx)
		case holder == owner:
			return t.renewLocked(ctx, stale, owner)
		}
		if err := pause(ctx, loginPoll); err != nil {
			return "", err
		}
		if token, err := t.look(ctx, stale); token != "" || err != nil {
			return token, err
		}
	}
}

// renewLocked logs in, unless somebody did just before we had the lock.
func (t *Tokens) renewLocked(ctx context.Context, stale, owner string) (string, error) {
	defer t.fleet.release(context.WithoutCancel(ctx), t.lock, owner)
	if _, private := t.known(stale); !private {
		if token, err := t.look(ctx, stale); token != "" || err != nil {
			return token, err
		}
	}
	return t.logIn(ctx)
}

// logIn makes a token and shares it if Redis is there.
func (t *Tokens) logIn(ctx context.Context) (string, error) {
	limited, cancel := context.WithTimeout(ctx, loginPatience)
	defer cancel()
	token, err := t.login(limited)
	if err == nil && token == "" {
		err = errors.New("the platform answered without an access token")
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return "", context.Cause(ctx)
	case err != nil:
		err = fmt.Errorf("log in: %w", err)
		t.fleet.metrics.logins.WithLabelValues("failed").Inc()
		t.rested(ctx, err)
		return "", err
	}
	t.fleet.metrics.logins.WithLabelValues("done").Inc()
	t.woken()
	t.keep(token, !t.put(ctx, t.token, token, tokenLife))
	return token, nil
}

// put writes to Redis if it is there, and reports whether it did.
func (t *Tokens) put(ctx context.Context, key, value string, life time.Duration) bool {
	if t.fleet.lost.Load() {
		return false
	}
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	err := t.fleet.rdb.Set(limited, key, value, life).Err()
	t.fleet.heard(context.WithoutCancel(ctx), err)
	return err == nil
}
