package heads

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// scrapeTime bounds the requests of one scrape.
const scrapeTime = 3 * time.Second

// collector collects the metrics of ledgers. NATS holds their values, so each scrape asks it.
type collector struct {
	heads  *Heads
	logger *slog.Logger
	lapse  *prometheus.Desc
}

// NewCollector returns a collector of the ledgers. All workers report the same numbers, so a query
// takes their maximum.
func NewCollector(heads *Heads, logger *slog.Logger) prometheus.Collector {
	return &collector{heads, logger, prometheus.NewDesc("usher_members_lapse",
		"Members of a segment that leave it by the end of tomorrow, because nothing uploads them again.", []string{"advertiser", "target"}, nil)}
}

// Describe implements prometheus.Collector.
func (c *collector) Describe(out chan<- *prometheus.Desc) { out <- c.lapse }

// Collect implements prometheus.Collector.
func (c *collector) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTime)
	defer cancel()
	list, err := c.heads.Lapsing(ctx)
	if err != nil {
		c.logger.Warn("reading ledgers for metrics", "error", err)
		return
	}
	for i := range list {
		out <- prometheus.MustNewConstMetric(c.lapse, prometheus.GaugeValue, float64(list[i].Count), list[i].Advertiser, list[i].Name)
	}
}
