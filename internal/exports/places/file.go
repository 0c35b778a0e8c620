package places

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

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
	return n, f.jobError(ctx, "read", err)
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
		return f.jobError(ctx, "read", err)
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

// content is the bytes of a file, in a directory, on a server or in a bucket. It is
// safe for concurrent use.
type content interface {
	// ReadAt fills p with the bytes from offset off on. If it returns fewer, it
	// returns an error. The error is io.EOF at the end of the file only: if there are
	// fewer bytes than promised, it is another one.
	//
	// All bytes are of the state that was opened; if the file has changed, ReadAt
	// fails. Over a network it reads ahead and retries in place, and it is cheapest
	// to read on from where the last call ended.
	//
	// A Permanent or RetryAfter is ready for the job. Any other error may be tried
	// again, and names neither the file nor its place.
	ReadAt(ctx context.Context, p []byte, off int64) (int, error)

	// State identifies the state of the file. A file that was pinned when it was
	// opened keeps its state.
	State(ctx context.Context) (state, error)

	// Close ends everything that ReadAt has started.
	Close() error
}

// state describes the content of a file as a whole.
type state struct {
	Size  int64  // in bytes; -1: unknown until its end is read
	Stamp string // changes with the content; "": nothing tells states apart
	Whole bool   // it can be read from its beginning only, and not be cut
}

// disk is the content of a local file.
type disk struct{ file *os.File }

// ReadAt implements content.
func (d disk) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	if err := context.Cause(ctx); err != nil {
		return 0, err
	}
	n, err := d.file.ReadAt(p, off)
	return n, withoutPath(err)
}

// State implements content.
func (d disk) State(context.Context) (state, error) {
	info, err := d.file.Stat()
	if err != nil {
		return state{}, withoutPath(err)
	}
	return state{Size: info.Size(), Stamp: stampOf(info)}, nil
}

// Close implements content.
func (d disk) Close() error { return withoutPath(d.file.Close()) }

// stampOf returns a stamp of size, modification time in nanoseconds, and inode.
func stampOf(info fs.FileInfo) string {
	return strings.Join([]string{
		strconv.FormatInt(info.Size(), 36),
		strconv.FormatInt(info.ModTime().UnixNano(), 36),
		strconv.FormatUint(inode(info), 36),
	}, "-")
}
