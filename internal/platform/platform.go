package platform

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v4"
	"github.com/prometheus/client_golang/prometheus"

	"usher"
	"usher/internal/rtb"
)

// Options are the settings of a Platform. Only TLS, Metrics and Now may be nil.
type Options struct {
	URL, Username string
	Password      func() string // the current password, called for each login
	Advertiser    string        // the advertiser that Client uses for ""
	Timeout       time.Duration // of a call that makes no progress; see rtb.NewHTTPClient

	TLS func() (*tls.Config, error) // see rtb.NewHTTPClient

	Connections         int // of the client of an advertiser for uploads and rules
	CampaignConnections int // of the client of an advertiser for campaign jobs

	Rate usher.Rate // of every advertiser without a rate set by SetRates
	// LimiterAt returns the limiter of an advertiser, the same one in each call, and sets its rate.
	LimiterAt func(advertiser string, r usher.Rate) Limiter
	Tokens    func(login, advertiser string, get func(ctx context.Context) (string, error)) rtb.Tokens
	// Allow returns why jobs may not name an advertiser other than Advertiser. nil: they may name any.
	Allow func(advertiser string) error

	Metrics prometheus.Registerer // nil: metrics are not registered
	Logger  *slog.Logger
	Now     func() time.Time // since when the platform is down; nil: time.Now
}

// Limiter limits the calls of an advertiser across all workers, see Options.LimiterAt.
type Limiter interface {
	// Wait blocks until a call may be made. A call of a campaign job may use the
	// reserve of the rate.
	Wait(ctx context.Context, campaign bool) error
	// Block blocks all calls for a time.
	Block(ctx context.Context, duration time.Duration)
	// BlockedUntil returns the time until which calls are blocked; a time in the past
	// if they are not.
	BlockedUntil() time.Time
}

// Platform makes clients of the platform. Its methods may be called from any
// goroutine.
type Platform struct {
	Breaker *Breaker

	options    Options
	metrics    *metrics
	operations *operations
	direct     *http.Client // of logins and probes
	probing    *rtb.Client  // passes neither the breaker nor the limiter

	mu       sync.Mutex
	clients  map[clientKey]*rtb.Client
	tokens   map[string]rtb.Tokens // by advertiser
	limiters map[string]Limiter    // by advertiser
	rates    map[string]usher.Rate // set at run time, by advertiser
}

// directConnections is the maximum number of connections for logins and probes.
const directConnections = 4

type clientKey struct {
	advertiser string
	campaign   bool
}

