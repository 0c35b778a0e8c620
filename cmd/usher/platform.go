package main

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"usher"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/internal/fleet"
	"usher/internal/platform"
	"usher/internal/rtb"
)

// newPlatform returns the configured clients of the platform, which share limits
// and tokens through the fleet.
func newPlatform(c config.Config, f *fleet.Fleet, named *advertisers, registry prometheus.Registerer, now func() time.Time, logger *slog.Logger) (*platform.Platform, error) {
	secure, err := connect.ClientTLS(c, "platform")
	return platform.New(platform.Options{
		URL: c.String("platform.url"), Username: c.String("platform.username"), Password: currentValue(c, "platform.password"),
		Advertiser: c.String("platform.advertiser"), Timeout: c.Duration("platform.timeout"), TLS: secure,
		Connections:         (c.Int("lanes.audience") + c.Int("lanes.bulk")) * max(c.Int("upload.in_flight"), 4),
		CampaignConnections: c.Int("lanes.campaign"),
		Rate:                connect.PlatformRate(c),
		LimiterAt:           func(advertiser string, r usher.Rate) platform.Limiter { return f.LimiterAt(advertiser, r) },
		Tokens: func(login, advertiser string, get func(ctx context.Context) (string, error)) rtb.Tokens {
			return f.Tokens(login, func(ctx context.Context) bool {
				known, _ := named.isNamed(ctx, advertiser) // one that is not known to be named shares the limit
				return known
			}, get)
		},
		Allow:   named.allow,
		Metrics: registry, Logger: logger, Now: now,
	}), err
}

// currentValue returns a function that returns the value of a key at that time. If the
// configuration cannot be read again, that is the last valid one; package reload logs it.
func currentValue(c config.Config, key string) func() string {
	return func() string {
		now, _ := c.Reload()
		return now.String(key)
	}
}

// ratesOf returns the rates that were set at run time, by advertiser. The configured one applies
// instead of a damaged one.
func ratesOf(limits map[string]usher.Setting) map[string]usher.Rate {
	rates := map[string]usher.Rate{}
	for advertiser, l := range limits {
		if !l.Damaged {
			rates[advertiser] = l.Rate
		}
	}
	return rates
}
