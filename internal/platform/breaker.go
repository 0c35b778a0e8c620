package platform

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"usher"
	"usher/internal/rtb"
)

// Breaker is a circuit breaker for the platform. Five connection errors,
// timeouts or 5xx in a row open it, and so do five probes in a row whose login is
// refused; while it is open, one call every five seconds, or after a longer one, probes the
// platform. While it is open, the lanes fetch no jobs and no attempt is counted, so an outage of many
// hours does not make jobs fail. While no calls succeed, a call every ten seconds
// probes whether it is still up.
//
// If only calls of uploads have failed, and no probe, the operation that they need may be all that
// fails: the breaker is then open for uploads, and pauses do not wait.
type Breaker struct {
	probe  func(context.Context) error
	limit  time.Duration // of a probe
	now    func() time.Time
	logger *slog.Logger

	mu       sync.Mutex
	failures int           // in a row
	seen     time.Time     // when the last outcome was observed; zero: the next tick probes
	real     bool          // the last failure was that of a call, not of a probe
	reclosed chan struct{} // closed when the open breaker closes; nil while it is not open
	unproven time.Time     // when a probe closed it, or a call failed after that, until a call succeeds; zero: one has
	since    time.Time     // the first of the failures in a row
	probed   bool          // one of them was that of a probe
	beyond   bool          // one of them was that of a probe, a login or a campaign job, and not of uploads
	last     error         // the last failure
	opened   chan struct{} // wakes Run
}

const (
	failuresToOpen = 5
	probeEvery     = 5 * time.Second
	longestProbe   = 15 * time.Second // so that jobs go on within 30 s after an outage without responses
	quietFor       = 10 * time.Second // without a call, after which one probes the platform
	recheckEvery   = time.Second      // after a call that failed
)

// NewBreaker returns a closed breaker. probe makes one call to the platform
// without Gate, and fails after limit. now is the clock for the beginning of an outage.
func NewBreaker(probe func(context.Context) error, limit time.Duration, now func() time.Time, logger *slog.Logger) *Breaker {
	return &Breaker{probe: probe, limit: limit, now: now, logger: logger, seen: time.Now(), opened: make(chan struct{}, 1)}
}

// Observe counts the outcome of a call to the platform. A call that was
// cancelled by its caller counts neither as a failure nor as a success, and neither
// does a 401, which a new login may mend: a probe finds out whether it does. uploads says
// that the call was made for uploads, or rules, and not for a campaign job.
func (b *Breaker) Observe(err error, uploads bool) {
	if !isRefused(err) {
		b.record(err, true, uploads)
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failures == 0 {
		b.seen = time.Time{}
	}
}

// isRefused reports whether err says that the platform refuses the login.
func isRefused(err error) bool { return errors.Is(err, usher.ErrUnauthorized) }

func isFailure(err error) bool { return rtb.IsDown(err) || isRefused(err) }

// record counts the outcome of a call, or of a probe.
func (b *Breaker) record(err error, call, uploads bool) {
	var answer *rtb.Fault
	b.mu.Lock()
	defer b.mu.Unlock()
	if !isFailure(err) {
		if err == nil || errors.As(err, &answer) {
			b.failures, b.seen = 0, time.Now()
			if call {
				b.unproven = time.Time{}
			}
		}
		return
	}
	if b.failures++; b.failures == 1 && b.reclosed == nil {
		b.since, b.probed, b.beyond = b.now(), false, false
	}
	b.seen, b.real, b.probed, b.beyond = time.Now(), call, b.probed || !call, b.beyond || !uploads
	if call && !b.unproven.IsZero() {
		b.unproven = time.Now()
	}
	if b.reclosed != nil {
		return
	}
	if b.last = err; b.failures < failuresToOpen {
		return
	}
	b.reclosed = make(chan struct{})
	b.warn()
	select {
	case b.opened <- struct{}{}:
	default:
	}
}

// warn logs why the breaker is open. It is called with mu held.
func (b *Breaker) warn() {
	if isRefused(b.last) {
		b.logger.Warn("the platform refuses usher's login: no jobs are fetched until a login works; check platform.username and platform.password, `usher doctor` tests them", "error", b.last)
		return
	}
	if !b.beyond {
		b.logger.Warn("calls of uploads fail: no uploads are fetched until a probe succeeds", "failures", b.failures, "error", b.last)
		return
	}
	b.logger.Warn("the platform is down: no jobs are fetched until a probe succeeds", "failures", b.failures, "error", b.last)
}

// Open reports whether the platform is known to be down.
func (b *Breaker) Open() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.reclosed != nil
}

