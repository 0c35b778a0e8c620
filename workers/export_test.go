package workers

import "log/slog"

// Settle does with a lease what the table says of err.
func Settle(w *Worker, l Lease, err error) error {
	w.Limits = w.Limits.withDefaults()
	j := &job{Lease: l, Work: l.Work(), Worker: w, log: slog.New(slog.DiscardHandler)}
	return j.settle(err)
}

// Mentions reports whether a text names a creative.
func Mentions(text, code string) bool { return mentions(text, code) }
