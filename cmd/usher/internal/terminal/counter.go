package terminal

import (
	"fmt"
	"io"
	"sync"
	"time"
)

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
