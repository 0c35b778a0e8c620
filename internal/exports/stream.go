package exports

import (
	"context"
	"errors"
	"io"

	"usher"
	"usher/internal/exports/places"
	"usher/internal/exports/unpack"
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

// expand opens a compressed stream within the limits of the options.
func (o *Opener) expand(in *places.Input, kind string) (*unpack.Stream, error) {
	return unpack.Open(in, kind, unpack.Limits{Ratio: o.options.MaxRatio, Window: o.options.MaxWindow})
}

// isPacked reports whether an export has a checksum, which verify checks.
func isPacked(plan *usher.Plan) bool {
	return plan.Compression != "none" || plan.Format == usher.FormatXLSX
}

// verify reads a compressed export to its end, where its checksum is. Until then,
// data that is damaged in the middle may be read as other ids, which would be sent.
func (o *Opener) verify(ctx context.Context, f *places.File, plan *usher.Plan) error {
	open := unpack.OpenFiles
	switch {
	case plan.Format == usher.FormatXLSX:
		open = unpack.OpenArchive
	case plan.Compression != "zip":
		return o.verifyStream(ctx, f, plan)
	}
	a, err := open(ctx, f, o.options.MaxRatio)
	if err != nil {
		return err
	}
	return o.verifyMembers(a)
}

// verifyStream is verify for a compressed stream.
func (o *Opener) verifyStream(ctx context.Context, f *places.File, plan *usher.Plan) error {
	in := places.NewInput(ctx, f, 0, f.Size)
	e, err := o.expand(in, plan.Compression)
	if err != nil {
		return err
	}
	defer e.Close()
	defer o.progress(nil)
	_, err = io.Copy(countingWriter(func(int) { o.progress(&usher.Check{Read: in.Offset(), Total: f.Size}) }), e)
	return err
}

// verifyMembers is verify for an archive.
func (o *Opener) verifyMembers(a *unpack.Archive) error {
	check := usher.Check{Total: a.Size()}
	defer o.progress(nil)
	for i := range a.Len() {
		in, err := a.OpenMember(i)
		if err != nil {
			return err
		}
		_, err = io.Copy(countingWriter(func(n int) {
			check.Read += int64(n)
			o.progress(&check)
		}), in)
		_ = in.Close() // only read
		if err != nil {
			return err
		}
	}
	return nil
}

// countingWriter drops what is written to it, and reports the number of bytes.
type countingWriter func(n int)

func (w countingWriter) Write(p []byte) (int, error) {
	w(len(p))
	return len(p), nil
}
