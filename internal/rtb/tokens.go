package rtb

import (
	"context"
	"errors"
	"sync"
)

// errAbandoned lands a login whose caller's context ended: its waiters try
// again, each with a context of its own.
var errAbandoned = errors.New("whoever logged in gave up")

// Tokens hands out the access token that many callers share.
type Tokens interface {
	// Token returns the current token, getting one where there is none.
	Token(ctx context.Context) (string, error)
	// Renew returns another token than stale: the one that somebody else has
	// got meanwhile, or a new one. Of many callers with the same stale token
	// one logs in and all get its result.
	Renew(ctx context.Context, stale string) (string, error)
}

// NewTokens returns Tokens that are shared within this process. login gets a
// new token.
func NewTokens(login func(ctx context.Context) (string, error)) Tokens {
	return &localTokens{login: login}
}

type localTokens struct {
	login func(ctx context.Context) (string, error)

	mu     sync.Mutex
	token  string
	flight *flight // the login under way; nil: none
}

// flight is one login that many wait for.
type flight struct {
	landed chan struct{} // closed when token and err are set
	token  string
	err    error
}

func (t *localTokens) Token(ctx context.Context) (string, error) { return t.Renew(ctx, "") }

func (t *localTokens) Renew(ctx context.Context, stale string) (string, error) {
	for {
		t.mu.Lock()
		if t.token != "" && t.token != stale {
			defer t.mu.Unlock()
			return t.token, nil
		}
		if t.flight == nil {
			return t.fly(ctx) // unlocks
		}
		f := t.flight
		t.mu.Unlock()
		select {
		case <-ctx.Done():
			return "", context.Cause(ctx)
		case <-f.landed:
		}
		if errors.Is(f.err, errAbandoned) {
			continue // whoever logged in gave up for reasons of its own
		}
		return f.token, f.err
	}
}

// fly logs in for everybody. It is called with the lock held.
func (t *localTokens) fly(ctx context.Context) (string, error) {
	f := &flight{landed: make(chan struct{})}
	t.flight, t.token = f, ""
	t.mu.Unlock()

	token, err := t.login(ctx)

	t.mu.Lock()
	defer t.mu.Unlock()
	f.token, f.err = token, err
	if err != nil && ctx.Err() != nil {
		f.err = errAbandoned
	}
	t.flight, t.token = nil, token
	close(f.landed)
	return token, err
}
