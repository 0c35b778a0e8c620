package places

import (
	"context"
	"errors"
	"io"
)

// input reads a file from an offset to the size that was planned. It ends with
// io.EOF only there: a file that is shorter is broken, and what was appended
// since is not read. Where the size is not known, the file's end is it.
type Input struct {
	File *File
	At   int64           // of the next byte
	Size int64           // -1: not known
	Ctx  context.Context // of the call to Next that is running

	// err is the first error that was none of the export: whatever a
	// decompressor makes of it, this is the cause.
	Err error
}

func NewInput(ctx context.Context, f *File, at, size int64) *Input {
	return &Input{File: f, At: at, Size: size, Ctx: ctx}
}

func (in *Input) Read(p []byte) (int, error) {
	if err := context.Cause(in.Ctx); err != nil {
		in.Err = err
		return 0, err
	}
	if in.Size >= 0 {
		if in.At >= in.Size {
			return 0, io.EOF
		}
		p = p[:min(int64(len(p)), in.Size-in.At)]
	}
	n, err := in.File.ReadAt(in.Ctx, p, in.At)
	in.At += int64(n)
	switch {
	case err == nil, errors.Is(err, io.EOF) && in.Size >= 0 && in.At == in.Size:
		return n, nil
	case errors.Is(err, io.EOF) && in.Size < 0:
		return n, io.EOF
	case errors.Is(err, io.EOF):
		err = in.File.Changed()
	}
	in.Err = err
	return n, err
}
