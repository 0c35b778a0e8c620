package exports

import (
	"context"
	"errors"
	"io"

	"usher"
	"usher/internal/exports/places"
)

// rows are read from a file's text, or what corresponds to it.
type rowReader interface {
	Next() (*usher.Block, error) // io.EOF after the last
}

// Reader yields a part of an export as blocks. It is for one goroutine.
type Reader struct {
	rows  rowReader
	file  *places.File     // nil for inline ids and for several files
	ctx   *context.Context // where the chain has that of the call to Next; nil for inline ids
	close func()           // nil for inline ids
	plan  usher.Plan
	err   error // what it ended with
}

// Next returns the part's next block, which has at least one row and which the
// caller releases. After the last it returns io.EOF, and only if the export is
// still the one that was planned. A context that ends is its cause.
func (r *Reader) Next(ctx context.Context) (*usher.Block, error) {
	if r.err != nil {
		return nil, r.err
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	if r.ctx != nil {
		*r.ctx = ctx //nolint:fatcontext // it is replaced, not wrapped
	}
	b, err := r.rows.Next()
	if err == nil {
		return b, nil
	}
	if errors.Is(err, io.EOF) && r.file != nil {
		if changed := r.file.Unchanged(ctx, &r.plan); changed != nil {
			err = changed
		}
	}
	r.err = err
	return nil, err
}

// Close closes the export; a second call does nothing. It does not touch blocks
// that are still out.
func (r *Reader) Close() error {
	if r.close == nil || errors.Is(r.err, errClosed) {
		return nil
	}
	r.err = errClosed
	r.close()
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}

var errClosed = errors.New("read export: its reader is closed")

// stream is a file's text from an offset on: decompressed, as UTF-8.
type stream struct {
	io.Reader
	ctx   *context.Context // is looked at by Read
	close func()
}

// stream opens what in reads.
func (o *Opener) stream(in *places.Input, plan *usher.Plan) (stream, error) {
	out := stream{Reader: in, ctx: &in.Ctx, close: func() {}}
	if plan.Compression != "none" {
		e, err := o.expand(in, plan.Compression)
		if err != nil {
			return out, err
		}
		ctx := in.Ctx
		work, stop := context.WithCancelCause(context.WithoutCancel(ctx))
		in.Ctx = work
		a := readAhead(ctx, e, stop)
		out = stream{Reader: a, ctx: &a.ctx, close: func() {
			a.close()
			e.close()
		}}
	}
	if plan.Encoding != "utf-8" {
		out.Reader = newTranscoded(out.Reader, in.File.Origin, plan.Encoding)
	}
	return out, nil
}
