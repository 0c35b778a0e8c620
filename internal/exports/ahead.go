package exports

import (
	"context"
	"errors"
	"io"
)

const (
	aheadBytes  = 128 << 10 // of a piece
	aheadPieces = 3         // one is being read, one waits, one is being filled
)

// ahead reads a stream in its own goroutine, a few pieces ahead of the caller, so
// that a decompressor and the caller do not wait for each other.
type ahead struct {
	ctx context.Context // of the calls to Read that follow

	full chan piece
	free chan []byte
	stop context.CancelCauseFunc
	done chan struct{} // closed when the goroutine has ended

	now  []byte // the buffer of the piece that is being read
	rest []byte // of that piece, not read yet
	err  error  // after that piece
}

// piece is the result of reads: data, and the error after it.
type piece struct {
	data []byte
	err  error
}

// readAhead starts to read in. stop must cancel the reads of in. The caller calls
// close.
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
			a.full <- p // never blocks: it has room for all pieces
			if p.err != nil {
				return
			}
		}
	}()
	return a
}

// fillPiece reads until space is full or an error occurs.
func fillPiece(in io.Reader, space []byte) piece {
	for n := 0; ; {
		more, err := in.Read(space[n:])
		if n += more; err != nil || n == len(space) {
			return piece{space[:n], err}
		}
	}
}

func (a *ahead) setContext(ctx context.Context) { a.ctx = ctx }

// Read implements io.Reader.
func (a *ahead) Read(p []byte) (int, error) {
	for len(a.rest) == 0 {
		if a.err != nil {
			return 0, a.err
		}
		if a.now != nil {
			a.free <- a.now // never blocks: it has room for all pieces
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

// close stops the goroutine and waits until it has ended.
func (a *ahead) close() {
	a.stop(errAheadClosed)
	close(a.free)
	<-a.done
}

var errAheadClosed = errors.New("read ahead: the reader is closed")
