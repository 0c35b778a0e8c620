package workers

import (
	"log/slog"
	"time"
)

// Settle settles a lease as if its handler had returned err.
func Settle(w *Worker, l Lease, err error) error {
	w.Limits = w.Limits.withDefaults()
	j := &Job{Lease: l, Work: l.Work(), Now: w.Now, worker: w, Log: slog.New(slog.DiscardHandler)}
	return j.settle(err)
}

// Precedence exports precedence.
type Precedence struct{ precedence }

// Begin exports begin.
func (p *Precedence) Begin() (end func()) { return p.begin() }

// Yield exports yield.
func (p *Precedence) Yield() { p.yield() }

// BeginUrgent makes the uploads of w pause, as a job of a lane with First does.
func BeginUrgent(w *Worker) (end func()) { return w.precedence.begin() }

// HoldFor lets holds of w last for d, if a job takes so long.
func HoldFor(w *Worker, d time.Duration) { w.precedence.longest = d }

// UploadsPause reports whether the uploads of w pause.
func UploadsPause(w *Worker) bool { return w.precedence.current.Load() != nil }