// New returns a Platform. It makes no calls.
func New(o Options) *Platform {
	p := &Platform{
		options: o, clients: map[clientKey]*rtb.Client{}, tokens: map[string]rtb.Tokens{}, limiters: map[string]Limiter{},
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	p.Breaker = NewBreaker(p.probe, min(o.Timeout, longestProbe), o.Now, o.Logger)
	p.operations = newOperations(o.Now, o.Logger)
	p.metrics = newMetrics(o.Metrics, p.Breaker, p.operations)
	p.direct = rtb.NewHTTPClient(directConnections, time.Minute, o.TLS)
	p.probing = rtb.New(rtb.Options{BaseURL: o.URL, Advertiser: o.Advertiser, HTTP: p.direct, Tokens: p.sharedTokens(o.Advertiser), Observe: p.metrics.observe})
	return p
}

// LongestCall returns how long a call may take.
func (p *Platform) LongestCall() time.Duration { return rtb.LongestCall(p.options.Timeout) }

// Client returns the client of an advertiser; "" is the configured one. All
// clients of an advertiser share one access token and one rate limit, and all
// clients share the breaker. Campaign jobs have a client with its own
// connections, which may use the reserve of the limit, and for which failures of
// uploads alone do not open the breaker, so that a pause never waits behind an upload. The calls of an advertiser that is not allowed fail before any login.
func (p *Platform) Client(advertiser string, campaign bool) *rtb.Client {
	if advertiser == "" {
		advertiser = p.options.Advertiser
	}
	if advertiser != p.options.Advertiser && p.options.Allow != nil {
		if err := p.options.Allow(advertiser); err != nil {
			return rtb.New(rtb.Options{BaseURL: p.options.URL, Advertiser: advertiser, HTTP: p.direct, Tokens: noTokens{err}})
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	key := clientKey{advertiser, campaign}
	if p.clients[key] == nil {
		p.clients[key] = p.newClient(advertiser, campaign)
	}
	return p.clients[key]
}

// newClient is called with mu held.
func (p *Platform) newClient(advertiser string, campaign bool) *rtb.Client {
	connections := p.options.Connections
	if campaign {
		connections = p.options.CampaignConnections
	}
	limiter := p.limiter(advertiser)
	return rtb.New(rtb.Options{
		BaseURL: p.options.URL, Advertiser: advertiser,
		HTTP:   rtb.NewHTTPClient(connections, p.options.Timeout, p.options.TLS),
		Tokens: observedTokens{p.sharedTokens(advertiser), p.Breaker},
		Gate: func(ctx context.Context) error {
			if err := p.Breaker.Gate(!campaign); err != nil {
				return err
			}
			return limiter.Wait(ctx, campaign)
		},
		Await: p.operations.await,
		Observe: func(o rtb.Outcome) {
			p.Breaker.Observe(o.Err, !campaign)
			p.operations.observe(o)
			p.metrics.count(o)
			p.metrics.observe(o)
			if o.RetryAfter > 0 {
				limiter.Block(context.Background(), o.RetryAfter)
			}
		},
	})
}

// Rate returns the current rate of an advertiser.
func (p *Platform) Rate(advertiser string) usher.Rate {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rate(advertiser)
}

func (p *Platform) rate(advertiser string) usher.Rate {
	if r, set := p.rates[advertiser]; set {
		return r
	}
	return p.options.Rate
}

// SetRates replaces all rates that were set at run time. Advertisers that are not in
// rates use the configured rate again.
func (p *Platform) SetRates(rates map[string]usher.Rate) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rates = rates
	for advertiser := range p.limiters {
		p.options.LimiterAt(advertiser, p.rate(advertiser))
	}
}

// Failing returns the operations that fail at the moment, judged by the outcomes of their own calls.
func (p *Platform) Failing() []Failing { return p.operations.failing() }

// Worked returns when operations have last worked, by their names.
func (p *Platform) Worked() map[string]time.Time { return p.operations.worked() }

// compareEvery is how often WatchOthers asks the other workers.
const compareEvery = 10 * time.Second

// WatchOthers asks, while operations fail, when they have last worked for other workers, until ctx ends.
func (p *Platform) WatchOthers(ctx context.Context, worked func(context.Context) ([]map[string]time.Time, error)) {
	for usher.Sleep(ctx, compareEvery) == nil {
		if len(p.Failing()) == 0 {
			continue
		}
		others, _ := worked(ctx) // without them, the operations count as before
		for _, w := range others {
			p.operations.observeOther(w)
		}
	}
}

// PausedUntil returns the time until which the platform asked the configured
// advertiser to make no calls; nil if it may make calls.
func (p *Platform) PausedUntil() *time.Time {
	p.mu.Lock()
	limiter := p.limiter(p.options.Advertiser)
	p.mu.Unlock()
	if until := limiter.BlockedUntil(); until.After(time.Now()) {
		return &until
	}
	return nil
}

// limiter is called with mu held.
func (p *Platform) limiter(advertiser string) Limiter {
	if p.limiters[advertiser] == nil {
		p.limiters[advertiser] = p.options.LimiterAt(advertiser, p.rate(advertiser))
	}
	return p.limiters[advertiser]
}

// sharedTokens returns the access token of an advertiser, which all of its clients
// share. Logins are made without the breaker and the limiter. It is called with mu
// held.
func (p *Platform) sharedTokens(advertiser string) rtb.Tokens {
	if tokens, found := p.tokens[advertiser]; found {
		return tokens
	}
	o := p.options
	client := rtb.New(rtb.Options{BaseURL: o.URL, Advertiser: advertiser, HTTP: p.direct, Observe: p.metrics.observe})
	p.tokens[advertiser] = o.Tokens(fmt.Sprintf("%s %s %s", o.URL, o.Username, advertiser), advertiser, func(ctx context.Context) (string, error) {
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

// noTokens are those of an advertiser that is not allowed.
type noTokens struct{ err error }

func (t noTokens) Token(context.Context) (string, error)         { return "", t.err }
func (t noTokens) Renew(context.Context, string) (string, error) { return "", t.err }

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
		t.breaker.Observe(err, false)
	}
	return token, err
}

// probe makes one call to the platform, without the breaker and the limiter.
func (p *Platform) probe(ctx context.Context) error {
	_, err := p.probing.Segments.List(ctx)
	return err
}

// AwaitUp probes the platform at an interval until it answers. It logs each error
// that differs from the one before. If ctx ends first, it returns the last error.
func (p *Platform) AwaitUp(ctx context.Context, interval time.Duration) error {
	var last error
	logged := ""
	err := backoff.Retry(func() error {
		last = p.probe(ctx)
		if last != nil && last.Error() != logged && ctx.Err() == nil {
			logged = last.Error()
			p.options.Logger.Warn("waiting for the platform, which is not up yet", "error", last)
		}
		return last
	}, backoff.WithContext(backoff.NewConstantBackOff(interval), ctx))
	if err != nil {
		return fmt.Errorf("wait for the platform at %s: %w", p.options.URL, last)
	}
	return nil
}
