package fleet

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/redis/go-redis/v9"
)

// Options are the settings of a Fleet.
type Options struct {
	Namespace string                // prefix of every key; may be empty
	Worker    string                // the worker's name, shown to workers that wait for its lock
	Logger    *slog.Logger          // nil: no log
	Metrics   prometheus.Registerer // nil: metrics are not registered
	LockTTL   time.Duration         // after which the lock of a crashed worker expires; 0: 30 s
	Probe     time.Duration         // how often Redis is probed; 0: 5 s
	Workers   func() int            // the number of workers that share the rate, 0 if it is not known; nil: it is never known
}

// Fleet connects this worker with all workers that use the same Redis and
// namespace. Its methods may be called from any goroutine.
type Fleet struct {
	rdb     redis.UniversalClient
	options Options
	log     *slog.Logger
	scripts scripts
	metrics *metrics

	newcomers *newcomers

	lost    atomic.Bool               // Redis did not carry out the last request
	failure atomic.Pointer[error]     // of the last request that Redis did not carry out
	gone    atomic.Pointer[time.Time] // when lost last became true
	missed  chan struct{}             // capacity 1; full after lost became true

	mu       sync.Mutex
	limiters map[string]*Limiter
	closed   bool
	closing  chan struct{}
	regained chan struct{} // closed and replaced when lost becomes false
	running  sync.WaitGroup
}

// New returns the Fleet of a worker. It returns immediately, even if Redis does not answer. The
// caller must close the Fleet after the work that uses it, and before rdb.
func New(rdb redis.UniversalClient, o Options) *Fleet {
	if o.LockTTL <= 0 {
		o.LockTTL = 30 * time.Second
	}
	if o.Probe <= 0 {
		o.Probe = 5 * time.Second
	}
	if o.Workers == nil {
		o.Workers = func() int { return 0 }
	}
	if o.Worker == "" {
		o.Worker = "a worker without a name"
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	f := &Fleet{
		rdb: rdb, options: o, log: o.Logger, scripts: newScripts(), newcomers: newNewcomers(),
		missed: make(chan struct{}, 1), limiters: map[string]*Limiter{}, closing: make(chan struct{}), regained: make(chan struct{}),
	}
	f.metrics = newMetrics(o.Metrics, f)
	f.start(f.probeUntilClosed)
	return f
}

// Close returns when all of its goroutines have ended.
// Locks that are still held are lost with cause usher.ErrShutdown.
func (f *Fleet) Close() {
	f.mu.Lock()
	if !f.closed {
		f.closed = true
		close(f.closing)
	}
	f.mu.Unlock()
	f.running.Wait()
}

// start runs do in a goroutine that Close waits for. After Close it does not run do
// and returns false.
func (f *Fleet) start(do func()) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return false
	}
	f.running.Go(do)
	return true
}

func (f *Fleet) key(name string) string { return key(f.options.Namespace, name) }

func key(namespace, name string) string {
	if namespace == "" {
		return "usher:" + name
	}
	return namespace + ":usher:" + name
}

