package connect

import (
	"cmp"
	"context"
	"os"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/config"
	"usher/queues"
)

// PlatformRate returns the configured rate limit of an advertiser.
func PlatformRate(c config.Config) usher.Rate {
	return usher.Rate{PerSecond: c.Float64("platform.rate"), Burst: c.Int("platform.burst"), ReservePercent: c.Float64("platform.reserve_percent")}
}

// UploadCalls returns the number of calls a second that uploads of an advertiser may make, as it was
// set or is configured here, or 0 if it is not known. An empty advertiser is the configured one.
func UploadCalls(ctx context.Context, cmd *cobra.Command, q *queues.Queue, advertiser string) float64 {
	c, err := config.Load(cmd, os.LookupEnv)
	if err != nil {
		return 0
	}
	set, err := q.Settings().Get(ctx, usher.RateLimit, cmp.Or(advertiser, c.String("platform.advertiser")))
	switch {
	case err != nil:
		return 0
	case set != nil && !set.Damaged:
		return set.Rate.Shared()
	}
	return PlatformRate(c).Shared()
}
