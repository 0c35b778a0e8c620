package places

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

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
	l := &listing{access: a, origin: from, at: at, most: most, marker: marker}
	return l.list(ctx)
}

func (l *listing) list(ctx context.Context) ([]usher.File, error) {
	from := l.origin
	var err error
	if l.at.scheme == "file" {
		err = l.listDir(ctx)
	} else {
		err = l.listBucket(ctx)
	}
	if err != nil {
		return nil, err
	}
	if err := l.checkMarker(ctx); err != nil {
		return nil, err
	}
	if len(l.files) == 0 {
		return nil, from.permanent(usher.SourceMissing, "put the files in their place; if the name is wrong, correct it with usher dead edit",
			"open", "it contains no files, or none whose name matches")
	}
	slices.SortFunc(l.files, func(a, b usher.File) int { return cmp.Compare(a.Name, b.Name) })
	if l.each { // no job has the list
		return l.files, nil
	}
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
	marker  string   // the name of the file that says that the folder is complete; "": none
	each    bool     // each file is an export of its own, so files that are being written are left out
	names   []string // of what is no regular local file, not opened yet
	files   []usher.File
	found   bool       // the marker exists
	mark    usher.File // the marker
	marked  time.Time  // when it was written
	newest  time.Time  // when the last of the files was written
	written string     // the name of that file
	entries int

	otherCase []string // see Found
}

// maxOtherCase is how many names are kept that match but for upper and lower case.
const maxOtherCase = 5

// The longest list of a folder, with the names that are left out, and its longest name.
const (
	// MostFiles is the largest number of files of a folder whose files are exports of their own.
	MostFiles = maxEntries

	maxEntries = 1_000_000
	maxName    = 1024 // of object stores, in bytes
)

// accept reports whether a name in the folder is one of its files.
func (l *listing) accept(name string, isFolder bool) (bool, error) {
	unfinished := isUnfinished(name, l.at.glob)
	if err := l.checkSize(name); err != nil {
		return false, err
	}
	if name == "" || name == l.marker {
		l.found = l.found || name != "" && !isFolder
		return false, nil
	}
	switch {
	case strings.HasPrefix(name, ownPrefix):
		return false, nil
	case unfinished && (l.marker != "" || l.each), unfinished && l.at.glob != nil && !matches(l.at.glob, name):
		return false, nil
	case unfinished:
		return false, l.origin.Broken("submit the job when the folder is complete; if this is left over, remove it, name the files with a *, or set source.doneMarker",
			"%q in it is the name of a file that is still being written", name)
	case l.at.glob != nil && !matches(l.at.glob, name):
		l.noteCase(name, isFolder)
		return false, nil
	case isFolder:
		return false, l.refuseFolder(name)
	case l.at.hides(name):
		return false, nil
	case len(l.files)+len(l.names) == l.most:
		return false, l.tooMany()
	}
	return true, nil
}

// refuseFolder returns the error for a folder in the folder, or nil if it is left out.
func (l *listing) refuseFolder(name string) error {
	switch isLog := name == "_delta_log" || name == ".hoodie"; {
	case isLog && l.at.glob == nil && !l.each:
		return l.origin.Broken("write a copy of the table, as it is now, to another folder; or, if no row of it was ever changed or removed, name the files with a *",
			"it is the folder of a table of Delta Lake or Hudi (%s), which keeps files whose rows the table has no more", name)
	case l.at.hides(name), l.each:
		return nil
	}
	return l.origin.Broken("give the folder itself, or a name with a * that only files have", "it contains a folder, %q, which would be left out", name)
}

// noteCase notes a name that would match if upper and lower case were the same.
func (l *listing) noteCase(name string, isFolder bool) {
	if isFolder || len(l.otherCase) == maxOtherCase {
		return
	}
	glob := make([]string, len(l.at.glob))
	for i, word := range l.at.glob {
		glob[i] = strings.ToLower(word)
	}
	if matches(glob, strings.ToLower(name)) {
		l.otherCase = append(l.otherCase, name)
	}
}