// request makes a request within callTimeout and records whether Redis carried it out.
func (f *Fleet) request(ctx context.Context, do func(context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	err := do(limited)
	f.recordAnswer(ctx, err)
	return err
}

// eval runs a script by a request.
func (f *Fleet) eval(ctx context.Context, script *redis.Script, keys []string, args ...any) (cmd *redis.Cmd) {
	_ = f.request(ctx, func(ctx context.Context) error { // the caller asks cmd for the error
		cmd = script.Run(ctx, f.rdb, keys, args...)
		return cmd.Err()
	})
	return cmd
}

// text returns the string at a key, which has 16 KiB at most; "" if the key does not exist.
func (f *Fleet) text(ctx context.Context, key string) (string, error) {
	return f.eval(ctx, f.scripts.text, []string{key}).Text()
}

// LostFor returns for how long Redis has carried out no request; 0 if it carried out the last one.
func (f *Fleet) LostFor() time.Duration {
	if !f.lost.Load() {
		return 0
	}
	return time.Since(*f.gone.Load())
}

// RefusesLogin reports whether Redis carries out no request because it refuses the login.
func (f *Fleet) RefusesLogin() bool {
	return f.lost.Load() && refusesLogin(*f.failure.Load())
}

// AwaitRedis blocks while Redis carries out no requests, for the given time at most, or until ctx
// ends.
func (f *Fleet) AwaitRedis(ctx context.Context, most time.Duration) {
	f.mu.Lock()
	regained := f.regained
	f.mu.Unlock()
	if !f.lost.Load() {
		return
	}
	limited, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	select {
	case <-regained:
	case <-f.closing:
	case <-limited.Done():
	}
}

// probeInterval is the interval at which a Redis that does not answer is probed.
const probeInterval = 500 * time.Millisecond

// probeUntilClosed probes Redis until Close. While Redis does not answer, probes are the only
// requests to it.
func (f *Fleet) probeUntilClosed() {
	ctx := context.Background()
	next := time.NewTimer(0)
	defer next.Stop()
	for {
		select {
		case <-f.closing:
			return
		case <-f.missed:
			next.Reset(min(probeInterval, f.options.Probe))
		case <-next.C:
			wait := f.options.Probe
			if f.Probe(ctx) != nil {
				wait = min(probeInterval, wait)
			}
			next.Reset(wait)
		}
	}
}

// Probe writes a key. If it returns nil, Redis takes writes.
func (f *Fleet) Probe(ctx context.Context) error {
	err := f.request(ctx, func(ctx context.Context) error { return writeProbe(ctx, f.rdb, f.options.Namespace) })
	if err != nil {
		return Explain("write a key", err)
	}
	return nil
}

// recordAnswer records whether Redis carried out a request that ended with err. An
// error after the end of ctx says nothing about Redis, because the caller gave up.
func (f *Fleet) recordAnswer(ctx context.Context, err error) {
	switch {
	case err == nil:
		if !f.lost.Load() {
			return
		}
		if f.lost.CompareAndSwap(true, false) {
			f.log.Info("Redis answers again: locks, limits and tokens are shared again")
			f.mu.Lock()
			close(f.regained)
			f.regained = make(chan struct{})
			f.mu.Unlock()
		}
	case ctx.Err() == nil:
		f.failure.Store(&err) // before lost, so that a reader of lost sees it
		if !f.lost.Load() {
			now := time.Now()
			f.gone.Store(&now)
		}
		if f.lost.CompareAndSwap(false, true) {
			wrong, do := diagnose(err)
			f.log.Warn(wrong+": each worker limits its own share of the calls, and campaign jobs wait for locks", "repair", do, "error", err)
			select {
			case f.missed <- struct{}{}:
			default:
			}
		}
	}
}

type metrics struct {
	limiterWait *prometheus.HistogramVec // by lane
	locks       *prometheus.CounterVec   // by result
	lost        prometheus.Counter
	held        prometheus.Histogram
	logins      *prometheus.CounterVec // by result, and whether the advertiser is known
}

func newMetrics(registry prometheus.Registerer, f *Fleet) *metrics {
	factory := promauto.With(registry)
	buckets := prometheus.ExponentialBuckets(0.001, 4, 9) // 1 ms to about a minute
	factory.NewGaugeFunc(prometheus.GaugeOpts{Name: "usher_redis_up", Help: "1 while Redis answers this worker, otherwise 0."}, func() float64 {
		if f.lost.Load() {
			return 0
		}
		return 1
	})
	m := &metrics{
		limiterWait: factory.NewHistogramVec(prometheus.HistogramOpts{
			Name: "usher_limiter_wait_seconds", Help: "Time that calls to the platform waited for the rate limit.", Buckets: buckets,
		}, []string{"lane"}),
		locks: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "usher_locks_total", Help: "Requests for locks by result: taken, held (by another worker) or away (Redis did not answer).",
		}, []string{"result"}),
		lost:   factory.NewCounter(prometheus.CounterOpts{Name: "usher_locks_lost_total", Help: "Locks that were lost while they were held."}),
		held:   factory.NewHistogram(prometheus.HistogramOpts{Name: "usher_lock_held_seconds", Help: "Time for which locks were held.", Buckets: buckets}),
		logins: factory.NewCounterVec(prometheus.CounterOpts{Name: "usher_token_renewals_total", Help: "Logins at the platform by result: done or failed. known is no for an advertiser that has never logged in and that the configuration does not name: a job may have invented it."}, []string{"result", "known"}),
	}
	// Each series begins at 0, because an alert would miss the first event of a series
	// that begins at 1.
	for _, result := range []string{"taken", "held", "away"} {
		m.locks.WithLabelValues(result)
	}
	for _, result := range []string{"done", "failed"} {
		for _, known := range []string{"yes", "no"} {
			m.logins.WithLabelValues(result, known)
		}
	}
	return m
}

func (m *metrics) observeLimiterWait(campaign bool, since time.Time) {
	lane := "audience"
	if campaign {
		lane = "campaign"
	}
	m.limiterWait.WithLabelValues(lane).Observe(time.Since(since).Seconds())
}

// TryNamespace writes and removes a key of a namespace, and returns the error of the server if the
// login may not do that.
func TryNamespace(ctx context.Context, rdb Client, namespace string) error {
	if err := writeProbe(ctx, rdb, namespace); err != nil {
		return err
	}
	return rdb.Del(ctx, key(namespace, "probe")).Err()
}

// writeProbe writes a key, to find out whether Redis takes writes.
func writeProbe(ctx context.Context, rdb redis.UniversalClient, namespace string) error {
	return rdb.Set(ctx, key(namespace, "probe"), 1, time.Minute).Err()
}

// RemoveNamespace removes all keys of a namespace, which must not be empty: without a namespace,
// the keys are those of an installation.
func RemoveNamespace(ctx context.Context, rdb Client, namespace string) error {
	if namespace == "" {
		return errors.New("remove the keys of a namespace: it has no name")
	}
	remove := func(ctx context.Context, server Client) error {
		keys := server.Scan(ctx, 0, key(namespace, "*"), 1000).Iterator()
		for keys.Next(ctx) {
			if err := server.Del(ctx, keys.Val()).Err(); err != nil {
				return err
			}
		}
		return keys.Err()
	}
	var err error
	if cluster, ok := rdb.(*redis.ClusterClient); ok {
		err = cluster.ForEachMaster(ctx, func(ctx context.Context, master *redis.Client) error { return remove(ctx, master) })
	} else {
		err = remove(ctx, rdb)
	}
	if err != nil {
		return fmt.Errorf("remove the keys of %s from Redis: %w", namespace, err)
	}
	return nil
}
