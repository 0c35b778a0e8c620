package exports

import (
	"context"
	"errors"
	"io"
	"path"

	"usher"
)

// file is an export's file that was opened.
type file struct {
	origin
	content content
	name    string // the last segment of its path
	size    int64  // -1 where only its end will tell
	stamp   string
}

// open opens the file that the source names. at is where it is going to be read
// first.
func (o *Opener) open(ctx context.Context, src *usher.Source, at int64) (*file, error) {
	_ = at
	from := originOf(src)
	where, err := locate(from, src)
	if err != nil {
		return nil, err
	}
	opened, err := o.options.Places.open(from, where)
	if err != nil {
		return nil, err
	}
	return newFile(ctx, from, path.Base(where), disk{opened})
}

// newFile takes the content over: it is closed with the file, or here.
func newFile(ctx context.Context, from origin, name string, c content) (*file, error) {
	size, stamp, err := c.State(ctx)
	if err != nil {
		_ = c.Close()
		return nil, from.judge(ctx, "open", err)
	}
	return &file{origin: from, content: c, name: name, size: size, stamp: stamp}, nil
}

// readAt fills p with the bytes from off on, and io.EOF tells that the file ends
// before p does. Its errors are ready for the job.
func (f *file) readAt(ctx context.Context, p []byte, off int64) (int, error) {
	n, err := f.content.ReadAt(ctx, p, off)
	switch {
	case err == nil:
		return n, nil
	case errors.Is(err, io.EOF):
		if f.size >= 0 && off+int64(n) < f.size {
			return n, f.changed()
		}
		return n, io.EOF
	}
	return n, f.judge(ctx, "read", err)
}

// unchanged returns an error when the file is not the one that was planned, or
// is it no longer.
func (f *file) unchanged(ctx context.Context, plan *usher.Plan) error {
	size, stamp, err := f.content.State(ctx)
	if err != nil {
		return f.judge(ctx, "read", err)
	}
	if size != plan.Size || stamp != plan.Stamp {
		return f.changed()
	}
	return nil
}

func (f *file) changed() error {
	return f.broken("write the export under another name, rename it when it is whole, then submit the job again",
		"it changed since the job was planned")
}

func (f *file) close() error {
	if err := f.content.Close(); err != nil {
		return f.failed("close", err)
	}
	return nil
}
