package fleet

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// metrics are what this worker met with.
type metrics struct {
	limiter *prometheus.HistogramVec // waits for the rate limit
	locks   *prometheus.CounterVec   // asked for, by what came of it
	lost    prometheus.Counter
	held    prometheus.Histogram
	logins  *prometheus.CounterVec
}

// newMetrics registers them; with a nil registry nobody sees them.
func newMetrics(registry prometheus.Registerer, f *Fleet) *metrics {
	make := promauto.With(registry)
	buckets := prometheus.ExponentialBuckets(0.001, 4, 9) // 1 ms to about a minute
	make.NewGaugeFunc(prometheus.GaugeOpts{Name: "usher_redis_up", Help: "1 while Redis answers this worker."}, func() float64 {
		if f.lost.Load() {
			return 0
		}
		return 1
	})
	make.NewGaugeFunc(prometheus.GaugeOpts{Name: "usher_workers", Help: "Workers that there were at this one's last heartbeat."}, func() float64 {
		return float64(f.Workers())
	})
	return &metrics{
		limiter: make.NewHistogramVec(prometheus.HistogramOpts{
			Name: "usher_limiter_wait_seconds", Help: "Time that calls of the platform waited for the rate limit.", Buckets: buckets,
		}, []string{"lane"}),
		locks:  make.NewCounterVec(prometheus.CounterOpts{Name: "usher_locks_total", Help: "Locks asked for, by what came of it: taken, held by another, away with Redis."}, []string{"result"}),
		lost:   make.NewCounter(prometheus.CounterOpts{Name: "usher_locks_lost_total", Help: "Locks that were lost while they were held."}),
		held:   make.NewHistogram(prometheus.HistogramOpts{Name: "usher_lock_held_seconds", Help: "Time for which locks were held.", Buckets: buckets}),
		logins: make.NewCounterVec(prometheus.CounterOpts{Name: "usher_token_renewals_total", Help: "Logins at the platform, by result."}, []string{"result"}),
	}
}

// waited notes how long a call waited for the limit.
func (m *metrics) waited(campaign bool, since time.Time) {
	lane := "audience"
	if campaign {
		lane = "campaign"
	}
	m.limiter.WithLabelValues(lane).Observe(time.Since(since).Seconds())
}
