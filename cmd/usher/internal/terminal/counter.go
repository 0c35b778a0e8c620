package terminal

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// counter says on stderr how far something is: over and over on one line of a
// terminal, now and then elsewhere. It says nothing of what is done in two
// seconds.
type counter struct {
	w        io.Writer
	terminal bool

	mu   sync.Mutex
	next time.Time // before it nothing is said
	open bool      // a line of the terminal is not ended
}

func NewCounter(w io.Writer) *counter {
	return &counter{w: w, terminal: IsTerminal(w), next: time.Now().Add(LineEvery)}
}

func (c *counter) Sayf(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if now.Before(c.next) {
		return
	}
	if !c.terminal {
		c.next = now.Add(LineEvery)
		fmt.Fprintf(c.w, format+"\n", args...)
		return
	}
	c.open = true
	fmt.Fprintf(c.w, "\r\x1b[K"+format, args...)
}

func (c *counter) End() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open {
		fmt.Fprint(c.w, "\r\x1b[K")
	}
}
