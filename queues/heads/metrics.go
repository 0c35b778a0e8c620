package heads

import (
	"context"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"

	"usher/internal/scrape"
)

// NewCollector returns a collector of the ledgers.
func NewCollector(heads *Heads, logger *slog.Logger) prometheus.Collector {
	lapse := prometheus.NewDesc("usher_members_lapse",
		"Members of a segment that leave it by the end of tomorrow, because nothing uploads them again.", []string{"advertiser", "target"}, nil)
	return &scrape.Collector{
		Reads: "ledgers for metrics", Logger: logger, Metrics: []*prometheus.Desc{lapse},
		Read: func(ctx context.Context, gauge scrape.Gauge) error {
			list, err := heads.Lapsing(ctx)
			if err != nil {
				return err
			}
			for i := range list {
				gauge(lapse, float64(list[i].Count), list[i].Advertiser, list[i].Name)
			}
			return nil
		},
	}
}