// hides reports whether a name begins with a dot or an underscore that a glob does not have.
func (l Location) hides(name string) bool {
	hidden := strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
	return hidden && (l.glob == nil || !strings.HasPrefix(l.glob[0], name[:1]))
}

// Takes reports whether a file of a name in the folder l is read: not one that is hidden, that is
// named as if it were being written, or that does not match.
func (l Location) Takes(name string) bool {
	return !strings.HasPrefix(name, ownPrefix) && !l.hides(name) && !isUnfinished(name, l.glob) && (l.glob == nil || matches(l.glob, name))
}

// checkSize limits the number and the length of the names.
func (l *listing) checkSize(name string) error {
	l.entries++
	switch {
	case l.entries > maxEntries:
		return l.origin.Broken("remove files from it, or use several folders", "it has more than %d files", maxEntries)
	case len(name) > maxName:
		return l.origin.Broken("give the file a shorter name", "the name of a file in it has more than %d bytes", maxName)
	}
	return nil
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

// listDir lists a local folder. It opens what is no regular file, such as a symlink, for its state,
// which applies the rules of the allowed places.
func (l *listing) listDir(ctx context.Context) error {
	err := l.access.allowed.readDir(l.origin, l.at.path, func(e os.DirEntry) error {
		accepted, err := l.accept(e.Name(), e.IsDir())
		if !accepted {
			return err
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			l.files = append(l.files, usher.File{Name: e.Name(), Size: info.Size(), Stamp: stampOf(info)})
			l.note(e.Name(), info.ModTime())
			return nil
		}
		l.names = append(l.names, e.Name())
		return nil
	})
	if err != nil {
		return err
	}
	for _, name := range l.names {
		f, err := l.stat(ctx, name)
		if err != nil {
			return err
		}
		l.files = append(l.files, f)
		l.note(name, modified(f.Stamp))
	}
	l.names = nil
	if l.found {
		if l.mark, err = l.stat(ctx, l.marker); err != nil {
			return err
		}
		l.marked = modified(l.mark.Stamp)
	}
	return nil
}

// stat opens a local file for its state.
func (l *listing) stat(ctx context.Context, name string) (usher.File, error) {
	f, err := l.access.Open(ctx, l.origin.File(name), l.at.File(name), Range{})
	if err != nil {
		return usher.File{}, err
	}
	_ = f.Close() // nothing was read
	return usher.File{Name: name, Size: f.Size, Stamp: f.Stamp}, nil
}

// note notes when a file was written.
func (l *listing) note(name string, at time.Time) {
	if at.After(l.newest) {
		l.newest, l.written = at, name
	}
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
	for token := blob.FirstPageToken; len(token) > 0; {
		var page []*blob.ListObject
		if page, token, err = bucket.ListPage(ctx, token, bucketPage, &blob.ListOptions{Prefix: prefix, Delimiter: "/"}); err != nil {
			return (&object{origin: l.origin}).jobError(err)
		}
		for _, item := range page {
			if err := l.add(item, strings.TrimSuffix(strings.TrimPrefix(item.Key, prefix), "/")); err != nil {
				return err
			}
		}
	}
	return nil
}

// bucketPage is how many objects are listed by one request: S3 lists no more.
const bucketPage = 1000

// add adds an object with a name to the list.
func (l *listing) add(item *blob.ListObject, name string) error {
	accepted, err := l.accept(name, item.IsDir)
	if err != nil {
		return err
	}
	file := usher.File{Name: name, Size: item.Size, Stamp: l.access.buckets.versions.Stamp(item)}
	if name == l.marker {
		l.mark, l.marked = file, item.ModTime
	}
	if accepted {
		l.files = append(l.files, file)
		l.note(name, item.ModTime)
	}
	return nil
}

// checkMarker requires the done marker, which is not one of the files.
func (l *listing) checkMarker(ctx context.Context) error {
	if l.marker == "" || l.found {
		return context.Cause(ctx)
	}
	return l.origin.permanent(usher.SourceMissing, "complete the folder and write its done marker", "open",
		fmt.Sprintf("its done marker %q does not exist", l.marker))
}
