package rtb

import (
	"context"
	"errors"
	"sync"
)

// Credentials are the input of a login.
type Credentials struct {
	Username   string `query:"username"`
	Password   string `query:"password"   secret:"true"`
	Advertiser string `query:"advertiser" help:"an advertiser code; the token is bound to it"`
}

// TokenAnswer has an access token. It is opaque, of any length, and valid for about
// an hour; it may end earlier.
type TokenAnswer struct {
	AccessToken string `json:"accessToken"`
}

// AuthToken is the only operation that needs no token.
var AuthToken = func() Op[Credentials, TokenAnswer] {
	op := get[Credentials, TokenAnswer]("auth.token", "/v3/oauth/accessToken", "Get an access token for an advertiser",
		"Get an access token for the client's advertiser. A wrong password is unauthorized; a user who is not linked to the advertiser is forbidden.", 400)
	op.Open = true
	return op
}()

func authOperations() []Operation { return []Operation{AuthToken.Operation} }

// AuthService gets access tokens.
type AuthService service

// Token gets an access token for the client's advertiser. A wrong password is
// unauthorized; a user who is not linked to the advertiser is forbidden.
func (s *AuthService) Token(ctx context.Context, username, password string) (string, error) {
	answer, _, err := AuthToken.Do(ctx, s.client, Credentials{Username: username, Password: password, Advertiser: s.client.advertiser})
	return answer.AccessToken, err
}

// Tokens provides the access token that many callers share.
type Tokens interface {
	// Token returns the current token, or gets one if there is none.
	Token(ctx context.Context) (string, error)
	// Renew returns a token other than stale: one that another caller has got
	// meanwhile, or a new one. If many callers have the same stale token, one of them
	// logs in and all get its result.
	Renew(ctx context.Context, stale string) (string, error)
}

// NewTokens returns Tokens that are shared within this process. login gets a new token.
func NewTokens(login func(ctx context.Context) (string, error)) Tokens {
	return &localTokens{login: login}
}

type localTokens struct {
	login func(ctx context.Context) (string, error)

	mu      sync.Mutex
	token   string
	pending *pendingLogin // nil: no login is in progress
}

// pendingLogin is a login whose result several callers await.
type pendingLogin struct {
	done  chan struct{} // closed when token and err are set
	token string
	err   error
}

// errAbandoned is the result of a login that ended with its caller's context. The other
// callers then log in again, each with its own context.
var errAbandoned = errors.New("the caller gave up waiting for the login")

func (t *localTokens) Token(ctx context.Context) (string, error) { return t.Renew(ctx, "") }

func (t *localTokens) Renew(ctx context.Context, stale string) (string, error) {
	for {
		t.mu.Lock()
		if t.token != "" && t.token != stale {
			defer t.mu.Unlock()
			return t.token, nil
		}
		if t.pending == nil {
			p := &pendingLogin{done: make(chan struct{})}
			t.pending, t.token = p, ""
			t.mu.Unlock()
			return t.logIn(ctx, p)
		}
		p := t.pending
		t.mu.Unlock()
		select {
		case <-ctx.Done():
			return "", context.Cause(ctx)
		case <-p.done:
		}
		if !errors.Is(p.err, errAbandoned) {
			return p.token, p.err
		}
	}
}

// logIn logs in for all callers.
func (t *localTokens) logIn(ctx context.Context, p *pendingLogin) (string, error) {
	token, err := t.login(ctx)
	t.mu.Lock()
	defer t.mu.Unlock()
	p.token, p.err = token, err
	if err != nil && ctx.Err() != nil {
		p.err = errAbandoned
	}
	t.pending, t.token = nil, token
	close(p.done)
	return token, err
}
