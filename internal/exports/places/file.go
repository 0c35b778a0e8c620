package places

import (
	"context"
	"errors"
	"io"

	"usher"
)

// file is an export's file that was opened.
type File struct {
	Origin
	content content
	state
	Name string // the last segment of its path
}

// stretch is which bytes of a file are going to be read first: a hint, which
// saves a server requests.
type Range struct{ At, Size int64 }

// readAt fills p with the bytes from off on, and io.EOF tells that the file ends
// before p does. Its errors are ready for the job.
func (f *File) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	n, err := f.content.ReadAt(ctx, p, off)
	switch {
	case err == nil:
		return n, nil
	case errors.Is(err, io.EOF):
		if f.Size >= 0 && off+int64(n) < f.Size {
			return n, f.Changed()
		}
		return n, io.EOF
	}
	return n, f.judge(ctx, "read", err)
}

// unchanged returns an error when the file is not the one that was planned, or
// is it no longer.
func (f *File) Unchanged(ctx context.Context, plan *usher.Plan) error {
	now, err := f.content.State(ctx)
	if err != nil {
		return f.judge(ctx, "read", err)
	}
	if now.Size != plan.Size || now.Stamp != plan.Stamp {
		return f.Changed()
	}
	return nil
}

// readFull fills p with the bytes from off on.
func (f *File) ReadFull(ctx context.Context, p []byte, off int64) error {
	n, err := f.ReadAt(ctx, p, off)
	if n == len(p) {
		return nil
	}
	if errors.Is(err, io.EOF) {
		return f.Changed()
	}
	return err
}

func (f *File) Close() error {
	if err := f.content.Close(); err != nil {
		return f.Failed("close", err)
	}
	return nil
}
