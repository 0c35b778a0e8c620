package fleet

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v4"

	"usher"
)

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
