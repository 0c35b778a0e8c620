package places

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"gocloud.dev/blob"

	"usher"
)

// maxListBytes is the size of the longest list of a folder's files, as JSON. The list
// is in the job's record while the job is cut into parts.
const maxListBytes = 512 << 10

// List returns the files of a folder, at most most, in the order of their names. It
// leaves out names that begin with a dot or an underscore: by convention these are
// markers, and files that are still being written. Unless marker is empty, a file of
// that name must exist. Without a marker, a name that programs give to files that they
// have not finished, see isUnfinished, is an error; with it, such names are left out.
func (a *Access) List(ctx context.Context, from Origin, at Location, marker string, most int) ([]usher.File, error) {
	l := &listing{access: a, origin: from, at: at, most: most, marked: marker != ""}
	var err error
	if at.scheme == "file" {
		err = l.listDir(ctx)
	} else {
		err = l.listBucket(ctx)
	}
	if err != nil {
		return nil, err
	}
	if err := l.checkMarker(ctx, marker); err != nil {
		return nil, err
	}
	if len(l.files) == 0 {
		return nil, from.permanent(usher.SourceMissing, "put the files in their place; if the name is wrong, correct it with usher dead edit",
			"open", "it contains no files, or none whose name matches")
	}
	slices.SortFunc(l.files, func(a, b usher.File) int { return cmp.Compare(a.Name, b.Name) })
	data, err := json.Marshal(l.files)
	if err != nil || len(data) > maxListBytes {
		return nil, l.tooMany()
	}
	return l.files, nil
}

// listing is a folder that is being listed.
type listing struct {
	access  *Access
	origin  Origin
	at      Location
	most    int
	marked  bool     // a marker says that the folder is complete
	names   []string // of local files, not opened yet
	files   []usher.File
	leftOut []string // names that may be the marker
}

// accept reports whether a name in the folder is one of its files.
func (l *listing) accept(name string, isFolder bool) (bool, error) {
	hidden := strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
	unfinished := isUnfinished(name, l.at.glob)
	switch {
	case name == "":
		return false, nil
	case unfinished && l.marked, unfinished && l.at.glob != nil && !matches(l.at.glob, name):
		return false, nil
	case unfinished:
		return false, l.origin.Broken("submit the job when the folder is complete; if this is left over, remove it, name the files with a *, or set source.doneMarker",
			"%q in it is the name of a file that is still being written", name)
	case l.at.glob != nil && !matches(l.at.glob, name), hidden && (l.at.glob == nil || !strings.HasPrefix(l.at.glob[0], name[:1])):
		l.leftOut = append(l.leftOut, name)
		return false, nil
	case isFolder:
		return false, l.origin.Broken("give the folder itself, or a name with a * that only files have", "it contains a folder, %q, which would be left out", name)
	case len(l.files)+len(l.names) == l.most:
		return false, l.tooMany()
	}
	return true, nil
}

// isUnfinished reports whether a name in a folder is one that programs give to what they have
// not finished: browsers, rsync and Hadoop. A glob may mean such files.
func isUnfinished(name string, glob []string) bool {
	if name == "_temporary" {
		return true
	}
	for _, end := range []string{".tmp", ".temp", ".part", ".partial", ".filepart", ".crdownload", ".inprogress", "._COPYING_"} {
		if strings.HasSuffix(name, end) && (glob == nil || !strings.HasSuffix(glob[len(glob)-1], end)) {
			return !strings.HasPrefix(name, ".")
		}
	}
	return false
}

func (l *listing) tooMany() error {
	return l.origin.Broken("submit a job for each of several folders, or names with a *", "it has too many files: at most %d are read by one job", l.most)
}

// listDir lists a local folder. It opens each file for its state, which applies the
// rules of the allowed places.
func (l *listing) listDir(ctx context.Context) error {
	entries, err := l.access.allowed.readDir(l.origin, l.at.path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		accepted, err := l.accept(e.Name(), e.IsDir())
		if err != nil {
			return err
		}
		if accepted {
			l.names = append(l.names, e.Name())
		}
	}
	for _, name := range l.names {
		f, err := l.access.Open(ctx, l.origin.File(name), l.at.File(name), Range{})
		if err != nil {
			return err
		}
		l.files = append(l.files, usher.File{Name: name, Size: f.Size, Stamp: f.Stamp})
		_ = f.Close() // nothing was read
	}
	l.names = nil
	return nil
}

// listBucket lists a folder of a bucket.
func (l *listing) listBucket(ctx context.Context) error {
	if err := l.access.allowed.allow(l.origin, l.at); err != nil {
		return err
	}
	bucket, err := l.access.buckets.bucket(ctx, l.at)
	if err != nil {
		return err
	}
	prefix := strings.TrimPrefix(l.at.File("").path, "/")
	found := bucket.List(&blob.ListOptions{Prefix: prefix, Delimiter: "/"})
	for {
		item, err := found.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return (&object{origin: l.origin}).judge(err)
		}
		name := strings.TrimSuffix(strings.TrimPrefix(item.Key, prefix), "/")
		accepted, err := l.accept(name, item.IsDir)
		if err != nil {
			return err
		}
		if accepted {
			l.files = append(l.files, usher.File{Name: name, Size: item.Size, Stamp: stampOfObject(item)})
		}
	}
}

// checkMarker requires the done marker, which is not one of the files.
func (l *listing) checkMarker(ctx context.Context, marker string) error {
	if marker == "" {
		return nil
	}
	l.files = slices.DeleteFunc(l.files, func(f usher.File) bool {
		if f.Name == marker {
			l.leftOut = append(l.leftOut, marker)
		}
		return f.Name == marker
	})
	if slices.Contains(l.leftOut, marker) {
		return context.Cause(ctx)
	}
	return l.origin.permanent(usher.SourceMissing, "complete the folder and write its done marker", "open",
		fmt.Sprintf("its done marker %q does not exist", marker))
}
