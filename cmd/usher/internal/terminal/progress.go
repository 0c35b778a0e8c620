package terminal

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"usher"
)

// Progress shows the progress of a job. Update takes the job's record as read at now;
// End removes a bar.
type Progress interface {
	Update(r usher.Record, now time.Time)
	End()
}

// NewProgress returns a bar if w is a terminal, and lines otherwise. rows is the
// estimated number of rows of the export, or 0 if it is unknown. calls is the number of calls
// a second that the rate limit allows, or 0 if it is unknown: the time that is left is never
// shorter than the remaining calls take.
func NewProgress(w io.Writer, id string, rows int64, calls float64) Progress {
	p := pace{total: rows, calls: calls}
	if IsTerminal(w) {
		return newBar(w, p)
	}
	return &lines{w: w, id: id, pace: p}
}

// PrintInterval is the minimum time between two lines of progress. If a job makes no
// progress, a line is printed every idleInterval. A change of state is printed at once.
const (
	PrintInterval = 2 * time.Second
	idleInterval  = 30 * time.Second
)

// lines is Progress for logs.
type lines struct {
	w       io.Writer
	id      string
	pace    pace
	printed time.Time
	state   string // the state and its reason, as last printed
	done    string // the rows and parts done, as last printed
}

func (l *lines) Update(r usher.Record, now time.Time) {
	l.pace.update(r, now)
	state := string(r.State)
	if r.Why != nil {
		state += *r.Why
	}
	done, interval := fmt.Sprint(r.Tally.Read, r.Parts.Done), PrintInterval
	if done == l.done {
		interval = idleInterval
	}
	if state == l.state && now.Sub(l.printed) < interval {
		return
	}
	l.state, l.done, l.printed = state, done, now
	fmt.Fprintf(l.w, "%s %s\n", l.id, l.pace.text())
}

func (*lines) End() {}

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

func newBar(w io.Writer, p pace) *bar {
	b := &bar{container: mpb.New(mpb.WithOutput(w)), width: min(max(Width(w)/3, minBar), maxBar), pace: p}
	b.draw(p.total)
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

// A Counter reports progress: on a terminal it rewrites one line, elsewhere it
// prints a line every PrintInterval. It prints nothing during the first
// PrintInterval, so that short operations stay silent.
type Counter struct {
	w        io.Writer
	terminal bool

	mu      sync.Mutex
	next    time.Time // nothing is printed before it
	printed bool      // the terminal's line has text
}

// NewCounter returns a Counter that writes to w. It is safe for concurrent use.
func NewCounter(w io.Writer) *Counter {
	return &Counter{w: w, terminal: IsTerminal(w), next: time.Now().Add(PrintInterval)}
}

// Printf replaces the line.
func (c *Counter) Printf(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if now.Before(c.next) {
		return
	}
	if !c.terminal {
		c.next = now.Add(PrintInterval)
		fmt.Fprintf(c.w, format+"\n", args...)
		return
	}
	c.printed = true
	fmt.Fprintf(c.w, clearLine+format, args...)
}

// Clear removes the line from a terminal.
func (c *Counter) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.printed {
		fmt.Fprint(c.w, clearLine)
	}
}

// clearLine moves the cursor to the start of the line and clears the line.
const clearLine = "\r\x1b[K"
