package places

import (
	"context"
	"errors"
	"io"
)

// Input reads a range of a file in order. It returns io.EOF only at the end of the
// range: a file that ends before is an error, and what was appended to the file is
// not read. A range without an end goes to the end of the file.
type Input struct {
	file *File
	ctx  context.Context // of the call to Read that follows
	at   int64           // offset of the next byte
	end  int64           // -1: the end of the file
	err  error
}

// NewInput reads f from an offset up to another one, -1 for the end of the file.
func NewInput(ctx context.Context, f *File, from, to int64) *Input {
	return &Input{file: f, ctx: ctx, at: from, end: to}
}

// File returns the file that is read.
func (in *Input) File() *File { return in.file }

// SetContext sets the context of the following calls to Read.
func (in *Input) SetContext(ctx context.Context) { in.ctx = ctx }

// Reset continues with another range of the file.
func (in *Input) Reset(from, to int64) { in.at, in.end = from, to }

// Offset returns the offset of the next byte.
func (in *Input) Offset() int64 { return in.at }

// Err returns the last error of Read that was not io.EOF. It is the cause of any
// error of a decompressor that reads from the input.
func (in *Input) Err() error { return in.err }

// Read implements io.Reader.
func (in *Input) Read(p []byte) (int, error) {
	if err := context.Cause(in.ctx); err != nil {
		in.err = err
		return 0, err
	}
	if in.end >= 0 {
		if in.at >= in.end {
			return 0, io.EOF
		}
		p = p[:min(int64(len(p)), in.end-in.at)]
	}
	n, err := in.file.ReadAt(in.ctx, p, in.at)
	in.at += int64(n)
	switch {
	case err == nil, errors.Is(err, io.EOF) && in.end >= 0 && in.at == in.end:
		return n, nil
	case errors.Is(err, io.EOF) && in.end < 0:
		return n, io.EOF
	case errors.Is(err, io.EOF):
		err = in.file.Changed()
	}
	in.err = err
	return n, err
}
