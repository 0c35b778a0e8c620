package platform

import (
	"maps"
	"net/http"
	"strconv"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"usher/internal/rtb"
)

// metrics counts the calls to the platform.
type metrics struct {
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec

	mu       sync.Mutex
	byStatus map[string]int64
}

func newMetrics(registry prometheus.Registerer, breaker *Breaker, operations *operations) *metrics {
	factory := promauto.With(registry)
	factory.NewGaugeFunc(prometheus.GaugeOpts{Name: "usher_platform_up", Help: "0 while the platform is known to be down or to refuse usher's login and no jobs, or no uploads, are fetched, and after that until a call succeeds or none fails for a minute; otherwise 1."}, func() float64 {
		if breaker.Up() {
			return 1
		}
		return 0
	})
	if registry != nil {
		registry.MustRegister(&operationCollector{operations, prometheus.NewDesc("usher_platform_operation_up",
			"0 while an operation of the platform fails or does not answer, judged by calls of that operation only; 1 while it works; missing if it was not called for ten minutes.", []string{"operation"}, nil)})
	}
	return &metrics{
		requests: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "usher_platform_requests_total", Help: "Calls to the platform by operation and HTTP status; status 0 if no answer came, unreadable if the answer of a success, or a 404, was not the platform's.",
		}, []string{"operation", "status"}),
		seconds: factory.NewHistogramVec(prometheus.HistogramOpts{
			Name: "usher_platform_request_seconds", Help: "Duration of calls to the platform.", Buckets: prometheus.ExponentialBuckets(0.005, 3, 10),
		}, []string{"operation"}),
		byStatus: map[string]int64{},
	}
}

func (m *metrics) observe(o rtb.Outcome) {
	m.requests.WithLabelValues(o.Op, statusOf(o)).Inc()
	m.seconds.WithLabelValues(o.Op).Observe(o.Duration.Seconds())
}

// statusOf returns the HTTP status of an outcome, or unreadable for a 200 or 404 that is no answer of
// the platform, such as a proxy's page.
func statusOf(o rtb.Outcome) string {
	if (o.Status/100 == 2 || o.Status == http.StatusNotFound) && rtb.IsDown(o.Err) {
		return "unreadable"
	}
	return strconv.Itoa(o.Status)
}

// operationCollector collects the states of the operations.
type operationCollector struct {
	operations *operations
	up         *prometheus.Desc
}

// Describe implements prometheus.Collector.
func (c *operationCollector) Describe(out chan<- *prometheus.Desc) { out <- c.up }

// Collect implements prometheus.Collector.
func (c *operationCollector) Collect(out chan<- prometheus.Metric) {
	for name, works := range c.operations.states() {
		up := 0.0
		if works {
			up = 1
		}
		out <- prometheus.MustNewConstMetric(c.up, prometheus.GaugeValue, up, name)
	}
}

// count counts an answer for Answers, which does not include logins and probes.
func (m *metrics) count(o rtb.Outcome) {
	word := "none"
	if o.Status > 0 {
		word = statusOf(o)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.byStatus[word]++
}

// Answers returns how many answers came to this process, by status; "none"
// counts the calls without an answer.
func (p *Platform) Answers() map[string]int64 {
	p.metrics.mu.Lock()
	defer p.metrics.mu.Unlock()
	return maps.Clone(p.metrics.byStatus)
}
