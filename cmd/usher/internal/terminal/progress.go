package terminal

import (
	"fmt"
	"io"
	"time"

	"usher"
)

// Progress shows the progress of a job. Update takes the job's record as read at now;
// End removes a bar.
type Progress interface {
	Update(r usher.Record, now time.Time)
	End()
}

// NewProgress returns a bar if w is a terminal, and lines otherwise. rows is the
// estimated number of rows of the export, or 0 if it is unknown.
func NewProgress(w io.Writer, id string, rows int64) Progress {
	if IsTerminal(w) {
		return newBar(w, rows)
	}
	return &lines{w: w, id: id, pace: pace{total: rows}}
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
