package feeds

import (
	"context"
	"errors"
	"time"

	"usher"
	"usher/hashing"
	"usher/internal/inspection"
)

// renewEvery is how often a worker that counts rows renews its lease.
const renewEvery = leaseTime / 4

// errLeaseLost means that another worker has taken the lease of a feed.
var errLeaseLost = errors.New("another worker looks at the feed meanwhile")

// count counts the rows of an export as a job does, and records their number. Memory does
// not grow with the export.
func (w *Watcher) count(ctx context.Context, f *Feed, e *export) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	renewed := w.Now()
	options := inspection.Options{Input: f.Job.Input, Progress: func(int64, int64) {
		if now := w.Now(); now.Sub(renewed) > renewEvery {
			renewed = now
			if err := w.renew(ctx, f, now); err != nil {
				stop(err)
			}
		}
	}}
	if f.Job.Profile != nil {
		options.Profile = *f.Job.Profile
	}
	report, err := inspection.Inspect(ctx, w.Exports, &e.source, options)
	uncounted := ""
	var refused *usher.Permanent
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &refused):
		uncounted = "its rows cannot be counted: " + hashing.MaskIDs(err.Error())
	case err != nil:
		return err
	}
	return w.keep(ctx, f, func(s *State) bool {
		if v := s.Versions[e.version]; v != nil {
			if v.Uncounted = uncounted; uncounted == "" {
				v.Rows = &report.Tally.Read
			}
		}
		return true
	})
}

// renew renews the lease of a feed.
func (w *Watcher) renew(ctx context.Context, f *Feed, now time.Time) error {
	lost := false
	err := w.keep(ctx, f, func(s *State) bool {
		lost = s.Lease == nil || s.Lease.Worker != w.Worker
		if !lost {
			s.Lease.Until = now.Add(leaseTime)
		}
		return !lost
	})
	if lost {
		return errLeaseLost
	}
	return err
}
