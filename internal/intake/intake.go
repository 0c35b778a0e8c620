package intake

import (
	"context"
	"log/slog"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"usher"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/schema"
	"usher/queues/status"
)

// Jobs publishes and cancels jobs: a *queues.Queue.
type Jobs interface {
	Accept(ctx context.Context, s queues.Submission) (queues.Answer, error)
	Cancel(ctx context.Context, id string, act audit.Act) error
	Schemas() *schema.Schemas
}

// Records returns the records of jobs: a *status.Reader.
type Records interface {
	Record(ctx context.Context, id string) (usher.Record, error)
	Records(ctx context.Context, f status.Filter) ([]usher.Record, error)
}

// Options of an Intake. Jobs, Records, Tokens and Outcomes are required.
type Options struct {
	Jobs       Jobs
	Records    Records
	Tokens     *Tokens
	Outcomes   Outcomes
	Advertiser string  // of jobs that do not name one
	Rate       float64 // requests per second of each token; 0: no limit

	Metrics prometheus.Registerer // nil: metrics are not registered
	Logger  *slog.Logger          // nil: nothing is logged
	Now     func() time.Time      // default time.Now
}

// maxRequests is how many requests use NATS at once. More are refused, because they
// would only wait longer.
const maxRequests = 512

// Intake is the API for jobs over HTTP, an http.Handler.
type Intake struct {
	Options
	mux        *http.ServeMux
	unknown    http.Handler
	rates      *rates
	metrics    *metrics
	busy       chan struct{} // a slot for each request that uses NATS
	waiting    chan struct{} // a slot for each request that waits for a job
	sizeLimits []sizeLimit   // of large bodies
}

// New returns an Intake.
func New(o Options) *Intake {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	in := &Intake{
		Options: o, mux: http.NewServeMux(), rates: newRates(o.Rate, o.Now),
		busy: make(chan struct{}, maxRequests), waiting: make(chan struct{}, maxRequests), sizeLimits: newSizeLimits(),
	}
	all := in.routes()
	in.metrics = newMetrics(o.Metrics, all)
	methods := map[string][]string{} // by path
	for _, r := range all {
		in.mux.Handle(r.name(), in.serve(r))
		methods[r.shape()] = append(methods[r.shape()], r.method)
	}
	for shape, allowed := range methods {
		in.mux.Handle(shape, in.serve(otherMethods(allowed)))
	}
	in.unknown = in.serve(otherPaths())
	in.mux.Handle("/", in.unknown)
	return in
}

// ServeHTTP serves the API. It has no redirects: a path that the mux would clean is
// unknown.
func (in *Intake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasPrefix(r.URL.Path, "/") || path.Clean(r.URL.Path) != r.URL.Path {
		in.unknown.ServeHTTP(w, r)
		return
	}
	in.mux.ServeHTTP(w, r)
}
