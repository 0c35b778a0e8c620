package feeds

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// scrapeTime bounds the requests of one scrape.
const scrapeTime = 3 * time.Second

// collector collects the metrics of feeds. NATS holds their states, so each scrape asks it.
type collector struct {
	states                  *States
	logger                  *slog.Logger
	late, held, paused, job *prometheus.Desc
	blind                   *prometheus.Desc
}

// NewCollector returns a collector of the feeds. All workers report the same numbers, so a
// query takes their maximum.
func NewCollector(states *States, logger *slog.Logger) prometheus.Collector {
	describe := func(name, help string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, []string{"feed"}, nil)
	}
	return &collector{
		states: states, logger: logger,
		late:   describe("usher_feed_late", "1 while the export of a feed has not come in time."),
		blind:  describe("usher_feed_blind", "1 while the place of a feed cannot be looked at, so that new exports are not seen."),
		held:   describe("usher_feed_held", "Exports of a feed that wait for approval."),
		paused: describe("usher_feed_paused", "1 while a feed is paused by hand."),
		job:    describe("usher_feed_last_job_timestamp_seconds", "When a feed published its last job."),
	}
}

// Describe implements prometheus.Collector.
func (c *collector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{c.late, c.held, c.paused, c.job, c.blind} {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (c *collector) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTime)
	defer cancel()
	all, err := c.states.List(ctx)
	if err != nil {
		c.logger.Warn("reading feeds for metrics", "error", err)
		return
	}
	for i := range all {
		s := &all[i]
		gauge := func(d *prometheus.Desc, value float64) {
			out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, s.Name)
		}
		_, late := s.Late(c.states.queue.Now())
		gauge(c.late, number(late))
		gauge(c.blind, number(s.Blind != "" && s.Paused == nil))
		gauge(c.held, float64(len(s.HeldVersions())))
		gauge(c.paused, number(s.Paused != nil))
		if s.Last != nil {
			gauge(c.job, float64(s.Last.At.Unix()))
		}
	}
}

func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
