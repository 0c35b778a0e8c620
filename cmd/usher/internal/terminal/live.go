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

// FrameInterval is the time between two frames of Watch.
const FrameInterval = time.Second

// Watch draws a screen on the terminal that out writes to again and again, as top does, until
// ctx or the person ends it. For each frame it calls update, which takes at most a tenth of the
// time, and then write. in may be the keyboard. Watch uses the second screen of the terminal,
// so that the first one is as before when it returns.
func Watch(ctx context.Context, out io.Writer, in io.Reader, update func(context.Context), write func(out io.Writer, now time.Time) error) error {
	l := &live{out: fileOf(out), keys: make(chan byte, 1)}
	if err := l.open(in); err != nil {
		return err
	}
	defer l.close()
	for {
		began := time.Now()
		update(ctx)
		if err := l.draw(func(w io.Writer) error { return write(w, time.Now()) }); err != nil {
			return fmt.Errorf("draw screen: %w", err)
		}
		if !l.wait(ctx, time.After(max(FrameInterval, 10*time.Since(began)))) {
			return nil
		}
	}
}

// live is the screen of Watch.
type live struct {
	out    *os.File
	in     *os.File // nil: there is no keyboard
	before *term.State
	keys   chan byte
}

// open clears the terminal and reads keys from in if it is a keyboard.
func (l *live) open(in io.Reader) error {
	const secondScreen, hideCursor = "\x1b[?1049h", "\x1b[?25l"
	if _, err := fmt.Fprint(l.out, secondScreen+hideCursor); err != nil {
		return fmt.Errorf("draw screen: %w", err)
	}
	keyboard := fileOf(in)
	if keyboard == nil || !IsTerminal(keyboard) {
		return nil
	}
	state, err := term.MakeRaw(int(keyboard.Fd()))
	if err != nil {
		l.close()
		return fmt.Errorf("read keys: %w", err)
	}
	l.in, l.before = keyboard, state
	go l.readKeys()
	return nil
}

// readKeys ends with the program, because a read of the keyboard cannot be ended.
func (l *live) readKeys() {
	key := make([]byte, 1)
	for {
		if _, err := l.in.Read(key); err != nil {
			return
		}
		l.keys <- key[0]
	}
}

// close shows the first screen again.
func (l *live) close() {
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

// draw shows what write writes. Lines that do not fit are cut, and rows below the terminal's
// last one are left out.
func (l *live) draw(write func(w io.Writer) error) error {
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

// wait waits until the next frame. It returns false when the person or ctx ends the screen.
func (l *live) wait(ctx context.Context, until <-chan time.Time) bool {
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
