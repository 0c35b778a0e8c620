package queues

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"

	"usher"
	"usher/queues/audit"
	"usher/queues/lanes"
	"usher/queues/message"
	"usher/queues/names"
	"usher/queues/presence"
	"usher/queues/records"
	"usher/queues/schema"
	"usher/queues/settings"
	"usher/queues/status"
	"usher/queues/store"
	"usher/queues/targets"
)

// Options of a Queue. The zero value works on one embedded server.
type Options struct {
	Namespace string        // prefixes streams, subjects and buckets; letters, digits, - and _
	Replicas  int           // of streams and buckets; default 1
	MaxBytes  int64         // of each work stream; a full stream refuses messages; default 1 GiB
	AckWait   time.Duration // after which the delivery of a silent worker is redelivered; default 30 s
	PullTime  time.Duration // how long a fetch waits for a message, at most a third of AckWait; a stop may take as long; default 2 s
	// SettleTime is how long the settlement of a lease is retried. It should be longer than
	// a short outage of NATS and shorter than the time that a deploy gives a worker to
	// stop. Default 8 s.
	SettleTime time.Duration
	Age        time.Duration // after which a job no longer waits for others on its target: a worker takes it, and it fails; default 24 h
	Worker     string        // names this process in records and locks; default random
	Host       string        // its machine; a worker that is started on it takes the place of one that is lost there

	// HashInline replaces raw inline ids by digests in place and returns the tally of dropped
	// ids.
	HashInline func(*usher.Job) (usher.Tally, error)
	// MergeSketch merges the sketches of distinct digests in checkpoints, and Distinct
	// estimates their number.
	MergeSketch func(into, from []byte) []byte
	Distinct    func(sketch []byte) int64

	Metrics prometheus.Registerer // nil: metrics are not registered
	Logger  *slog.Logger
	Now     func() time.Time // this machine's clock, which the queue compares with NATS's; default time.Now
}

func (o Options) withDefaults() Options {
	o.Replicas = cmp.Or(o.Replicas, 1)
	o.MaxBytes = cmp.Or(o.MaxBytes, 1<<30)
	o.AckWait = cmp.Or(o.AckWait, 30*time.Second)
	o.PullTime = min(cmp.Or(o.PullTime, 2*time.Second), o.AckWait/beatsPerWait) // a lease begins when its fetch does
	o.SettleTime = cmp.Or(o.SettleTime, 8*time.Second)
	o.Age = cmp.Or(o.Age, 24*time.Hour)
	o.Worker = cmp.Or(o.Worker, rand.Text()[:8])
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Queue is one connection's view of the jobs. It is safe for concurrent use.
type Queue struct {
	options Options
	logger  *slog.Logger
	clock   *clock
	now     func() time.Time // NATS's, by clock
	store   *store.Store
	names   store.Names
	nc      *nats.Conn
	js      jetstream.JetStream
	state   *store.Bucket
	rules   *store.Bucket
	schemas *schema.Schemas
	metrics *metrics

	messages *message.Reader
	records  *records.Records
	targets  *targets.Targets
	presence *presence.Presence
	segments *names.Names

	claimed atomic.Int64 // see noteClaim

	failing sync.Map // by lane: when an error of reading it was logged last, see warnReading

	mu   sync.Mutex
	live map[string]*Lease // by token: the leases of this process
	// abandoned are the tokens of leases that have ended although their records may
	// still name them. A redelivery that finds one is no crash.
	abandoned map[string]bool
}

// ErrMigrate means that NATS answers, but lacks a stream, bucket or lane of usher.
var ErrMigrate = store.ErrMigrate

// Open returns a Queue over the streams and buckets that Declare creates.
func Open(ctx context.Context, nc *nats.Conn, o Options) (*Queue, error) {
	o = o.withDefaults()
	schemas := schema.Load()
	s, err := store.Open(ctx, nc, o.Namespace, o.Logger)
	if err != nil {
		return nil, err
	}
	clock := newClock(o.Now, o.Logger)
	q := &Queue{
		options: o, logger: o.Logger, clock: clock, now: clock.now,
		store: s, names: s.Names, nc: nc, js: s.JS, state: s.State, rules: s.Rules,
		schemas:  schemas,
		messages: &message.Reader{Names: s.Names, Schemas: schemas, HashInline: o.HashInline},
		live:     map[string]*Lease{}, abandoned: map[string]bool{},
	}
	q.records = &records.Records{
		Store: s, Messages: q.messages, Now: q.now, Logger: q.logger, MergeSketch: o.MergeSketch, Distinct: o.Distinct,
	}
	q.targets = targets.New(q.records)
	q.segments = names.New(s)
	q.presence = presence.New(s, presence.Options{Worker: o.Worker, Host: o.Host, Jobs: q.running, Local: o.Now, Now: q.now, Tick: q.compareClocks, Logger: o.Logger})
	if err := clock.compare(ctx, q.ServerTime); err != nil {
		return nil, err
	}
	q.metrics = newMetrics(o.Metrics, usher.Kinds()) // last, because a caller may try again
	return q, nil
}

// Store returns the store in which the queue keeps its jobs.
func (q *Queue) Store() *store.Store { return q.store }

// Disconnected returns why there is no connection to NATS, or nil if there is one.
func (q *Queue) Disconnected() error { return store.Disconnected(q.store.Conn) }

// Audit returns the audit.
func (q *Queue) Audit() *audit.Log { return audit.New(q.store) }

// Lanes returns the lanes.
func (q *Queue) Lanes() *lanes.Lanes { return lanes.New(q.store, q.Settings()) }

// Targets returns the order of the jobs on their targets.
func (q *Queue) Targets() *targets.Targets { return q.targets }

// Status returns a reader of the jobs as people see them.
func (q *Queue) Status() *status.Reader {
	return status.New(q.records, q.Lanes(), q.presence, q.targets, q.segments, q.options.AckWait, q.options.AckWait/beatsPerWait)
}

// Names returns what the platform has said of segments.
func (q *Queue) Names() *names.Names { return q.segments }

// Presence returns which workers live, and what they say of themselves.
func (q *Queue) Presence() *presence.Presence { return q.presence }

// AnswerPresence makes this worker say who it is when it is asked, with its leases and with what
// it has done, until stop is called.
func (q *Queue) AnswerPresence(answer func() presence.Answer) (stop func(), err error) {
	return q.presence.Answer(func() presence.Answer {
		h := answer()
		h.Ahead = q.ClockAhead().Seconds()
		h.Oversized = q.Oversized()
		jobs := q.running()
		h.Leases, h.Jobs, h.Slow, h.Work = q.leases(), jobs[:min(len(jobs), maxRunning)], q.SlowSources(), q.metrics.work()
		return h
	})
}

// maxOversized is how many values Oversized names.
const maxOversized = 3

// Oversized says which values NATS does not take because of their size, oldest first.
func (q *Queue) Oversized() (texts []string) {
	all := q.store.Oversizes()
	for _, o := range all[:min(len(all), maxOversized)] {
		texts = append(texts, o.String())
	}
	if more := len(all) - maxOversized; more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	return texts
}

// Settings returns what people have set at run time.
func (q *Queue) Settings() *settings.Settings { return settings.New(q.store, q.now, q.logger) }

// Worker returns the name of this process in records and locks.
func (q *Queue) Worker() string { return q.options.Worker }

// Now returns NATS's time, by which jobs age. It is this machine's while the two agree.
func (q *Queue) Now() time.Time { return q.now() }

// Schemas returns the schemas of all kinds of job.
func (q *Queue) Schemas() *schema.Schemas { return q.schemas }
