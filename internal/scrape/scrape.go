// Package scrape collects metrics whose values NATS holds, so that each scrape asks it.
package scrape

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Collector collects metrics whose values NATS holds. All workers report the same numbers, so a query takes
// their maximum.
type Collector struct {
	Reads   string // what is read, and for what, as the log says it
	Logger  *slog.Logger
	Metrics []*prometheus.Desc
	// Read reads the values and passes each to gauge. Its error is logged.
	Read func(ctx context.Context, gauge Gauge) error
}

// Gauge takes a value of a metric.
type Gauge func(d *prometheus.Desc, value float64, labels ...string)

// scrapeTime bounds the requests of one scrape.
const scrapeTime = 3 * time.Second

// Describe implements prometheus.Collector.
func (c *Collector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range c.Metrics {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (c *Collector) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTime)
	defer cancel()
	err := c.Read(ctx, func(d *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	})
	if err != nil {
		c.Logger.Warn("reading "+c.Reads, "error", err)
	}
}
