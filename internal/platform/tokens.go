package platform

import (
	"context"
	"fmt"

	"usher/internal/rtb"
)

// sharedTokens returns the access token of an advertiser, which all of its clients
// share. Logins are made without the breaker and the limiter. It is called with mu
// held.
func (p *Platform) sharedTokens(advertiser string) rtb.Tokens {
	if tokens, found := p.tokens[advertiser]; found {
		return tokens
	}
	o := p.options
	client := rtb.New(rtb.Options{BaseURL: o.URL, Advertiser: advertiser, HTTP: p.direct, Observe: p.metrics.observe})
	p.tokens[advertiser] = o.Tokens(fmt.Sprintf("%s %s %s", o.URL, o.Username, advertiser), func(ctx context.Context) (string, error) {
		return client.Auth.Token(ctx, o.Username, o.Password())
	})
	return p.tokens[advertiser]
}

// CheckToken returns nil if the configured advertiser has an access token or can
// log in.
func (p *Platform) CheckToken(ctx context.Context) error {
	p.mu.Lock()
	tokens := p.sharedTokens(p.options.Advertiser)
	p.mu.Unlock()
	_, err := tokens.Token(ctx)
	return err
}

// RetryLogins ends the time without logins that follows a refused login, because the password
// has changed.
func (p *Platform) RetryLogins(ctx context.Context) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, tokens := range p.tokens {
		if shared, ok := tokens.(interface{ EndCooldown(ctx context.Context) }); ok {
			shared.EndCooldown(ctx)
		}
	}
}

// observedTokens reports failed logins to the breaker. While the platform is down,
// calls fail because no login succeeds, so they never reach the platform, where the
// client would observe them.
type observedTokens struct {
	rtb.Tokens
	breaker *Breaker
}

func (t observedTokens) Token(ctx context.Context) (string, error) {
	token, err := t.Tokens.Token(ctx)
	if err != nil {
		t.breaker.Observe(err)
	}
	return token, err
}
