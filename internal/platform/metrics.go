package platform

import (
	"maps"
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

func newMetrics(registry prometheus.Registerer, breaker *Breaker) *metrics {
	factory := promauto.With(registry)
	factory.NewGaugeFunc(prometheus.GaugeOpts{Name: "usher_platform_up", Help: "0 while the platform is known to be down or to refuse usher's login and no jobs are fetched, otherwise 1."}, func() float64 {
		if breaker.Open() {
			return 0
		}
		return 1
	})
	return &metrics{
		requests: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "usher_platform_requests_total", Help: "Calls to the platform by operation and HTTP status; status 0 if no answer came.",
		}, []string{"operation", "status"}),
		seconds: factory.NewHistogramVec(prometheus.HistogramOpts{
			Name: "usher_platform_request_seconds", Help: "Duration of calls to the platform.", Buckets: prometheus.ExponentialBuckets(0.005, 3, 10),
		}, []string{"operation"}),
		byStatus: map[string]int64{},
	}
}

func (m *metrics) observe(o rtb.Outcome) {
	m.requests.WithLabelValues(o.Op, strconv.Itoa(o.Status)).Inc()
	m.seconds.WithLabelValues(o.Op).Observe(o.Duration.Seconds())
}

// count counts an answer for Answers, which does not include logins and probes.
func (m *metrics) count(status int) {
	word := "none"
	if status > 0 {
		word = strconv.Itoa(status)
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
