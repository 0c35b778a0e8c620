package exports

import (
	"context"
	"errors"
	"io"
)

const (
	aheadBytes  = 128 << 10 // of a piece
	aheadPieces = 3         // that there are: one is read from, one waits, one is filled
)

// ahead reads a stream on a goroutine of its own, a few pieces ahead, so that
// who reads never waits for a decompressor, nor that for him.
type ahead struct {
	ctx context.Context // of the call to Read that is running

	full chan piece
	free chan []byte
	stop context.CancelCauseFunc
	done chan struct{} // closed when the goroutine has ended

	now  []byte // the piece that is read from, for its space
	rest []byte // of it
	err  error  // behind it
}

// piece is what was read, and the error that came with it.
type piece struct {
	data []byte
	err  error
}

// readAhead begins to read in. stop cancels what in reads from; whoever calls
// this calls close.
func readAhead(ctx context.Context, in io.Reader, stop context.CancelCauseFunc) *ahead {
	a := &ahead{
		ctx: ctx, full: make(chan piece, aheadPieces), free: make(chan []byte, aheadPieces),
		stop: stop, done: make(chan struct{}),
	}
	for range aheadPieces {
		a.free <- make([]byte, aheadBytes)
	}
	go func() {
		defer close(a.done)
		for space := range a.free {
			p := fillPiece(in, space)
			a.full <- p // never waits: there are no more of them
			if p.err != nil {
				return
			}
		}
	}()
	return a
}

// fillPiece reads until there is no more room.
func fillPiece(in io.Reader, space []byte) piece {
	for n := 0; ; {
		more, err := in.Read(space[n:])
		if n += more; err != nil || n == len(space) {
			return piece{space[:n], err}
		}
	}
}

func (a *ahead) Read(p []byte) (int, error) {
	for len(a.rest) == 0 {
		if a.err != nil {
			return 0, a.err
		}
		if a.now != nil {
			a.free <- a.now // there is room for all
			a.now = nil
		}
		select {
		case next := <-a.full:
			a.now, a.rest, a.err = next.data[:cap(next.data)], next.data, next.err
		case <-a.ctx.Done():
			return 0, context.Cause(a.ctx)
		}
	}
	n := copy(p, a.rest)
	a.rest = a.rest[n:]
	return n, nil
}

// close ends the goroutine, and returns when it has.
func (a *ahead) close() {
	a.stop(errAheadClosed)
	close(a.free)
	<-a.done
}

var errAheadClosed = errors.New("read ahead: the reader is closed")
