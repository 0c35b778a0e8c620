package main

import (
	"log/slog"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
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
