package fleet

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/time/rate"

	"usher"
)

const (
	// strangers is by how many workers a limit is divided when Redis is away
	// and never said how many there are.
	strangers = 4
	// longestStop bounds what a Retry-After may do to the whole fleet: past it
	// one call asks again.
	longestStop = time.Hour
	// recheck bounds how long a worker waits on what Redis once said.
	recheck = 5 * time.Second
	// longestWait is how long a call waits for its turn. What would take longer
	// is told instead, so that its job gives its slot back meanwhile.
	longestWait = 30 * time.Second
)

// Limiter lets the calls of one advertiser pass at a rate that holds for all
// workers together. Redis counts (limit.lua); in front of it stands a limiter
// of our own, which spares Redis the calls that cannot pass anyway, and which
// alone counts, at this worker's share, while Redis is away.
type Limiter struct {
	fleet      *Fleet
	advertiser string
	keys       []string // limit.lua's

	// A caller holds its lane's ticket while it waits: one asks, the others
	// queue behind it, and campaign calls never queue behind audience calls.
	campaign, audience chan struct{}

	mu        sync.Mutex
	rate      usher.Rate
	stopped   time.Time // until then nothing passes, by our own clock
	all, rest *rate.Limiter
}

// Limiter returns the limiter of advertiser, the same at every call, with r as
// its rate from now on.
func (f *Fleet) Limiter(advertiser string, r usher.Rate) *Limiter {
	f.mu.Lock()
	l := f.limiters[advertiser]
	if l == nil {
		prefix := f.key(limitName(advertiser))
		l = &Limiter{
			fleet: f, advertiser: advertiser,
			keys:     []string{prefix + "all", prefix + "audience", prefix + "stop"},
			campaign: make(chan struct{}, 1), audience: make(chan struct{}, 1),
			all: rate.NewLimiter(0, 1), rest: rate.NewLimiter(0, 1),
		}
		f.limiters[advertiser] = l
	}
	f.mu.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rate = r
	return l
}

// limitName is what an advertiser's keys begin with; its braces keep them in one
// slot of a cluster.
func limitName(advertiser string) string { return "limit:{" + advertiser + "}:" }

// StoppedFor is for how long a Retry-After still stops all calls of advertiser,
// for people who look from outside of a fleet; 0 where none does.
func StoppedFor(ctx context.Context, rdb redis.UniversalClient, namespace, advertiser string) (time.Duration, error) {
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	left, err := rdb.PTTL(limited, key(namespace, limitName(advertiser))+"stop").Result()
	if err != nil {
		return 0, away("read the stop of "+advertiser, err)
	}
	return max(left, 0), nil
}

// Wait returns nil when a call may be made now, ctx's cause when ctx ends first,
// and a *usher.RetryAfter when it would wait for over 30 s, as after a long
// Retry-After. A campaign call may use the reserve; any other may not.
func (l *Limiter) Wait(ctx context.Context, campaign bool) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	began := time.Now()
	defer func() { l.fleet.metrics.waited(campaign, began) }()
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
	if err := l.pace(ctx, campaign); err != nil {
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
		if err := pause(ctx, min(wait, recheck)); err != nil {
			return err
		}
	}
}

// Stop lets no call pass, of any worker, until after has passed: a 429's
// Retry-After. A longer stop stays; one of over an hour counts as an hour.
func (l *Limiter) Stop(ctx context.Context, after time.Duration) {
	if after <= 0 {
		return
	}
	after = min(after, longestStop)
	l.mu.Lock()
	if until := time.Now().Add(after); until.After(l.stopped) {
		l.stopped = until
	}
	l.mu.Unlock()
	l.fleet.log.Warn("the platform asked for a pause: calls stop", "advertiser", l.advertiser, "for", after)
	if l.fleet.lost.Load() {
		return
	}
	if err := l.fleet.eval(ctx, l.fleet.scripts.stop, l.keys[2:], after.Microseconds()).Err(); err != nil {
		l.fleet.log.Warn("the other workers could not be told of the pause: each will be told by the platform", "advertiser", l.advertiser, "error", err)
	}
}

// Stopped is until when no call may pass, as far as this worker was told; in
// the past where calls may.
func (l *Limiter) Stopped() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stopped
}

// pace waits for the limiters of our own. The one of a call's kind comes first,
// so that what waits there holds nothing that a campaign call could use.
func (l *Limiter) pace(ctx context.Context, campaign bool) error {
	l.share()
	if !campaign {
		if err := reserve(ctx, l.rest); err != nil {
			return err
		}
	}
	return reserve(ctx, l.all)
}

// reserve takes a call from limiter and waits until it is due; what is not
// waited for is given back.
func reserve(ctx context.Context, limiter *rate.Limiter) error {
	call := limiter.Reserve()
	if err := pause(ctx, call.Delay()); err != nil {
		call.Cancel()
		return err
	}
	return nil
}

// share sets the limiters of our own to the whole rate, or to this worker's
// share of it while Redis is away.
func (l *Limiter) share() {
	workers := 1
	if l.fleet.lost.Load() {
		workers = l.fleet.Workers()
		if workers == 0 {
			workers = strangers
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	set(l.all, allCalls(l.rate).divided(workers))
	set(l.rest, audienceCalls(l.rate).divided(workers))
}

func set(limiter *rate.Limiter, to flow) {
	if limiter.Limit() != to.limit() {
		limiter.SetLimit(to.limit())
	}
	if limiter.Burst() != to.burst {
		limiter.SetBurst(to.burst)
	}
}

// ask takes a call from Redis; 0, or how long to wait. While Redis is away the
// limiters of our own have said all there is to say.
func (l *Limiter) ask(ctx context.Context, campaign bool) time.Duration {
	l.mu.Lock()
	stop, r := time.Until(l.stopped), l.rate
	l.mu.Unlock()
	if stop > 0 {
		return stop
	}
	if l.fleet.lost.Load() {
		return 0
	}
	all, rest, reserved := allCalls(r), audienceCalls(r), "0"
	if campaign {
		reserved = "1"
	}
	micros, err := l.fleet.eval(ctx, l.fleet.scripts.limit, l.keys,
		number(all.interval()), all.burst, number(rest.interval()), rest.burst, reserved).Int64()
	if err != nil {
		return 0
	}
	return time.Duration(micros) * time.Microsecond
}

// number is x for Lua, which takes no exponent from us.
func number(x float64) string { return strconv.FormatFloat(x, 'f', 3, 64) }
