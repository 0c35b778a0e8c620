package exports

import (
	"context"
	"errors"
	"io"

	"usher"
)

// Reader yields a part of an export as blocks. It is for one goroutine.
type Reader struct {
	rows interface {
		next() (*usher.Block, error) // io.EOF after the last
	}
	file  *file  // nil for inline ids
	input *input // nil for inline ids
	close func()
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
	if r.input != nil {
		r.input.ctx = ctx
	}
	b, err := r.rows.next()
	if err == nil {
		return b, nil
	}
	if errors.Is(err, io.EOF) && r.file != nil {
		if changed := r.file.unchanged(ctx, &r.plan); changed != nil {
			err = changed
		}
	}
	r.err = err
	return nil, err
}

// Close closes the export; a second call does nothing. It does not touch blocks
// that are still out.
func (r *Reader) Close() error {
	if r.file == nil || errors.Is(r.err, errClosed) {
		return nil
	}
	r.err = errClosed
	r.close()
	return r.file.close()
}

var errClosed = errors.New("read export: its reader is closed")

// stream opens a file's text from offset at on: decompressed, as UTF-8.
func (o *Opener) stream(in *input, plan *usher.Plan) (io.Reader, func(), error) {
	var out io.Reader = in
	end := func() {}
	if plan.Compression != "none" {
		e, err := o.expand(in, plan.Compression)
		if err != nil {
			return nil, nil, err
		}
		out, end = e, e.close
	}
	if plan.Encoding != "utf-8" {
		out = newTranscoded(out, in.file.origin, plan.Encoding)
	}
	return out, end, nil
}
