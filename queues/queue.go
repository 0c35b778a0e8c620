package queues

import (
	"context"
	"crypto/rand"
	"log/slog"
	"sync"
	"time"
	"usher/queues/schema"
	"usher/queues/store"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"

	"usher"
)

// Options of a Queue. The zero value works on one embedded server.
type Options struct {
	Namespace string        // prefixes streams, subjects and buckets; letters, digits, - and _
	Replicas  int           // of streams and buckets; default 1
	MaxBytes  int64         // of each work stream; a full stream refuses messages; default 1 GiB
	AckWait   time.Duration // after which the delivery of a silent worker is redelivered; default 30 s
	Age       time.Duration // after which a job that waits on its target is taken, so that it fails; default 24 h
	Worker    string        // names this process in records and locks; default random

	// Seal replaces raw inline ids by digests in place and returns the tally of dropped
	// ids.
	Seal func(*usher.Job) (usher.Tally, error)
	// MergeSketch merges the sketches of distinct digests in checkpoints, and Distinct
	// estimates their number.
	MergeSketch func(into, from []byte) []byte
	Distinct    func(sketch []byte) int64

	Metrics prometheus.Registerer // nil: metrics are not registered
	Logger  *slog.Logger
	Now     func() time.Time // for records; default time.Now
}

func (o Options) withDefaults() Options {
	if o.Replicas == 0 {
		o.Replicas = 1
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = 1 << 30
	}
	if o.AckWait == 0 {
		o.AckWait = 30 * time.Second
	}
	if o.Age == 0 {
		o.Age = 24 * time.Hour
	}
	if o.Worker == "" {
		o.Worker = rand.Text()[:8]
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Queue is one connection's view of the jobs. It is safe for concurrent use.
type Queue struct {
	options Options
	logger  *slog.Logger
	now     func() time.Time
	store   *store.Store
	names   store.Names
	nc      *nats.Conn
	js      jetstream.JetStream
	state   *store.Bucket
	rules   *store.Bucket
	schemas *schema.Schemas
	metrics *metrics

	mu   sync.Mutex
	live map[string]*Lease // by token: the leases of this process
	// abandoned are the tokens of leases that have ended although their records may
	// still name them. A redelivery that finds one is no crash.
	abandoned map[string]bool
}

// Open returns a Queue over the streams and buckets that Declare creates.
func Open(ctx context.Context, nc *nats.Conn, o Options) (*Queue, error) {
	o = o.withDefaults()
	schemas, err := schema.Load()
	if err != nil {
		return nil, err
	}
	s, err := store.Open(ctx, nc, o.Namespace)
	if err != nil {
		return nil, err
	}
	return &Queue{
		options: o, logger: o.Logger, now: o.Now,
		store: s, names: s.Names, nc: nc, js: s.JS, state: s.State, rules: s.Rules,
		schemas: schemas, metrics: newMetrics(o.Metrics, schemas.Kinds()),
		live: map[string]*Lease{}, abandoned: map[string]bool{},
	}, nil
}

// Store returns the store that the queue keeps its jobs in.
func (q *Queue) Store() *store.Store { return q.store }

// Worker returns the name of this process in records and locks.
func (q *Queue) Worker() string { return q.options.Worker }

// Now returns the time by the queue's clock.
func (q *Queue) Now() time.Time { return q.now() }

// Schemas returns the schemas of all kinds of job.
func (q *Queue) Schemas() *schema.Schemas { return q.schemas }
