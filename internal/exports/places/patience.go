package places

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"time"

	"usher"
)

// patience says how long a network is waited for, and how often a request is retried
// in place. That is cheaper than another attempt of the job.
type patience struct {
	idle        time.Duration // the longest wait for the next byte
	first, last time.Duration // the first wait before a retry, and the longest; each doubles
	total       time.Duration // of all waits without progress
}

var defaultPatience = patience{idle: time.Minute, first: 200 * time.Millisecond, last: 5 * time.Second, total: 30 * time.Second}

// retries counts the failures since the last progress.
type retries struct {
	patience

	waited time.Duration
	wait   time.Duration
	short  int   // responses in a row that broke off at about the same offset
	broke  int64 // offset of the last one
}

func (p patience) start() *retries { return &retries{patience: p, wait: p.first} }

// maxShort is how many responses in a row may break off within nearby bytes. After
// that, the file counts as truncated.
const (
	maxShort = 3
	nearby   = 4 << 10
)

// after waits until a request may be retried that failed with err at an offset. If it
// may not, after returns err, or an error that explains it.
func (r *retries) after(ctx context.Context, o Origin, at int64, err error) error {
	var permanent *usher.Permanent
	var later *usher.RetryAfter
	wait := r.wait/2 + rand.N(r.wait) //nolint:gosec // jitter
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &permanent):
		return err
	case errors.As(err, &later):
		wait = max(wait, later.After)
	case errors.Is(err, io.ErrUnexpectedEOF):
		if at-r.broke > nearby {
			r.short = 0
		}
		r.broke = at
		if r.short++; r.short >= maxShort {
			return o.truncated(at)
		}
	}
	if r.waited += wait; r.waited > r.total {
		return err
	}
	r.wait = min(2*r.wait, r.last)
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
