package intake

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// metrics count requests. The labels have a closed set of values.
type metrics struct {
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
}

func newMetrics(registry prometheus.Registerer, routes []route) *metrics {
	create := promauto.With(registry)
	m := &metrics{
		requests: create.NewCounterVec(prometheus.CounterOpts{Name: "usher_intake_requests_total", Help: "Requests for jobs over HTTP, by route and status."}, []string{"route", "status"}),
		duration: create.NewHistogramVec(prometheus.HistogramOpts{Name: "usher_intake_request_seconds", Help: "Time from the head of a request to its response.", Buckets: prometheus.ExponentialBuckets(0.001, 3, 10)}, []string{"route"}),
	}
	for _, r := range routes { // series begin at 0, so that an alert sees the first increase
		m.requests.WithLabelValues(r.name(), strconv.Itoa(http.StatusServiceUnavailable))
		m.requests.WithLabelValues(r.name(), strconv.Itoa(http.StatusTooManyRequests))
	}
	return m
}

func (m *metrics) served(r route, status int, took time.Duration) {
	m.requests.WithLabelValues(r.name(), strconv.Itoa(status)).Inc()
	m.duration.WithLabelValues(r.name()).Observe(took.Seconds())
}
