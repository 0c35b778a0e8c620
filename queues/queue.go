package queues

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"

	"usher"
)

// Options of a Queue. The zero value works on one embedded server.
type Options struct {
	Namespace string        // prefixes streams, subjects and buckets; letters, digits, - and _
	Replicas  int           // of streams and buckets; default 1
	MaxBytes  int64         // of each work stream, a full one refuses; default 1 GiB
	AckWait   time.Duration // after which an unheard worker's delivery is another's; default 30 s
	Age       time.Duration // of a job that waits on its target: then it is taken, to be given up; default 24 h
	Worker    string        // names this process in records and locks; default random

	// Seal replaces raw inline ids by digests, in place, and returns the tally
	// of what it dropped.
	Seal func(*usher.Job) (usher.Tally, error)
	// MergeSketch and Distinct work on the checkpoints' sketches of distinct
	// digests.
	MergeSketch func(into, from []byte) []byte
	Distinct    func(sketch []byte) int64

	Metrics prometheus.Registerer // nil: counted, but nobody sees it
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

// Queue is one connection's view of the jobs. Safe for concurrent use.
type Queue struct {
	Options
	names   names
	nc      *nats.Conn
	js      jetstream.JetStream
	state   jetstream.KeyValue
	rules   jetstream.KeyValue
	dead    jetstream.Stream
	schemas *Schemas
	metrics *metrics

	mu   sync.Mutex
	live map[string]*Lease // by token: the leases of this process
	// forsaken are tokens of leases that ended here although their records may
	// still say that they hold: whoever finds one of them found no crash.
	forsaken map[string]bool
}

// Open returns a Queue over what Declare has made.
func Open(ctx context.Context, nc *nats.Conn, o Options) (*Queue, error) {
	o = o.withDefaults()
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, fmt.Errorf("open JetStream: %w", err)
	}
	schemas, err := LoadSchemas()
	if err != nil {
		return nil, err
	}
	q := &Queue{Options: o, names: names{o.Namespace}, nc: nc, js: js, schemas: schemas, metrics: newMetrics(o.Metrics, schemas.Kinds()), live: map[string]*Lease{}, forsaken: map[string]bool{}}
	if q.state, err = js.KeyValue(ctx, q.names.stateBucket()); err != nil {
		return nil, fmt.Errorf("open bucket %s (run `usher migrate` once?): %w", q.names.stateBucket(), err)
	}
	if q.rules, err = js.KeyValue(ctx, q.names.rulesBucket()); err != nil {
		return nil, fmt.Errorf("open bucket %s (run `usher migrate` once?): %w", q.names.rulesBucket(), err)
	}
	if q.dead, err = js.Stream(ctx, q.names.deadStream()); err != nil {
		return nil, fmt.Errorf("open stream %s (run `usher migrate` once?): %w", q.names.deadStream(), err)
	}
	return q, nil
}

// Schemas are the JSON Schemas that jobs are held to.
func (q *Queue) Schemas() *Schemas { return q.schemas }

// callTime bounds one call of NATS: less would call a stalled disk dead, more
// would outlast the lease.
const callTime = 5 * time.Second
