package fleet

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

type metrics struct {
	limiterWait *prometheus.HistogramVec // by lane
	locks       *prometheus.CounterVec   // by result
	lost        prometheus.Counter
	held        prometheus.Histogram
	logins      *prometheus.CounterVec // by result
}

func newMetrics(registry prometheus.Registerer, f *Fleet) *metrics {
	factory := promauto.With(registry)
	buckets := prometheus.ExponentialBuckets(0.001, 4, 9) // 1 ms to about a minute
	factory.NewGaugeFunc(prometheus.GaugeOpts{Name: "usher_redis_up", Help: "1 while Redis answers this worker, otherwise 0."}, func() float64 {
		if f.lost.Load() {
			return 0
		}
		return 1
	})
	m := &metrics{
		limiterWait: factory.NewHistogramVec(prometheus.HistogramOpts{
			Name: "usher_limiter_wait_seconds", Help: "Time that calls to the platform waited for the rate limit.", Buckets: buckets,
		}, []string{"lane"}),
		locks: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "usher_locks_total", Help: "Requests for locks by result: taken, held (by another worker) or away (Redis did not answer).",
		}, []string{"result"}),
		lost:   factory.NewCounter(prometheus.CounterOpts{Name: "usher_locks_lost_total", Help: "Locks that were lost while they were held."}),
		held:   factory.NewHistogram(prometheus.HistogramOpts{Name: "usher_lock_held_seconds", Help: "Time for which locks were held.", Buckets: buckets}),
		logins: factory.NewCounterVec(prometheus.CounterOpts{Name: "usher_token_renewals_total", Help: "Logins at the platform by result: done or failed."}, []string{"result"}),
	}
	// Each series begins at 0, because an alert would miss the first event of a series
	// that begins at 1.
	for _, result := range []string{"taken", "held", "away"} {
		m.locks.WithLabelValues(result)
	}
	for _, result := range []string{"done", "failed"} {
		m.logins.WithLabelValues(result)
	}
	return m
}

func (m *metrics) observeLimiterWait(campaign bool, since time.Time) {
	lane := "audience"
	if campaign {
		lane = "campaign"
	}
	m.limiterWait.WithLabelValues(lane).Observe(time.Since(since).Seconds())
}
