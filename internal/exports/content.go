package exports

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

	// State is the file's size in bytes, -1 where only its end will tell, and
	// the stamp that tells this state of it from any other, "" where nothing
	// does: then it is read once, from its beginning.
	State(ctx context.Context) (size int64, stamp string, err error)

	// Close ends everything that ReadAt began.
	Close() error
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

func (d disk) State(context.Context) (int64, string, error) {
	info, err := d.file.Stat()
	if err != nil {
		return 0, "", bare(err)
	}
	return info.Size(), stampOf(info), nil
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