// Up reports whether calls succeed, as far as is known. A probe asks for something else than the
// calls whose failures have opened the breaker. After it has closed the breaker, a call must succeed,
// or none fail for a minute.
func (b *Breaker) Up() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.reclosed == nil && (b.unproven.IsZero() || time.Since(b.unproven) >= calmFor)
}

// Outage returns since when the platform is down, and the last failure; nil if it is not known to be. While
// only calls have failed, and no probe, it may be one operation that fails.
func (b *Breaker) Outage() (since *time.Time, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.reclosed == nil || !b.probed {
		return nil, nil
	}
	at := b.since
	return &at, b.last
}

// Err returns the last failure if the breaker is open, and nil otherwise.
func (b *Breaker) Err() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.reclosed == nil {
		return nil
	}
	return b.last
}

// isOpen reports whether the breaker is open for uploads, or for campaign jobs. It is called with mu held.
func (b *Breaker) isOpen(uploads bool) bool { return b.reclosed != nil && (uploads || b.beyond) }

// Gate returns an error, a *usher.RetryAfter, while the breaker is open for uploads, or for campaign jobs.
func (b *Breaker) Gate(uploads bool) error {
	b.mu.Lock()
	open, since, err := b.isOpen(uploads), b.since, b.last
	b.mu.Unlock()
	if !open {
		return nil
	}
	why, cause := "the platform is down", fmt.Errorf("it %s, and has failed since %s; usher checks every 5 s whether it works", rtb.HowDown(err), since.UTC().Format(time.RFC3339))
	if isRefused(err) {
		why, cause = "the platform refuses usher's login", fmt.Errorf("%w; usher checks every 5 s whether it does", usher.ErrUnauthorized)
	}
	return &usher.RetryAfter{After: probeEvery, Why: why, Err: &usher.Unavailable{Err: cause}}
}

// Wait blocks until the breaker is closed for uploads, or for campaign jobs, or ctx ends, and returns
// the cause of ctx.
func (b *Breaker) Wait(ctx context.Context, uploads bool) error {
	for {
		b.mu.Lock()
		open, reclosed := b.isOpen(uploads), b.reclosed
		b.mu.Unlock()
		if !open {
			return context.Cause(ctx)
		}
		select {
		case <-reclosed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Run probes the platform while the breaker is open, and while no calls succeed, until ctx
// ends.
func (b *Breaker) Run(ctx context.Context) {
	tick := time.NewTicker(recheckEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-b.opened:
			if !b.probeUntilUp(ctx) {
				return
			}
		case <-tick.C:
			if b.isQuiet() {
				b.record(b.probeOnce(ctx), false, false)
			}
		}
	}
}

// isQuiet reports whether it is time for a probe because no call succeeds. After a failure,
// that is after a second, so that an outage is known soon.
func (b *Breaker) isQuiet() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	limit := quietFor
	if b.failures > 0 {
		limit = recheckEvery
	}
	return b.reclosed == nil && time.Since(b.seen) >= limit
}

func (b *Breaker) probeOnce(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, b.limit)
	defer cancel()
	return b.probe(ctx)
}

// probeUntilUp probes the platform until it is up and closes the breaker. It returns
// false if ctx ended first.
func (b *Breaker) probeUntilUp(ctx context.Context) bool {
	tick := time.NewTicker(probeEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
		}
		err := b.probeOnce(ctx)
		var answer *rtb.Fault
		var later *usher.RetryAfter
		switch {
		case ctx.Err() != nil:
		case isFailure(err):
			b.remember(err)
		case errors.As(err, &later) && !errors.As(err, &answer): // the probe was not sent
		default:
			b.close()
			return true
		}
	}
}

// remember keeps the failure of a probe while the breaker is open. A platform that is up again
// may refuse the login, and the other way round.
func (b *Breaker) remember(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	refused, wider := isRefused(err) != isRefused(b.last), !b.beyond
	if b.last, b.probed, b.beyond = err, true, true; refused {
		b.since = b.now()
	}
	if refused || wider {
		b.warn()
	}
}

func (b *Breaker) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failures, b.seen = 0, time.Now()
	if b.real && !isRefused(b.last) {
		b.unproven = time.Now()
	}
	close(b.reclosed)
	b.reclosed = nil
	what := "the platform works again"
	if isRefused(b.last) {
		what = "the platform accepts usher's login again"
	}
	b.logger.Info(what)
}
