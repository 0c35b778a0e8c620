package workers

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"usher"
	"usher/internal/rtb"
)

// Breaker knows whether the platform is down: five connection errors, timeouts
// or 5xx in a row say so, and one call every five seconds finds out when it is
// up again. While it is open the lanes fetch nothing and nothing counts as an
// attempt, so a night's outage buries nothing.
type Breaker struct {
	probe  func(context.Context) error
	now    func() time.Time
	logger *slog.Logger

	mu     sync.Mutex
	inARow int
	closed chan struct{} // nil while the breaker is closed; closed when it closes
	since  time.Time     // when it opened last
	opened chan struct{} // wakes the prober
}

// The breaker's figures.
const (
	failuresToOpen = 5
	probeEvery     = 5 * time.Second
)

// NewBreaker returns a closed breaker. probe makes one call of the platform
// that no gate holds back; now tells since when the platform is down.
func NewBreaker(probe func(context.Context) error, now func() time.Time, logger *slog.Logger) *Breaker {
	return &Breaker{probe: probe, now: now, logger: logger, opened: make(chan struct{}, 1)}
}

// isDown reports whether an error is the platform's as a whole: no connection,
// no answer in time, a 5xx.
func isDown(err error) bool {
	var down *usher.Unavailable
	return errors.As(err, &down) || errors.Is(err, context.DeadlineExceeded)
}

// Observe hears how a call of the platform ended. One that we ended ourselves
// says nothing of the platform.
func (b *Breaker) Observe(err error) {
	var answer *rtb.Fault
	b.mu.Lock()
	defer b.mu.Unlock()
	if !isDown(err) {
		if err == nil || errors.As(err, &answer) {
			b.inARow = 0
		}
		return
	}
	b.inARow++
	if b.inARow < failuresToOpen || b.closed != nil {
		return
	}
	b.closed, b.since = make(chan struct{}), b.now()
	b.logger.Warn("the platform is down: nothing is fetched until it answers", "failures", b.inARow, "error", err)
	select {
	case b.opened <- struct{}{}:
	default:
	}
}

// Open reports whether the platform is known to be down.
func (b *Breaker) Open() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.closed != nil
}

// Since is since when the platform has been known to be down; nil where it is not.
func (b *Breaker) Since() *time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed == nil {
		return nil
	}
	since := b.since
	return &since
}

// Gate refuses a call while the platform is down.
func (b *Breaker) Gate() error {
	if b.Open() {
		return &usher.RetryAfter{After: probeEvery, Why: "the platform is down",
			Err: &usher.Unavailable{Err: errors.New("it does not answer, and is asked every 5 s")}}
	}
	return nil
}

// Wait returns when the platform is not known to be down, or with ctx's cause.
func (b *Breaker) Wait(ctx context.Context) error {
	for {
		b.mu.Lock()
		closed := b.closed
		b.mu.Unlock()
		if closed == nil {
			return context.Cause(ctx)
		}
		select {
		case <-closed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Run probes while the breaker is open, until ctx ends.
func (b *Breaker) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-b.opened:
		}
		if !b.probeUntilUp(ctx) {
			return
		}
	}
}

func (b *Breaker) probeUntilUp(ctx context.Context) bool {
	tick := time.NewTicker(probeEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
		}
		try, cancel := context.WithTimeout(ctx, probeEvery)
		err := b.probe(try)
		cancel()
		if ctx.Err() == nil && !isDown(err) {
			b.close()
			return true
		}
	}
}

func (b *Breaker) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.inARow = 0
	close(b.closed)
	b.closed = nil
	b.logger.Info("the platform answers again")
}
