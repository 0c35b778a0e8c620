package main

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// newRegistry returns the registry for /metrics, with the metrics of the process.
// Other packages register their own.
func newRegistry() *prometheus.Registry {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	promauto.With(registry).NewGaugeVec(prometheus.GaugeOpts{Name: "usher_build_info", Help: "1, with the version that runs."}, []string{"version"}).WithLabelValues(version()).Set(1)
	return registry
}
