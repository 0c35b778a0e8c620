package exports

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"usher"
)

// file is an export that was opened.
type file struct {
	*os.File
	origin
	name  string // the last segment of its path
	size  int64
	stamp string
}

// openFile opens the file that the source names, in an allowed place.
func (p *Places) openFile(src *usher.Source) (*file, error) {
	o := originOf(src)
	path, err := locate(o, src)
	if err != nil {
		return nil, err
	}
	f, err := p.open(o, path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return nil, o.failed("open", bare(err))
	}
	return &file{File: f, origin: o, name: filepath.Base(path), size: info.Size(), stamp: stampOf(info)}, nil
}

// stampOf tells one state of a file from another: size, mtime in nanoseconds
// and inode.
func stampOf(info fs.FileInfo) string {
	return strings.Join([]string{
		strconv.FormatInt(info.Size(), 36),
		strconv.FormatInt(info.ModTime().UnixNano(), 36),
		strconv.FormatUint(inode(info), 36),
	}, "-")
}

// unchanged returns an error when the file is no longer the one that was
// planned.
func (f *file) unchanged(plan *usher.Plan) error {
	info, err := f.Stat()
	if err != nil {
		return f.failed("read", bare(err))
	}
	if info.Size() != plan.Size || stampOf(info) != plan.Stamp {
		return f.changed()
	}
	return nil
}

func (f *file) changed() error {
	return f.broken("write the export under another name, rename it when it is whole, then submit the job again",
		"it changed since the job was planned")
}
