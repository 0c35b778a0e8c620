package fleet

import (
	"context"
	"errors"
	"time"

	"usher"
)

const (
	firstRest   = 2 * time.Second // after a refused login, doubling
	longestRest = time.Minute
	// shortRest follows a login that the platform did not get to judge. It
	// only gathers those who came at the same time: the breaker paces the rest.
	shortRest = time.Second
)

// rest is the time after a failed login in which it is not tried again: a wrong
// password would fail as often as there are calls, and lock the account.
type rest struct {
	until   time.Time
	failure error // what whoever asks meanwhile is told
	refusal int   // in a row
}

// resting returns the last login's error while it is too early for another. One
// that ends jobs for good does so only fresh from the platform: who has the user
// linked and replays must not be told the old word.
func (t *Tokens) resting() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	left := time.Until(t.rest.until)
	if left <= 0 {
		return nil
	}
	var permanent *usher.Permanent
	if errors.As(t.rest.failure, &permanent) {
		return &usher.RetryAfter{After: left, Why: "the platform refused the login a moment ago: " + permanent.Error()}
	}
	return t.rest.failure
}

// rested begins a rest after err: for all workers if it was the platform's own
// word, for this one if it did not answer.
func (t *Tokens) rested(ctx context.Context, err error) {
	wait, shared := t.restAfter(err)
	if shared {
		t.put(ctx, t.refused, "1", wait)
	}
}

func (t *Tokens) restAfter(err error) (wait time.Duration, shared bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var unavailable *usher.Unavailable
	var later *usher.RetryAfter
	switch {
	case errors.As(err, &unavailable), errors.Is(err, context.DeadlineExceeded):
		wait = shortRest
	case errors.As(err, &later):
		wait, shared = min(max(later.After, shortRest), longestRest), true
	default:
		wait, shared = min(firstRest<<min(t.rest.refusal, 10), longestRest), true
		t.rest.refusal++
	}
	t.rest.until, t.rest.failure = time.Now().Add(wait), err
	return wait, shared
}

// woken ends the rest: a login succeeded.
func (t *Tokens) woken() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rest = rest{}
}
