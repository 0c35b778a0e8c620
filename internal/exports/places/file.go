package places

import (
	"context"
	"errors"
	"io"

	"usher"
)

// File is an open file of an export. Its methods return errors that are ready for
// the job.
type File struct {
	Origin
	state

	Name    string // the last segment of its path
	content content
}

// Range is a range of bytes that will be read first. It is a hint that saves
// requests to servers.
type Range struct{ At, Size int64 }

// ReadAt fills p with the bytes from offset off on. It returns io.EOF if the file
// ends before p is full.
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

// ReadFull fills p with the bytes from offset off on. It fails if there are fewer.
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

// Unchanged returns an error if the file is not the one that was planned, or has
// changed since it was opened.
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

// Close closes the file.
func (f *File) Close() error {
	if err := f.content.Close(); err != nil {
		return f.Failed("close", err)
	}
	return nil
}
