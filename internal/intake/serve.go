package intake

import (
	"errors"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"golang.org/x/net/netutil"
)

// serve wraps a route. A request passes the token, its rate and the limits of the body
// before the handler. Nothing of its body, query or headers is logged.
func (in *Intake) serve(r route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		start := in.Now()
		c := call{Request: req}
		a, err := in.answer(w, r, &c)
		a.write(w, err)
		took := in.Now().Sub(start)
		in.metrics.served(r, a.statusOf(err), took)
		in.log(r, c, a, err, took)
	})
}

// answer runs the checks and the handler.
func (in *Intake) answer(w http.ResponseWriter, r route, c *call) (answer, error) {
	token, presented := bearer(c.Request)
	g, err := in.Tokens.find(token)
	switch {
	case err != nil:
		return answer{}, unavailable(err, "tokens cannot be checked now: try again")
	case g == nil:
		in.drain(w, c.Request, strangerDrain)
		return answer{}, unauthorized(presented)
	}
	c.grant = g
	if wait := in.rates.wait(g); wait > 0 {
		in.drain(w, c.Request, drainLimit)
		return answer{}, refuse(http.StatusTooManyRequests, "this token may send %g requests per second", in.Rate).after(wait)
	}
	if r.hasBody {
		body := in.openBody(w, c.Request)
		defer body.release()
		if c.body, err = body.readAll(); err != nil {
			return answer{}, err
		}
	}
	slots := in.busy
	if r.waits && c.URL.Query().Has("wait") {
		slots = in.waiting
	}
	select {
	case slots <- struct{}{}:
		defer func() { <-slots }()
		return r.handle(*c)
	default:
		return answer{}, unavailable(nil, "too many requests wait: try again")
	}
}

// bearer returns the token of a request, and whether it has one.
func bearer(r *http.Request) (token string, presented bool) {
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return "", false
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	token = strings.TrimSpace(token)
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return "", false
	}
	return token, true
}

func unauthorized(presented bool) *problem {
	const realm = `Bearer realm="usher"`
	if presented {
		return refuse(http.StatusUnauthorized, "the token is not known").with("WWW-Authenticate", realm+`, error="invalid_token"`)
	}
	return refuse(http.StatusUnauthorized, "a token is required: Authorization: Bearer TOKEN").with("WWW-Authenticate", realm)
}

// statusOf returns the status of the response.
func (a answer) statusOf(err error) int {
	if err != nil {
		return problemOf(err).Status
	}
	return a.status
}

// write writes the response to err, or the answer if err is nil.
func (a answer) write(w http.ResponseWriter, err error) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if err != nil {
		p := problemOf(err)
		maps.Copy(w.Header(), p.header)
		writeJSON(w, "application/problem+json", p.Status, p)
		return
	}
	if a.location != "" {
		w.Header().Set("Location", a.location)
	}
	if a.contentType == "" {
		a.contentType = "application/json"
	}
	writeJSON(w, a.contentType, a.status, a.body)
}

// problemOf returns the response to an error.
func problemOf(err error) *problem {
	var p *problem
	if errors.As(err, &p) {
		return p
	}
	return unavailable(err, "usher cannot answer now: try again")
}

// log logs a request. Refused strangers are not logged at the default level, because
// there may be any number of them.
func (in *Intake) log(r route, c call, a answer, err error, took time.Duration) {
	status := a.statusOf(err)
	level := slog.LevelInfo
	switch {
	case status >= http.StatusInternalServerError:
		level = slog.LevelWarn
	case status == http.StatusUnauthorized || status == http.StatusTooManyRequests:
		level = slog.LevelDebug
	}
	attributes := []slog.Attr{
		slog.String("method", c.Method), slog.String("route", r.path), slog.Int("status", status),
		slog.Int("bytes", len(c.body)), slog.Duration("took", took), slog.String("from", c.RemoteAddr),
	}
	if c.grant != nil {
		attributes = append(attributes, slog.String("token", c.grant.Name))
	}
	if a.job != "" {
		attributes = append(attributes, slog.String("job", a.job))
	}
	if err != nil && errors.Unwrap(err) != nil {
		attributes = append(attributes, slog.Any("error", errors.Unwrap(err)))
	}
	in.Logger.LogAttrs(c.Context(), level, "HTTP request", attributes...)
}

// maxConnections is how many clients are connected at once. More wait to be accepted.
const maxConnections = 1024

// NewServer returns a server for an Intake that disconnects slow clients: the header of a
// request must arrive within ten seconds, and the part of a body that the Intake does not
// read within 50.
func NewServer(in *Intake) *http.Server {
	return &http.Server{
		Handler: in, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 50 * time.Second, IdleTimeout: time.Minute,
		MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(in.Logger.Handler(), slog.LevelDebug),
	}
}

// LimitConnections returns a listener that accepts as many connections as an Intake serves.
func LimitConnections(l net.Listener) net.Listener { return netutil.LimitListener(l, maxConnections) }

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
