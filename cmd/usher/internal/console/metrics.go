package console

import (
	"log/slog"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// serveMetrics serves /metrics. If a metric cannot be read, the others are still served.
func serveMetrics(registry *prometheus.Registry, logger *slog.Logger) http.Handler {
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{
		Registry: registry, ErrorHandling: promhttp.ContinueOnError,
		ErrorLog: slog.NewLogLogger(logger.Handler(), slog.LevelWarn), MaxRequestsInFlight: 4,
	})
}
