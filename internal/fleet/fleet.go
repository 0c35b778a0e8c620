package fleet

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
)

// Options of a Fleet.
type Options struct {
	Namespace string                // prefixes every key; empty for none
	Worker    string                // this worker's name for people, HOST/WORKER: whoever waits for its lock reads it
	Logger    *slog.Logger          // nil: silent
	Metrics   prometheus.Registerer // nil: counted, but nobody sees it
	LockTTL   time.Duration         // how long a lock outlives a holder that is gone; 0: 30 s
	Heartbeat time.Duration         // how often a worker says that it is there; gone after three; 0: 5 s
}

// Fleet is this worker's place among all that use the same Redis and
// namespace. Its methods may be called from any goroutine.
type Fleet struct {
	rdb     redis.UniversalClient
	options Options
	log     *slog.Logger
	scripts scripts
	metrics *metrics
	self    string // random: two workers of one name are two

	lost    atomic.Bool               // Redis did not answer when last asked
	missed  chan struct{}             // holds one when lost just became true
	workers atomic.Int64              // at the last heartbeat; 0: never seen
	back    atomic.Pointer[time.Time] // when Redis last came back

	mu       sync.Mutex
	limiters map[string]*Limiter
	closed   bool
	closing  chan struct{}
	running  sync.WaitGroup
}

// New joins the fleet. It returns at once, whether Redis is there or not.
// Close it before rdb, and after the work that uses it.
func New(rdb redis.UniversalClient, o Options) *Fleet {
	if o.LockTTL <= 0 {
		o.LockTTL = 30 * time.Second
	}
	if o.Heartbeat <= 0 {
		o.Heartbeat = 5 * time.Second
	}
	if o.Worker == "" {
		o.Worker = "a nameless worker"
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	f := &Fleet{
		rdb: rdb, options: o, log: o.Logger, scripts: newScripts(), self: rand.Text(),
		missed: make(chan struct{}, 1), limiters: map[string]*Limiter{}, closing: make(chan struct{}),
	}
	f.metrics = newMetrics(o.Metrics, f)
	f.start(f.beatUntilClosed)
	return f
}

// Close leaves the fleet and returns when every goroutine of it has ended.
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

// start runs do in a goroutine that Close waits for; false after Close.
func (f *Fleet) start(do func()) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return false
	}
	f.running.Go(do)
	return true
}

// key is where name lies in Redis.
func (f *Fleet) key(name string) string { return key(f.options.Namespace, name) }

func key(namespace, name string) string {
	if namespace == "" {
		return "usher:" + name
	}
	return namespace + ":usher:" + name
}

// eval runs a script, for at most patience, and notes whether Redis answered.
func (f *Fleet) eval(ctx context.Context, script *redis.Script, keys []string, args ...any) *redis.Cmd {
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := script.Run(limited, f.rdb, keys, args...)
	f.heard(ctx, cmd.Err())
	return cmd
}

// heard notes what err says about Redis. An error after ctx ended says nothing:
// it was the caller who left.
func (f *Fleet) heard(ctx context.Context, err error) {
	switch {
	case err == nil:
		if f.lost.CompareAndSwap(true, false) {
			now := time.Now()
			f.back.Store(&now)
			f.log.Info("Redis answers again: locks, limits and tokens are shared again")
		}
	case ctx.Err() == nil:
		if f.lost.CompareAndSwap(false, true) {
			f.log.Warn("Redis does not answer: limits go on with this worker's share, locks wait", "error", err)
			select {
			case f.missed <- struct{}{}:
			default:
			}
		}
	}
}

// pause waits for d, or returns ctx's cause.
func pause(ctx context.Context, d time.Duration) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if d <= 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// away says that Redis is needed for what and does not answer.
func away(what string, err error) error {
	return fmt.Errorf("%s: Redis does not answer: see that it runs and can be reached from this worker: %w", what, err)
}
