package places

import (
	"context"
	"io/fs"
	"os"
	"strconv"
	"strings"
)

// content is a file's bytes, wherever they lie: below a place, behind a server,
// in a bucket. Calls may come from several goroutines.
type content interface {
	// ReadAt fills p with the bytes from off on. It returns fewer only with an
	// error, which is io.EOF at the file's end and nowhere else; where the
	// bytes came short of what was promised, it is not. All bytes are of the
	// state that was opened, or the error says that they are not any more. What
	// lies at the other end of a network reads ahead and tries again in place,
	// and reads cheapest from where the last call ended. A Permanent or
	// RetryAfter is ready for the job; any other error may be tried again, and
	// names neither the file nor its place.
	ReadAt(ctx context.Context, p []byte, off int64) (int, error)

	// State is what tells this state of the file from any other. What was
	// pinned when it was opened has that state for ever.
	State(ctx context.Context) (state, error)

	// Close ends everything that ReadAt began.
	Close() error
}

// state is what a file's content is like as a whole.
type state struct {
	Size  int64  // in bytes; -1 where only its end will tell
	Stamp string // another one is another state; "" where nothing tells states apart
	Whole bool   // it comes from its beginning only: not to be cut, nor read at offsets
}

// disk is the content of a file below a place.
type disk struct{ file *os.File }

func (d disk) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	if err := context.Cause(ctx); err != nil {
		return 0, err
	}
	n, err := d.file.ReadAt(p, off)
	return n, bare(err)
}

func (d disk) State(context.Context) (state, error) {
	info, err := d.file.Stat()
	if err != nil {
		return state{}, bare(err)
	}
	return state{Size: info.Size(), Stamp: stampOf(info)}, nil
}

func (d disk) Close() error { return bare(d.file.Close()) }

// stampOf tells one state of a file from another: size, mtime in nanoseconds
// and inode.
func stampOf(info fs.FileInfo) string {
	return strings.Join([]string{
		strconv.FormatInt(info.Size(), 36),
		strconv.FormatInt(info.ModTime().UnixNano(), 36),
		strconv.FormatUint(inode(info), 36),
	}, "-")
}
