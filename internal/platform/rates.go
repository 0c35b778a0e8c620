package platform

import (
	"time"

	"usher"
)

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
		p.options.Limiter(advertiser, p.rate(advertiser))
	}
}

// PausedUntil returns the time until which the platform asked the configured
// advertiser to make no calls; nil if it may make calls.
func (p *Platform) PausedUntil() *time.Time {
	p.mu.Lock()
	limiter := p.limiter(p.options.Advertiser)
	p.mu.Unlock()
	if until := limiter.Stopped(); until.After(time.Now()) {
		return &until
	}
	return nil
}

// limiter is called with mu held.
func (p *Platform) limiter(advertiser string) Limiter {
	if p.limiters[advertiser] == nil {
		p.limiters[advertiser] = p.options.Limiter(advertiser, p.rate(advertiser))
	}
	return p.limiters[advertiser]
}
