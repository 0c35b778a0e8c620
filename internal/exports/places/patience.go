package places

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"time"

	"usher"
)

// patience is how long what comes over a network is waited for, and asked for
// again in place, which is cheaper than another attempt of the job.
type patience struct {
	idle        time.Duration // in which nothing comes
	first, last time.Duration // the wait before the second and before any later request; doubles
	total       time.Duration // of the waits in which nothing came
}

var defaultPatience = patience{idle: time.Minute, first: 200 * time.Millisecond, last: 5 * time.Second, total: 30 * time.Second}

// again counts what has gone wrong since the last byte came.
type again struct {
	patience

	waited time.Duration
	wait   time.Duration
	short  int   // answers in a row that broke off at about the same byte
	broke  int64 // where the last one did
}

func (p patience) begin() *again { return &again{patience: p, wait: p.first} }

// maxShort is how many answers in a row may break off within nearby bytes before
// that counts as the file's state rather than the network's.
const (
	maxShort = 3
	nearby   = 4 << 10
)

// after waits until what failed with err may be asked for again. It returns err,
// or what it amounts to, when it may not.
func (a *again) after(ctx context.Context, o Origin, at int64, err error) error {
	var permanent *usher.Permanent
	var later *usher.RetryAfter
	wait := a.wait/2 + rand.N(a.wait) //nolint:gosec // jitter
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &permanent):
		return err
	case errors.As(err, &later):
		wait = max(wait, later.After)
	case errors.Is(err, io.ErrUnexpectedEOF):
		if at-a.broke > nearby {
			a.short = 0
		}
		a.broke = at
		if a.short++; a.short >= maxShort {
			return o.truncated(at)
		}
	}
	if a.waited += wait; a.waited > a.total {
		return err
	}
	a.wait = min(2*a.wait, a.last)
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
