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

	"github.com/cenkalti/backoff/v4"

	"usher"
)

const (
	tokenLife    = time.Hour        // of a shared token; the platform may end its life earlier
	loginTimeout = 10 * time.Second // of one login
	loginLock    = 15 * time.Second // longer than a login, so that two workers never log in at the same time
	loginPoll    = 100 * time.Millisecond

	unauthorized = "401" // at refusedKey, if the platform did not accept the user name and password
)

// Tokens is the access token of one login, which all workers share. The first worker
// whose call is refused with the token renews it for all of them.
type Tokens struct {
	fleet *Fleet
	login func(context.Context) (string, error)
	named func(context.Context) bool

	tokenKey, refusedKey, lockKey, knownKey string

	turn     chan struct{} // full while a goroutine of this worker gets a token
	cooldown *cooldown

	mu      sync.Mutex
	current string
	local   bool // current was made by this worker and is not in Redis

	succeeded bool // a login has succeeded, or another worker's, whose token was read
}

// Tokens returns the access token of the login that key identifies: the URL of
// the platform, the user and the advertiser. Redis holds only a hash of the key.
// login logs in; one worker at a time calls it, for at most 10 s. Until a login has succeeded, and
// unless named says that the operator names the advertiser, it shares the limit of refused logins.
func (f *Fleet) Tokens(key string, named func(ctx context.Context) bool, login func(ctx context.Context) (string, error)) *Tokens {
	sum := sha256.Sum256([]byte(key))
	hash := hex.EncodeToString(sum[:16])
	return &Tokens{
		fleet: f, login: login, named: named, turn: make(chan struct{}, 1), cooldown: newCooldown(),
		tokenKey: f.key("token:" + hash), refusedKey: f.key("refused:" + hash), lockKey: f.key("lock:token/" + hash),
		knownKey: f.key("known:" + hash),
	}
}

// Token returns the access token. It logs in if there is none.
func (t *Tokens) Token(ctx context.Context) (string, error) { return t.newerThan(ctx, "") }

// Renew returns a token other than stale, which the platform has refused: a token that
// another worker has got meanwhile, or the token of a new login. During the cooldown
// after a refused login it does not log in; it returns the error of that login, or a
// *usher.RetryAfter if another worker's login was refused.
func (t *Tokens) Renew(ctx context.Context, stale string) (string, error) {
	return t.newerThan(ctx, stale)
}

// EndCooldown lets this worker log in although its last login, or that of another worker, was
// refused.
func (t *Tokens) EndCooldown(ctx context.Context) {
	t.cooldown.end()
	if t.fleet.lost.Load() {
		return
	}
	// If it fails, the cooldown ends by itself.
	_ = t.fleet.request(ctx, func(ctx context.Context) error { return t.fleet.rdb.Del(ctx, t.refusedKey).Err() })
}

