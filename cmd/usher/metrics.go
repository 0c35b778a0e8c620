package main

import (
	"log/slog"
	"net/http"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"usher/internal/rtb"
	"usher/workers"
)

// newRegistry is what /metrics shows: packages register what they count where
// they count it, and this the process itself.
func newRegistry() *prometheus.Registry {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	promauto.With(registry).NewGaugeVec(prometheus.GaugeOpts{Name: "usher_build_info", Help: "1, with the version that runs."}, []string{"version"}).WithLabelValues(version()).Set(1)
	return registry
}

// serveMetrics answers at /metrics. One that cannot be looked up leaves the
// others where they are.
func serveMetrics(registry *prometheus.Registry, logger *slog.Logger) http.Handler {
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{
		Registry: registry, ErrorHandling: promhttp.ContinueOnError,
		ErrorLog: slog.NewLogLogger(logger.Handler(), slog.LevelWarn), MaxRequestsInFlight: 4,
	})
}

// platformMetrics are the calls of the platform.
type platformMetrics struct {
	requests *prometheus.CounterVec
	took     *prometheus.HistogramVec
}

func newPlatformMetrics(registry prometheus.Registerer) *platformMetrics {
	make := promauto.With(registry)
	return &platformMetrics{
		requests: make.NewCounterVec(prometheus.CounterOpts{
			Name: "usher_platform_requests_total", Help: "Calls of the platform by operation and HTTP status; 0 where no answer came.",
		}, []string{"operation", "status"}),
		took: make.NewHistogramVec(prometheus.HistogramOpts{
			Name: "usher_platform_request_seconds", Help: "Time that calls of the platform took.", Buckets: prometheus.ExponentialBuckets(0.005, 3, 10),
		}, []string{"operation"}),
	}
}

func (m *platformMetrics) observe(o *rtb.Outcome) {
	m.requests.WithLabelValues(o.Op, strconv.Itoa(o.Status)).Inc()
	m.took.WithLabelValues(o.Op).Observe(o.Duration.Seconds())
}

// watchBreaker shows whether the platform is known to be down.
func watchBreaker(registry prometheus.Registerer, b *workers.Breaker) {
	promauto.With(registry).NewGaugeFunc(prometheus.GaugeOpts{Name: "usher_platform_up", Help: "0 while the platform is known to be down, and nothing is fetched."}, func() float64 {
		if b.Open() {
			return 0
		}
		return 1
	})
}
