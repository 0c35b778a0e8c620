package inspect

import (
	"fmt"
	"io"
	"time"

	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
)

// rowProgress prints how many rows were read: on one line of a terminal, otherwise on
// separate lines.
type rowProgress struct {
	errs  io.Writer
	began time.Time
	last  time.Time // of the last line; zero: none
}

// update prints a line every two seconds. total is the estimated number of rows, or 0.
func (p *rowProgress) update(rows, total int64, now time.Time) {
	elapsed := now.Sub(p.began)
	if elapsed < terminal.PrintInterval || now.Sub(p.last) < terminal.PrintInterval {
		return
	}
	p.last = now
	rate := float64(rows) / elapsed.Seconds()
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

// end clears the line on a terminal.
func (p *rowProgress) end() {
	if !p.last.IsZero() && terminal.IsTerminal(p.errs) {
		fmt.Fprint(p.errs, "\r\x1b[K")
	}
}
