package terminal

import (
	"io"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"usher"
)

// bar is Progress for terminals.
type bar struct {
	container *mpb.Progress
	bar       *mpb.Bar
	mu        sync.Mutex
	pace      pace
}

func newBar(w io.Writer, rows int64) *bar {
	const width = 30 // leaves room for the text next to the bar
	b := &bar{container: mpb.New(mpb.WithOutput(w)), pace: pace{total: rows}}
	var style mpb.BarFillerBuilder = mpb.BarStyle().Lbound("[").Filler("█").Tip("█").Padding("·").Rbound("]")
	if rows == 0 {
		style = mpb.SpinnerStyle().PositionLeft()
	}
	b.bar = b.container.New(rows, style, mpb.BarWidth(width), mpb.AppendDecorators(decor.Any(func(decor.Statistics) string {
		b.mu.Lock()
		defer b.mu.Unlock()
		return " " + b.pace.text()
	})), mpb.BarRemoveOnComplete())
	return b
}

func (b *bar) Update(r usher.Record, now time.Time) {
	b.mu.Lock()
	b.pace.update(r, now)
	total := b.pace.total
	b.mu.Unlock()
	if total > 0 {
		// total is an estimate: a bar that is full would end before the job does.
		b.bar.SetCurrent(min(r.Tally.Read, total-1))
	}
}

func (b *bar) End() {
	b.bar.Abort(true)
	b.container.Wait()
}
