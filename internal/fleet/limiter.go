package fleet

import (
	"context"
	"math"
	"strconv"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/time/rate"

	"usher"
)

const (
	// assumedWorkers divides the rate if Redis does not answer and the number of workers is
	// not known.
	assumedWorkers = 4
	// longestBlock bounds how long a Retry-After blocks the calls of all workers.
	longestBlock = time.Hour
	// askAgain bounds how long a call waits before it asks Redis again.
	askAgain = 5 * time.Second
	// longestWait bounds how long a call waits. A call that would wait longer gets
	// an error, so that its job returns its slot.
	longestWait = 30 * time.Second
)

// Limiter limits the calls of one advertiser to a rate that all workers share.
// Redis counts the calls (limit.lua). A local limiter in front of it delays calls that
// cannot pass anyway, so that they do not load Redis. While Redis does not answer, the
// local limiter alone limits the calls, to this worker's share of the rate.
type Limiter struct {
	fleet      *Fleet
	advertiser string
	keys       []string // KEYS of limit.lua

	// One call of each lane at a time asks Redis; the others wait for it. Each lane
	// has its own queue, so that a campaign call never waits behind an audience
	// call.
	campaign, audience chan struct{}

	mu      sync.Mutex
	rate    usher.Rate
	blocked time.Time // by the local clock; no call passes before it

	total, noReserve *rate.Limiter // the local limiters
}

// LimiterAt returns the limiter of an advertiser and sets its rate. All calls with
// the same advertiser return the same limiter.
func (f *Fleet) LimiterAt(advertiser string, r usher.Rate) *Limiter {
	f.mu.Lock()
	l := f.limiters[advertiser]
	if l == nil {
		prefix := f.key(limitName(advertiser))
		l = &Limiter{
			fleet: f, advertiser: advertiser,
			keys:     []string{prefix + "all", prefix + "audience", prefix + "stop"},
			campaign: make(chan struct{}, 1), audience: make(chan struct{}, 1),
			total: rate.NewLimiter(0, 1), noReserve: rate.NewLimiter(0, 1),
		}
		f.limiters[advertiser] = l
	}
	f.mu.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rate = r
	return l
}

// limitName returns the prefix of an advertiser's keys. The braces put all of them
// into one hash slot of a cluster.
func limitName(advertiser string) string { return "limit:{" + advertiser + "}:" }

// BlockedFor returns how long a Retry-After still blocks all calls of an advertiser,
// or 0. It is for commands, which are not part of a fleet.
func BlockedFor(ctx context.Context, rdb redis.UniversalClient, namespace, advertiser string) (time.Duration, error) {
	limited, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	left, err := rdb.PTTL(limited, key(namespace, limitName(advertiser))+"stop").Result()
	if err != nil {
		return 0, Explain("read the stop of "+advertiser, err)
	}
	return max(left, 0), nil
}

// Wait blocks until a call may be made. It returns the cause of ctx if ctx ends
// first, and a *usher.RetryAfter if the call would wait for more than 30 s, as
// after a long Retry-After. Only a campaign call may use the reserve.
func (l *Limiter) Wait(ctx context.Context, campaign bool) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	start := time.Now()
	defer func() { l.fleet.metrics.observeLimiterWait(campaign, start) }()
	lane := l.audience
	if campaign {
		lane = l.campaign
	}
	select {
	case lane <- struct{}{}:
		defer func() { <-lane }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if err := l.waitLocally(ctx, campaign); err != nil {
		return err
	}
	for {
		wait := l.ask(ctx, campaign)
		if wait <= 0 && ctx.Err() == nil {
			return nil
		}
		if wait > longestWait {
			until := time.Now().Add(wait).UTC().Format(time.RFC3339)
			return &usher.RetryAfter{After: wait, Why: "rate limit until " + until}
		}
		if err := usher.Sleep(ctx, min(wait, askAgain)); err != nil {
			return err
		}
	}
}

// Block blocks the calls of all workers for the time in a Retry-After, at most an hour. It
// does not shorten an earlier block.
func (l *Limiter) Block(ctx context.Context, duration time.Duration) {
	if duration <= 0 {
		return
	}
	duration = min(duration, longestBlock)
	l.mu.Lock()
	if until := time.Now().Add(duration); until.After(l.blocked) {
		l.blocked = until
	}
	l.mu.Unlock()
	l.fleet.log.Warn("the platform sent Retry-After: calls stop", "advertiser", l.advertiser, "for", duration)
	if l.fleet.lost.Load() {
		return
	}
	if err := l.fleet.eval(ctx, l.fleet.scripts.stop, l.keys[2:], duration.Microseconds()).Err(); err != nil {
		l.fleet.log.Warn("the stop was not shared with the other workers, which continue until the platform stops them, too", "advertiser", l.advertiser, "error", err)
	}
}

