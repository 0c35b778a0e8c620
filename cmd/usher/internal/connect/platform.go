package connect

import (
	"usher"
	"usher/cmd/usher/internal/config"
)

// PlatformRate returns the configured rate limit of an advertiser.
func PlatformRate(c config.Config) usher.Rate {
	return usher.Rate{PerSecond: c.Float64("platform.rate"), Burst: c.Int("platform.burst"), ReservePercent: c.Float64("platform.reserve_percent")}
}
