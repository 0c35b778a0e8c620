package feeds

import (
	"context"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"

	"usher/internal/scrape"
)

// NewCollector returns a collector of the feeds.
func NewCollector(states *States, logger *slog.Logger) prometheus.Collector {
	describe := func(name, help string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, []string{"feed"}, nil)
	}
	late := describe("usher_feed_late", "1 while the export of a feed has not come in time.")
	blind := describe("usher_feed_blind", "1 while the place of a feed cannot be looked at, so that new exports are not seen.")
	held := describe("usher_feed_held", "Exports of a feed that wait for approval.")
	paused := describe("usher_feed_paused", "1 while a feed is paused by hand.")
	job := describe("usher_feed_last_job_timestamp_seconds", "When a feed published its last job.")
	return &scrape.Collector{
		Reads: "feeds for metrics", Logger: logger, Metrics: []*prometheus.Desc{late, held, paused, job, blind},
		Read: func(ctx context.Context, gauge scrape.Gauge) error {
			all, err := states.List(ctx)
			if err != nil {
				return err
			}
			for i := range all {
				s := &all[i]
				_, isLate := s.Late(states.queue.Now())
				gauge(late, number(isLate), s.Name)
				gauge(blind, number(s.Blind != "" && s.Paused == nil), s.Name)
				gauge(held, float64(len(s.HeldVersions())), s.Name)
				gauge(paused, number(s.Paused != nil), s.Name)
				if s.Last != nil {
					gauge(job, float64(s.Last.At.Unix()), s.Name)
				}
			}
			return nil
		},
	}
}

func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
