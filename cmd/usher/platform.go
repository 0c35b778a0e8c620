package main

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"usher/internal/fleet"
	"usher/internal/rtb"
	"usher/queues"
	"usher/workers"
)

// platform makes the clients of the platform: one per advertiser and kind of
// work, over a shared token, a shared limit and the one breaker.
type platform struct {
	config  config
	fleet   *fleet.Fleet
	breaker *workers.Breaker
	answers answers
	metrics *platformMetrics

	mu      sync.Mutex
	clients map[string]*rtb.Client
	limits  map[string]*fleet.Limiter
	rates   map[string]fleet.Rate  // that were set at run time
	bare    map[string]rtb.Options // see options
	prober  *rtb.Client
}

func newPlatform(c config, f *fleet.Fleet, registry prometheus.Registerer, logger *slog.Logger) *platform {
	p := &platform{config: c, fleet: f, metrics: newPlatformMetrics(registry), clients: map[string]*rtb.Client{}, limits: map[string]*fleet.Limiter{}, bare: map[string]rtb.Options{}}
	p.breaker = workers.NewBreaker(p.probe, time.Now, logger)
	watchBreaker(registry, p.breaker)
	return p
}

// client is the client of an advertiser, "" being the configured one. The
// campaign lane has connections of its own, and a reserve of the limit.
func (p *platform) client(advertiser string, campaign bool) *rtb.Client {
	if advertiser == "" {
		advertiser = p.config.String("platform.advertiser")
	}
	key := fmt.Sprintf("%s %t", advertiser, campaign)
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.clients[key]; c != nil {
		return c
	}
	limiter := p.limiter(advertiser)
	options := p.options(advertiser)
	options.HTTP = rtb.NewHTTPClient(p.connections(campaign), p.config.Duration("platform.timeout"))
	options.Tokens = watchedTokens{options.Tokens, p.breaker}
	options.Gate = func(ctx context.Context) error {
		if err := p.breaker.Gate(); err != nil {
			return err
		}
		return limiter.Wait(ctx, campaign)
	}
	options.Observe = func(o rtb.Outcome) {
		p.breaker.Observe(o.Err)
		p.answers.count(o.Status)
		p.metrics.observe(&o)
		if o.RetryAfter > 0 {
			limiter.Stop(context.Background(), o.RetryAfter)
		}
	}
	p.clients[key] = rtb.New(options)
	return p.clients[key]
}

// watchedTokens tells the breaker of calls that failed for want of a token:
// while the platform is down, so is the login, and a failed one is remembered
// for a second, so that few calls ever reach the platform to be observed.
type watchedTokens struct {
	rtb.Tokens
	breaker *workers.Breaker
}

func (t watchedTokens) Token(ctx context.Context) (string, error) {
	token, err := t.Tokens.Token(ctx)
	if err != nil {
		t.breaker.Observe(err)
	}
	return token, err
}

func (p *platform) connections(campaign bool) int {
	if campaign {
		return p.config.Int("lanes.campaign")
	}
	return (p.config.Int("lanes.audience") + p.config.Int("lanes.bulk")) * max(p.config.Int("upload.in_flight"), 4)
}

func (p *platform) limiter(advertiser string) *fleet.Limiter {
	if p.limits[advertiser] == nil {
		p.limits[advertiser] = p.fleet.Limiter(advertiser, p.rate(advertiser))
	}
	return p.limits[advertiser]
}

// limitOf is an advertiser's limit as it holds now.
func (p *platform) limitOf(advertiser string) fleet.Rate {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rate(advertiser)
}

// rate is an advertiser's limit as it was set, or as configured.
func (p *platform) rate(advertiser string) fleet.Rate {
	if r, set := p.rates[advertiser]; set {
		return r
	}
	return configuredRate(p.config)
}

func configuredRate(c config) fleet.Rate {
	return fleet.Rate{PerSecond: c.Float64("platform.rate"), Burst: c.Int("platform.burst"), ReservePercent: c.Float64("platform.reserve_percent")}
}

// setLimits has limits hold that were set at run time, and the configured one
// for all other advertisers.
func (p *platform) setLimits(limits []queues.Limit) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rates = map[string]fleet.Rate{}
	for _, l := range limits {
		p.rates[l.Advertiser] = fleet.Rate{PerSecond: l.PerSecond, Burst: l.Burst, ReservePercent: l.ReservePercent}
	}
	for advertiser := range p.limits {
		p.fleet.Limiter(advertiser, p.rate(advertiser))
	}
}

// options are those of a client that nothing holds back: it logs in, and it
// finds out whether the platform is up again. All of an advertiser's clients
// share one token, also while Redis is away.
func (p *platform) options(advertiser string) rtb.Options {
	if o, known := p.bare[advertiser]; known {
		return o
	}
	base, username, password := p.config.String("platform.url"), p.config.String("platform.username"), p.config.String("platform.password")
	seen := func(o rtb.Outcome) { p.metrics.observe(&o) }
	login := rtb.New(rtb.Options{BaseURL: base, Advertiser: advertiser, Observe: seen})
	tokens := p.fleet.Tokens(fmt.Sprintf("%s %s %s", base, username, advertiser), func(ctx context.Context) (string, error) {
		return login.Auth.Token(ctx, username, password)
	})
	p.bare[advertiser] = rtb.Options{BaseURL: base, Advertiser: advertiser, Tokens: tokens, Observe: seen}
	return p.bare[advertiser]
}

// resting is until when the platform has asked the configured advertiser for a
// pause; nil where it has not.
func (p *platform) resting() *time.Time {
	p.mu.Lock()
	limiter := p.limiter(p.config.String("platform.advertiser"))
	p.mu.Unlock()
	if until := limiter.Stopped(); until.After(time.Now()) {
		return &until
	}
	return nil
}

// probe makes one call of the platform that no gate holds back.
func (p *platform) probe(ctx context.Context) error {
	p.mu.Lock()
	if p.prober == nil { // one, since each has connections of its own
		p.prober = rtb.New(p.options(p.config.String("platform.advertiser")))
	}
	prober := p.prober
	p.mu.Unlock()
	_, err := prober.Segments.List(ctx)
	return err
}

// await waits until the platform answers a login, and says what it waits for.
func (p *platform) await(ctx context.Context, every time.Duration, logger *slog.Logger) error {
	said := ""
	for {
		err := p.probe(ctx)
		if err == nil {
			return nil
		}
		if err.Error() != said && ctx.Err() == nil {
			said = err.Error()
			logger.Warn("not up yet, waiting for the platform", "error", err)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for the platform at %s: %w", p.config.String("platform.url"), err)
		case <-time.After(every):
		}
	}
}

// hasToken reports whether there is a token, or one can be had.
func (p *platform) hasToken(ctx context.Context) error {
	p.mu.Lock()
	options := p.options(p.config.String("platform.advertiser"))
	p.mu.Unlock()
	_, err := options.Tokens.Token(ctx)
	return err
}