// BlockedUntil returns the time until which this worker knows that no call may pass. It
// is in the past if calls may pass.
func (l *Limiter) BlockedUntil() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.blocked
}

// waitLocally waits for the local limiters. An audience call first waits for the
// limiter without the reserve, so that it takes nothing that a campaign call could use
// meanwhile.
func (l *Limiter) waitLocally(ctx context.Context, campaign bool) error {
	l.setLocalRates()
	if !campaign {
		if err := reserve(ctx, l.noReserve); err != nil {
			return err
		}
	}
	return reserve(ctx, l.total)
}

// reserve takes a call from limiter and waits until it is due. If ctx ends
// first, the call is returned to the limiter.
func reserve(ctx context.Context, limiter *rate.Limiter) error {
	call := limiter.Reserve()
	if err := usher.Sleep(ctx, call.Delay()); err != nil {
		call.Cancel()
		return err
	}
	return nil
}

// setLocalRates sets the local limiters to the whole rate or, while Redis does not
// answer, to this worker's share of it.
func (l *Limiter) setLocalRates() {
	workers := 1
	if l.fleet.lost.Load() {
		workers = l.fleet.options.Workers()
		if workers == 0 {
			workers = assumedWorkers
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	setFlow(l.total, totalFlow(l.rate).dividedBy(workers))
	setFlow(l.noReserve, audienceFlow(l.rate).dividedBy(workers))
}

func setFlow(limiter *rate.Limiter, f flow) {
	if limiter.Limit() != f.limit() {
		limiter.SetLimit(f.limit())
	}
	if limiter.Burst() != f.burst {
		limiter.SetBurst(f.burst)
	}
}

// ask takes a call from the limit in Redis and returns 0, or returns how long to wait
// before asking again. While Redis does not answer, the local limiters decide alone.
func (l *Limiter) ask(ctx context.Context, campaign bool) time.Duration {
	l.mu.Lock()
	stop, r := time.Until(l.blocked), l.rate
	l.mu.Unlock()
	if stop > 0 {
		return stop
	}
	if l.fleet.lost.Load() {
		return 0
	}
	total, audience, reserved := totalFlow(r), audienceFlow(r), "0"
	if campaign {
		reserved = "1"
	}
	micros, err := l.fleet.eval(ctx, l.fleet.scripts.limit, l.keys,
		formatNumber(total.interval()), total.burst, formatNumber(audience.interval()), audience.burst, reserved).Int64()
	if err != nil {
		return 0
	}
	return time.Duration(micros) * time.Microsecond
}

// formatNumber writes x without an exponent, as the scripts expect it.
func formatNumber(x float64) string { return strconv.FormatFloat(x, 'f', 3, 64) }

// flow is a rate and a burst, the parameters of both limit.lua and x/time/rate.
type flow struct {
	perSecond float64 // 0: no limit
	burst     int     // at least 1
}

// totalFlow returns the flow of all calls.
func totalFlow(r usher.Rate) flow {
	burst := r.Burst
	if burst <= 0 {
		burst = 1 + int(r.PerSecond/20)
	}
	return flow{max(0, r.PerSecond), burst}
}

// audienceFlow returns the flow of calls that may not use the reserve. The reserve
// reduces both the rate and the burst.
func audienceFlow(r usher.Rate) flow {
	total := totalFlow(r)
	if total.perSecond == 0 {
		return total
	}
	return flow{r.Shared(), max(1, int(float64(total.burst)*r.Shared()/total.perSecond))}
}

// dividedBy returns one worker's share of the flow.
func (f flow) dividedBy(workers int) flow {
	return flow{f.perSecond / float64(workers), max(1, f.burst/workers)}
}

// interval returns the time between two calls in microseconds; 0: no limit.
func (f flow) interval() float64 {
	if f.perSecond <= 0 {
		return 0
	}
	return float64(time.Second/time.Microsecond) / f.perSecond
}

func (f flow) limit() rate.Limit {
	if f.perSecond <= 0 {
		return rate.Inf
	}
	return rate.Limit(math.Max(f.perSecond, 1e-3))
}
