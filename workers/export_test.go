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

// Precedence is that of campaign jobs over uploads.
type Precedence struct{ precedence }

// Begin and Yield are its own.
func (p *Precedence) Begin() (end func()) { return p.begin() }
func (p *Precedence) Yield()              { p.yield() }

// Urgent says that a job is at work which goes before w's uploads.
func Urgent(w *Worker) (end func()) { return w.first.begin() }

// Held reports whether w's uploads stand still.
func Held(w *Worker) bool { return w.first.now.Load() != nil }
