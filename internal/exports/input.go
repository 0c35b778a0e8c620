package exports

import (
	"context"
	"errors"
	"io"
)

// input reads a file from an offset to the size that was planned. It ends with
// io.EOF only there: a file that is shorter is broken, and what was appended
// since is not read. Where the size is not known, the file's end is it.
type input struct {
	file *file
	at   int64           // of the next byte
	size int64           // -1: not known
	ctx  context.Context // of the call to Next that is running

	// err is the first error that was none of the export: whatever a
	// decompressor makes of it, this is the cause.
	err error
}

func (in *input) Read(p []byte) (int, error) {
	if err := context.Cause(in.ctx); err != nil {
		in.err = err
		return 0, err
	}
	if in.size >= 0 {
		if in.at >= in.size {
			return 0, io.EOF
		}
		p = p[:min(int64(len(p)), in.size-in.at)]
	}
	n, err := in.file.readAt(in.ctx, p, in.at)
	in.at += int64(n)
	switch {
	case err == nil, errors.Is(err, io.EOF) && in.size >= 0 && in.at == in.size:
		return n, nil
	case errors.Is(err, io.EOF) && in.size < 0:
		return n, io.EOF
	case errors.Is(err, io.EOF):
		err = in.file.changed()
	}
	in.err = err
	return n, err
}
