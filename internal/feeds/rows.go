package feeds

import (
	"context"
	"errors"

	"usher"
	"usher/hashing"
	"usher/internal/inspection"
)

// count counts the rows of an export as a job does, and records their number. Memory does
// not grow with the export.
func (w *Watcher) count(ctx context.Context, f *Feed, e *export) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	last := w.Now() // when the worker said that it looks
	options := inspection.Options{Input: f.Job.Input, Progress: func(int64, int64) {
		if now := w.Now(); now.Sub(last) > signEvery {
			last = now
			if err := w.goOn(ctx, f); err != nil {
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
