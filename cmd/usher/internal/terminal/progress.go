package terminal

import (
	"fmt"
	"io"
	"strings"
	"time"

	"usher"
	"usher/internal/readable"
)

// Progress shows how far a job is.
type Progress interface {
	See(r usher.Record, now time.Time)
	End()
}

// NewProgress is a bar on a terminal, lines elsewhere. rows is how many rows
// the export has, about; 0: not known.
func NewProgress(w io.Writer, id string, rows int64) Progress {
	if IsTerminal(w) {
		return newBar(w, rows)
	}
	return &lines{w: w, id: id, pace: pace{total: rows}}
}

// pace is how far a job is and how fast.
type pace struct {
	total int64 // rows, about; 0: not known

	last  usher.Record
	rate  float64 // rows a second, of late
	since time.Time
}

// see takes a new look in. The rate is over the looks of the last seconds, the
// latest weighing most.
func (p *pace) see(r usher.Record, now time.Time) {
	if passed := now.Sub(p.since).Seconds(); !p.since.IsZero() && passed > 0 && r.Run == p.last.Run {
		rate := float64(max(0, r.Tally.Read-p.last.Tally.Read)) / passed
		weight := min(1, passed/3)
		if p.rate == 0 {
			weight = 1
		}
		p.rate += weight * (rate - p.rate)
	}
	p.last, p.since = r, now
}

// rows is "1,200 of about 5,000 rows".
func (p *pace) rows() string {
	read := p.last.Tally.Read
	if p.total > read {
		return fmt.Sprintf("%s of about %s", readable.Number(read), readable.Count(p.total, "row"))
	}
	return readable.Count(read, "row")
}

// left is how long the rest takes at this rate; 0: not known.
func (p *pace) left() time.Duration {
	rest := p.total - p.last.Tally.Read
	if p.rate < 1 || rest <= 0 {
		return 0
	}
	return time.Duration(float64(rest) / p.rate * float64(time.Second))
}

// text is all of it in one line.
func (p *pace) text() string {
	r := &p.last
	words := []string{string(r.State)}
	if r.Why != nil && *r.Why != "" {
		words[0] += ": " + readable.Printable(*r.Why)
	}
	if r.Tally.Read > 0 {
		words = append(words, p.rows())
	}
	if p.rate >= 1 && r.State == usher.Running {
		words = append(words, readable.Number(int64(p.rate))+" ids/s")
		if left := p.left(); left > 0 {
			words = append(words, readable.Duration(left)+" left")
		}
	}
	if r.Parts.Total > 1 {
		words = append(words, fmt.Sprintf("%d of %d parts done", r.Parts.Done, r.Parts.Total))
	}
	return strings.Join(words, ", ")
}

// How often a line is printed at most, unless the state changes: while rows
// come, and while nothing does.
const (
	LineEvery  = 2 * time.Second
	stillEvery = 30 * time.Second
)

// lines are progress for logs.
type lines struct {
	w       io.Writer
	id      string
	pace    pace
	printed time.Time
	said    string // the state and why
	at      string // how far it was
}

func (l *lines) See(r usher.Record, now time.Time) {
	l.pace.see(r, now)
	state := string(r.State)
	if r.Why != nil {
		state += *r.Why
	}
	at, every := fmt.Sprint(r.Tally.Read, r.Parts.Done), LineEvery
	if at == l.at {
		every = stillEvery
	}
	if state == l.said && now.Sub(l.printed) < every {
		return
	}
	l.said, l.at, l.printed = state, at, now
	fmt.Fprintf(l.w, "%s %s\n", l.id, l.pace.text())
}

func (*lines) End() {}