// newerThan returns the token of this worker, the shared token or a new one, whichever
// is the first that is not stale.
func (t *Tokens) newerThan(ctx context.Context, stale string) (string, error) {
	if token, _ := t.known(stale); token != "" {
		return token, nil
	}
	select {
	case t.turn <- struct{}{}:
		defer func() { <-t.turn }()
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
	token, local := t.known(stale)
	if token != "" {
		return token, nil
	}
	// If this worker's token is not in Redis, the token in Redis is most likely
	// older.
	if !local {
		if token, err := t.readShared(ctx, stale); token != "" || err != nil {
			return token, err
		}
	}
	return t.renew(ctx, stale)
}

// known returns the token of this worker unless it is stale.
func (t *Tokens) known(stale string) (token string, local bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.current == stale {
		return "", t.local
	}
	return t.current, t.local
}

func (t *Tokens) setCurrent(token string, local bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.current, t.local, t.succeeded = token, local, true
}

// readShared returns the shared token unless it is stale, or an error if no
// worker should log in now. It returns neither if Redis has no token or does not
// answer.
func (t *Tokens) readShared(ctx context.Context, stale string) (string, error) {
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if t.fleet.lost.Load() {
		return "", nil
	}
	token, err := t.fleet.text(ctx, t.tokenKey)
	if err != nil {
		return "", nil // without Redis this worker logs in by itself
	}
	if token != "" && token != stale {
		t.setCurrent(token, false)
		return token, nil
	}
	limited, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	left, err := t.fleet.rdb.PTTL(limited, t.refusedKey).Result()
	if err == nil && left > 0 && left <= longestCooldown { // no worker writes a longer one
		if err := t.cooldown.check(); err != nil {
			return "", err
		}
		later := &usher.RetryAfter{After: left, Why: "the platform refused another worker's login: check user name and password"}
		if why, err := t.fleet.text(ctx, t.refusedKey); err == nil && why == unauthorized {
			later.Err = fmt.Errorf("%s: %w", later.Why, usher.ErrUnauthorized)
		}
		return "", later
	}
	return "", nil
}

// renew logs in under a lock, or waits for the worker that holds the lock.
func (t *Tokens) renew(ctx context.Context, stale string) (string, error) {
	owner := rand.Text() + " " + t.fleet.options.Worker
	for {
		if err := t.cooldown.check(); err != nil {
			return "", err
		}
		if t.fleet.lost.Load() {
			return t.logIn(ctx)
		}
		_, holder, err := t.fleet.acquire(ctx, t.lockKey, owner, loginLock)
		switch {
		case ctx.Err() != nil:
			return "", context.Cause(ctx)
		case err != nil:
			return t.logIn(ctx)
		case holder == owner:
			return t.renewLocked(ctx, stale, owner)
		}
		if err := usher.Sleep(ctx, loginPoll); err != nil {
			return "", err
		}
		if token, err := t.readShared(ctx, stale); token != "" || err != nil {
			return token, err
		}
	}
}

// renewLocked logs in under the lock of owner, unless another worker has just logged
// in.
func (t *Tokens) renewLocked(ctx context.Context, stale, owner string) (string, error) {
	defer t.fleet.release(context.WithoutCancel(ctx), t.lockKey, owner)
	if _, local := t.known(stale); !local {
		if token, err := t.readShared(ctx, stale); token != "" || err != nil {
			return token, err
		}
	}
	return t.logIn(ctx)
}

// logIn logs in and shares the token if Redis answers. A login that has never succeeded waits for its
// turn, see newcomers.
func (t *Tokens) logIn(ctx context.Context) (string, error) {
	if t.hasSucceeded(ctx) || t.named(ctx) {
		return t.tryLogin(ctx, "yes")
	}
	end, err := t.fleet.beginNewcomer(ctx)
	if err != nil {
		return "", err
	}
	token, err := t.tryLogin(ctx, "no")
	end(err)
	return token, err
}

// tryLogin logs in. known says for the metric whether the advertiser is known.
func (t *Tokens) tryLogin(ctx context.Context, known string) (string, error) {
	limited, cancel := context.WithTimeout(ctx, loginTimeout)
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
		t.fleet.metrics.logins.WithLabelValues("failed", known).Inc()
		if length, answered := t.cooldown.begin(err); answered {
			why := "1"
			if errors.Is(err, usher.ErrUnauthorized) {
				why = unauthorized
			}
			t.share(ctx, t.refusedKey, why, length)
		}
		return "", err
	}
	t.fleet.metrics.logins.WithLabelValues("done", known).Inc()
	t.cooldown.end()
	t.setCurrent(token, !t.share(ctx, t.tokenKey, token, tokenLife))
	t.share(ctx, t.knownKey, "1", 0)
	return token, nil
}

// share writes a key to Redis and reports whether that succeeded.
func (t *Tokens) share(ctx context.Context, key, value string, life time.Duration) bool {
	if t.fleet.lost.Load() {
		return false
	}
	err := t.fleet.request(context.WithoutCancel(ctx), func(ctx context.Context) error {
		return t.fleet.rdb.Set(ctx, key, value, life).Err()
	})
	return err == nil
}

const (
	firstCooldown   = 2 * time.Second // after a refused login; doubled after each further one
	longestCooldown = time.Minute
	// shortCooldown follows a login that the platform did not answer. During it,
	// concurrent calls share the failed login; the breaker limits further ones.
	shortCooldown = time.Second
)

// cooldown is the time after a failed login during which this worker does not log in
// again. Without it, every call would send a wrong password, which could lock the
// account.
type cooldown struct {
	refused *backoff.ExponentialBackOff

	mu      sync.Mutex
	until   time.Time
	failure error // of the last login
}

func newCooldown() *cooldown {
	return &cooldown{refused: backoff.NewExponentialBackOff(
		backoff.WithInitialInterval(firstCooldown), backoff.WithMaxInterval(longestCooldown), backoff.WithMultiplier(2),
		backoff.WithRandomizationFactor(0), backoff.WithMaxElapsedTime(0),
	)}
}

// check returns the error of the last login during a cooldown, otherwise nil. A
// Permanent becomes a RetryAfter, because the cause may be fixed by now: an old
// answer must not make a job fail for good.
func (c *cooldown) check() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	left := time.Until(c.until)
	if left <= 0 {
		return nil
	}
	var permanent *usher.Permanent
	if errors.As(c.failure, &permanent) {
		return &usher.RetryAfter{After: left, Why: "the platform refused the login a moment ago: " + permanent.Error()}
	}
	return c.failure
}

// begin begins a cooldown after a failed login and returns its length. answered
// reports whether the platform answered the login; if so, the cooldown applies to all
// workers.
func (c *cooldown) begin(err error) (length time.Duration, answered bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var unavailable *usher.Unavailable
	var later *usher.RetryAfter
	switch {
	case errors.As(err, &unavailable), errors.Is(err, context.DeadlineExceeded):
		length = shortCooldown
	case errors.As(err, &later):
		length, answered = min(max(later.After, shortCooldown), longestCooldown), true
	default:
		length, answered = c.refused.NextBackOff(), true
	}
	c.until, c.failure = time.Now().Add(length), err
	return length, answered
}

// end ends the cooldown after a successful login.
func (c *cooldown) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.until, c.failure = time.Time{}, nil
	c.refused.Reset()
}
