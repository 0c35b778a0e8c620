package terminal

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"
)

// A Live is a screen that is drawn again and again, as that of top. It uses the second
// screen of the terminal, so that the first one is as before when it is closed.
type Live struct {
	out    *os.File
	in     *os.File // nil: there is no keyboard
	before *term.State
	keys   chan byte
}

// NewLive clears the terminal that w writes to. in may be the keyboard.
func NewLive(w io.Writer, in io.Reader) (*Live, error) {
	l := &Live{out: fileOf(w), keys: make(chan byte, 1)}
	if keyboard := fileOf(in); keyboard != nil && IsTerminal(keyboard) {
		state, err := term.MakeRaw(int(keyboard.Fd()))
		if err != nil {
			return nil, fmt.Errorf("read keys: %w", err)
		}
		l.in, l.before = keyboard, state
		go l.readKeys()
	}
	const secondScreen, hideCursor = "\x1b[?1049h", "\x1b[?25l"
	_, err := fmt.Fprint(l.out, secondScreen+hideCursor)
	return l, err
}

// readKeys ends with the program, because a read of the keyboard cannot be ended.
func (l *Live) readKeys() {
	key := make([]byte, 1)
	for {
		if _, err := l.in.Read(key); err != nil {
			return
		}
		l.keys <- key[0]
	}
}

// Close shows the first screen again.
func (l *Live) Close() {
	const firstScreen, showCursor = "\x1b[?1049l", "\x1b[?25h"
	fmt.Fprint(l.out, showCursor+firstScreen)
	if l.before != nil {
		_ = term.Restore(int(l.in.Fd()), l.before) // it has just worked
	}
}

// frame is a screen that is being written. It counts as the terminal on which it is shown.
type frame struct {
	bytes.Buffer
	file *os.File
}

// Draw shows what write writes. Lines that do not fit are cut, and rows below the terminal's
// last one are left out.
func (l *Live) Draw(write func(w io.Writer) error) error {
	f := &frame{file: l.out}
	if err := write(f); err != nil {
		return err
	}
	const home, clearRest, clearBelow = "\x1b[H", "\x1b[K\r\n", "\x1b[J"
	var screen strings.Builder
	screen.WriteString(home)
	_, height, err := term.GetSize(int(l.out.Fd()))
	if err != nil || height < 2 {
		height = 24
	}
	lines := strings.Split(strings.TrimRight(f.String(), "\n"), "\n")
	for _, line := range lines[:min(len(lines), height-1)] {
		screen.WriteString(line + clearRest)
	}
	screen.WriteString(clearBelow)
	_, err = io.WriteString(l.out, screen.String())
	return err
}

// Wait waits until the next frame. It returns false when the person or ctx ends the screen.
func (l *Live) Wait(ctx context.Context, until <-chan time.Time) bool {
	const ctrlC, ctrlD = 3, 4
	for {
		select {
		case <-ctx.Done():
			return false
		case key := <-l.keys:
			if key == 'q' || key == ctrlC || key == ctrlD {
				return false
			}
		case <-until:
			return true
		}
	}
}
