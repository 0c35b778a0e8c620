package inspect

import (
	"fmt"
	"io"
	"time"

	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
)

// rowProgress prints how many rows were read, on one line of a terminal, or on
// lines of a log.
type rowProgress struct {
	errs  io.Writer
	began time.Time
	said  time.Time
}

// see prints, from two seconds on, every two seconds. total is how many rows there
// are, about; 0: not known.
func (p *rowProgress) see(rows, total int64, now time.Time) {
	took := now.Sub(p.began)
	if took < terminal.PrintInterval || now.Sub(p.said) < terminal.PrintInterval {
		return
	}
	p.said = now
	rate := float64(rows) / took.Seconds()
	line := fmt.Sprintf("%s read, %s rows/s", readable.Count(rows, "row"), readable.Number(int64(rate)))
	if rest := total - rows; rest > 0 {
		line += fmt.Sprintf(", about %s left", readable.Duration(time.Duration(float64(rest)/rate*float64(time.Second))))
	}
	if terminal.IsTerminal(p.errs) {
		fmt.Fprintf(p.errs, "\r\x1b[K%s", line)
		return
	}
	fmt.Fprintln(p.errs, line)
}

// end wipes the line off a terminal.
func (p *rowProgress) end() {
	if !p.said.IsZero() && terminal.IsTerminal(p.errs) {
		fmt.Fprint(p.errs, "\r\x1b[K")
	}
}
