package places

import (
	"context"
	"io/fs"
	"os"
	"strconv"
	"strings"
)

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
