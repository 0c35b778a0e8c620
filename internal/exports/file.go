package exports

import (
	"context"
	"errors"
	"io"

	"usher"
)

// file is an export's file that was opened.
type file struct {
	origin
	content content
	state
	name string // the last segment of its path
}

// stretch is which bytes of a file are going to be read first: a hint, which
// saves a server requests.
type stretch struct{ at, size int64 }

// sniffed is read to tell what a file is.
var sniffed = stretch{size: sniffBytes + 1}

// stretchOf is what a part is read from.
func stretchOf(plan *usher.Plan, part usher.Part) stretch {
	at := max(part.From-1, 0)
	switch {
	case plan.Format == "parquet", plan.Compression == "zip":
		return sniffed // it is read here and there
	case part.To >= 0:
		return stretch{at: at, size: part.To - at + beyondBytes}
	case plan.Size >= 0:
		return stretch{at: at, size: plan.Size - at}
	}
	return stretch{at: at, size: lastRange}
}

// open opens the file that the source names.
func (o *Opener) open(ctx context.Context, src *usher.Source, first stretch) (*file, error) {
	from := originOf(src)
	at, err := locate(from, src)
	if err != nil {
		return nil, err
	}
	return o.openAt(ctx, from, at, first)
}

// openAt opens the file at a location, if that lies in an allowed place.
func (o *Opener) openAt(ctx context.Context, from origin, at location, first stretch) (*file, error) {
	var c content
	var err error
	switch at.scheme {
	case "file":
		c, err = o.options.Places.open(from, at.path)
	case "https":
		c, err = o.web.open(ctx, from, at, first)
	default:
		if err = o.options.Places.allow(from, at); err == nil {
			c, err = o.options.Buckets.openObject(ctx, from, at, first)
		}
	}
	if err != nil {
		return nil, from.judge(ctx, "open", err)
	}
	s, err := c.State(ctx)
	if err != nil {
		_ = c.Close()
		return nil, from.judge(ctx, "open", err)
	}
	return &file{origin: from, content: c, state: s, name: at.name()}, nil
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
	now, err := f.content.State(ctx)
	if err != nil {
		return f.judge(ctx, "read", err)
	}
	if now.size != plan.Size || now.stamp != plan.Stamp {
		return f.changed()
	}
	return nil
}

func (f *file) close() error {
	if err := f.content.Close(); err != nil {
		return f.failed("close", err)
	}
	return nil
}
