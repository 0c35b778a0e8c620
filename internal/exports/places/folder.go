package places

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"gocloud.dev/blob"

	"usher"
)

// listBytes is how long the list of a folder's files may be, written as JSON: it
// stands in the job's record while the job is being cut.
const listBytes = 512 << 10

// list returns a folder's files in the order of their names. Names that begin
// with a dot or an underscore are left out, as they are everywhere: they are
// markers, and what is still being written.
func (a *Access) List(ctx context.Context, from Origin, at Location, marker string, most int) ([]usher.File, error) {
	l := &listing{Access: a, Origin: from, at: at, most: most}
	var err error
	if at.scheme == "file" {
		err = l.disk(ctx)
	} else {
		err = l.bucket(ctx)
	}
	if err != nil {
		return nil, err
	}
	if err := l.whole(ctx, marker); err != nil {
		return nil, err
	}
	if len(l.files) == 0 {
		return nil, from.permanent(usher.SourceMissing, "publish the job once the files are in their place; if the name is wrong, correct source.url and submit the job again",
			"open", "there are no files in it, or none that its name fits")
	}
	slices.SortFunc(l.files, func(a, b usher.File) int { return cmp.Compare(a.Name, b.Name) })
	data, err := json.Marshal(l.files)
	if err != nil || len(data) > listBytes {
		return nil, l.tooMany()
	}
	return l.files, nil
}

// listing is a folder whose files are being found.
type listing struct {
	*Access
	Origin

	at    Location
	most  int
	names []string // of files here, still to be opened
	files []usher.File
	done  []string // what was left out, and may be the marker
}

// see takes or leaves out what was found under a name.
func (l *listing) see(name string, isFolder bool) (taken bool, err error) {
	hidden := strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
	switch {
	case name == "":
		return false, nil
	case l.at.glob != nil && !matches(l.at.glob, name), hidden && (l.at.glob == nil || !strings.HasPrefix(l.at.glob[0], name[:1])):
		l.done = append(l.done, name)
		return false, nil
	case isFolder:
		return false, l.Broken("give the folder itself, or a name with a * that only files have", "it has a folder in it, %q, which would be left out", name)
	case len(l.files)+len(l.names) == l.most:
		return false, l.tooMany()
	}
	return true, nil
}

func (l *listing) tooMany() error {
	return l.Broken("submit a job for each of several folders, or names with a *", "it has too many files: at most %d are read by one job", l.most)
}

// disk lists a folder of this machine. Each file is opened for its state, by the
// rules of its place.
func (l *listing) disk(ctx context.Context) error {
	entries, err := l.places.readDir(l.Origin, l.at.path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		taken, err := l.see(e.Name(), e.IsDir())
		if err != nil {
			return err
		}
		if taken {
			l.names = append(l.names, e.Name())
		}
	}
	for _, name := range l.names {
		f, err := l.Open(ctx, l.File(name), l.at.File(name), Range{})
		if err != nil {
			return err
		}
		l.files = append(l.files, usher.File{Name: name, Size: f.Size, Stamp: f.Stamp})
		_ = f.Close() // only looked at
	}
	l.names = nil
	return nil
}

// bucket lists a folder of a bucket.
func (l *listing) bucket(ctx context.Context) error {
	if err := l.places.allow(l.Origin, l.at); err != nil {
		return err
	}
	bucket, err := l.buckets.bucket(ctx, l.at)
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
			return (&object{Origin: l.Origin}).judge(err)
		}
		name := strings.TrimSuffix(strings.TrimPrefix(item.Key, prefix), "/")
		taken, err := l.see(name, item.IsDir)
		if err != nil {
			return err
		}
		if taken {
			l.files = append(l.files, usher.File{Name: name, Size: item.Size, Stamp: stampOfObject(item)})
		}
	}
}

// whole holds the folder to its marker.
func (l *listing) whole(ctx context.Context, marker string) error {
	if marker == "" {
		return nil
	}
	l.files = slices.DeleteFunc(l.files, func(f usher.File) bool {
		if f.Name == marker {
			l.done = append(l.done, marker)
		}
		return f.Name == marker
	})
	if slices.Contains(l.done, marker) {
		return context.Cause(ctx)
	}
	return l.permanent(usher.SourceMissing, "publish the job once its folder is whole, which the marker says", "open",
		fmt.Sprintf("its done marker %q is not there", marker))
}

// readDir lists a directory in an allowed place.
func (p *Allowed) readDir(o Origin, path string) ([]os.DirEntry, error) {
	places := p.existing()
	resolved, err := p.enter(o, places, path)
	if err != nil {
		return nil, err
	}
	in, err := walk(o, p, places, &resolved)
	if err != nil {
		return nil, err
	}
	if in.single {
		return nil, o.refused("leave the / at its end away", "it is no folder")
	}
	root, err := os.OpenRoot(in.path)
	if err != nil {
		return nil, o.statError(err)
	}
	defer func() { _ = root.Close() }() // only read
	rel, _ := below(in.path, resolved)
	info, err := root.Lstat(rel)
	if err != nil {
		return nil, o.statError(err)
	}
	if !info.IsDir() {
		return nil, o.refused("leave the / at its end away", "it is no folder")
	}
	dir, err := root.Open(rel)
	if err != nil {
		return nil, o.statError(err)
	}
	defer func() { _ = dir.Close() }() // only read
	entries, err := dir.ReadDir(-1)
	if err != nil {
		return nil, o.Failed("list", bare(err))
	}
	return entries, nil
}

// of is the origin of one of a folder's files.
func (o Origin) File(name string) Origin {
	dir := string(o)
	return Origin(dir[:strings.LastIndexByte(dir, '/')+1] + name)
}
