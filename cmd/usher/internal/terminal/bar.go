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
	width     int
	bar       *mpb.Bar // a bar if the total is known, and otherwise a spinner
	total     int64

	mu   sync.Mutex
	pace pace
}

// The width of a bar: a third of the terminal's, within these bounds, which leaves room for
// the text next to it.
const (
	minBar = 8
	maxBar = 30
)

func newBar(w io.Writer, rows int64) *bar {
	b := &bar{container: mpb.New(mpb.WithOutput(w)), width: min(max(Width(w)/3, minBar), maxBar), pace: pace{total: rows}}
	b.draw(rows)
	return b
}

// draw adds a bar of a total to the terminal, or a spinner if it is 0.
func (b *bar) draw(total int64) {
	var style mpb.BarFillerBuilder = mpb.BarStyle().Lbound("[").Filler("█").Tip("█").Padding("·").Rbound("]")
	if total == 0 {
		style = mpb.SpinnerStyle().PositionLeft()
	}
	b.total = total
	b.bar = b.container.New(total, style, mpb.BarWidth(b.width), mpb.AppendDecorators(decor.Any(func(decor.Statistics) string {
		b.mu.Lock()
		defer b.mu.Unlock()
		return " " + b.pace.text()
	})), mpb.BarRemoveOnComplete())
}

func (b *bar) Update(r usher.Record, now time.Time) {
	b.mu.Lock()
	b.pace.update(r, now)
	done, total, known := b.pace.share()
	b.mu.Unlock()
	if !known {
		return
	}
	if total != b.total { // the number of parts is known only when the export is planned
		b.bar.Abort(true)
		b.draw(total)
	}
	b.bar.SetCurrent(done)
}

func (b *bar) End() {
	b.bar.Abort(true)
	b.container.Wait()
}
