package places

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"usher"
)

// Allowed are the places where exports may lie: directories, single files, and
// servers and buckets from a path on. A nil Allowed has no places.
type Allowed struct {
	paths  []string   // absolute and cleaned; may contain symlinks
	remote []Location // of servers and buckets
}

// Allow returns the places of a list of absolute paths, paths relative to the working
// directory, and URLs: file:///data/, https://host/path/, s3://bucket/path/. A
// directory may be created later.
func Allow(list []string) (*Allowed, error) {
	a := &Allowed{}
	for _, text := range list {
		at, err := parsePlace(text)
		switch {
		case err != nil:
			return nil, fmt.Errorf("read allowed place %q: %w", text, err)
		case at.scheme != "file":
			a.remote = append(a.remote, at)
		case !slices.Contains(a.paths, at.path):
			a.paths = append(a.paths, at.path)
		}
	}
	return a, nil
}

// AllowFolder returns one folder as the only place.
func AllowFolder(at Location) *Allowed {
	if at.scheme == "file" {
		return &Allowed{paths: []string{at.path}}
	}
	return &Allowed{remote: []Location{at}}
}

func parsePlace(text string) (Location, error) {
	const accepted = "; accepted are a directory, a file, file:///path/, https://host/path/, and s3://, gs:// or azblob://bucket/path/"
	switch {
	case text == "":
		return Location{}, errors.New("it is empty" + accepted)
	case strings.ContainsRune(text, 0):
		return Location{}, errors.New("it has a NUL byte" + accepted)
	case !hasScheme(text):
		path, err := filepath.Abs(text)
		return Location{scheme: "file", path: path}, err
	case strings.ContainsAny(text, "?#"):
		return Location{}, errors.New("a place has no query or fragment" + accepted)
	}
	at, err := parseLocation(text)
	if err != nil {
		return Location{}, errors.New(err.Error() + accepted)
	}
	return at, nil
}

// String lists the places, for hints.
func (a *Allowed) String() string {
	if a == nil || len(a.paths)+len(a.remote) == 0 {
		return "none"
	}
	all := slices.Clone(a.paths)
	for _, at := range a.remote {
		all = append(all, at.String())
	}
	const shown = 5
	if len(all) > shown {
		return strings.Join(all[:shown], ", ") + ", …"
	}
	return strings.Join(all, ", ")
}

// allow refuses a location on a server or in a bucket that is in no place.
func (a *Allowed) allow(o Origin, at Location) error {
	if a != nil && slices.ContainsFunc(a.remote, at.within) {
		return nil
	}
	return a.outside(o)
}

// outside is the error for a location that is in no place.
func (a *Allowed) outside(o Origin) error {
	return o.refused(fmt.Sprintf("move the export to a place that the configuration allows, or allow its place in sources.allow; allowed are: %s", a),
		"it is outside the allowed places")
}

// place is a local place that exists.
type place struct {
	given  string // as it was allowed
	path   string // without symlinks
	single bool   // a file, not a directory
}

// existing returns the local places that exist at the moment.
func (a *Allowed) existing() []place {
	if a == nil {
		return nil
	}
	var out []place
	for _, given := range a.paths {
		path, err := filepath.EvalSymlinks(given)
		if err != nil {
			continue
		}
		info, err := os.Lstat(path)
		if err != nil {
			continue
		}
		out = append(out, place{given: given, path: path, single: !info.IsDir()})
	}
	return out
}

// open opens the file at path, which is absolute and cleaned.
//
// It accesses nothing outside the places, so that its errors do not reveal what
// exists there: each symlink on the path must lead into a place. The file is opened
// through os.Root, so that a link that is made after the walk cannot lead outside.
func (a *Allowed) open(o Origin, path string) (content, error) {
	in, resolved, err := a.resolve(o, path)
	if err != nil {
		return nil, err
	}
	f, err := openBelow(o, in, resolved)
	if err != nil {
		return nil, err
	}
	return disk{f}, nil
}

// readDir calls visit with the entries of the directory at path, which is absolute and
// cleaned.
func (a *Allowed) readDir(o Origin, path string, visit func(os.DirEntry) error) error {
	in, resolved, err := a.resolve(o, path)
	if err != nil {
		return err
	}
	if in.single {
		return notFolder(o)
	}
	root, err := os.OpenRoot(in.path)
	if err != nil {
		return o.statError(err)
	}
	defer func() { _ = root.Close() }() // only read
	rel, _ := below(in.path, resolved)
	info, err := root.Lstat(rel)
	if err != nil {
		return o.statError(err)
	}
	if !info.IsDir() {
		return notFolder(o)
	}
	dir, err := root.Open(rel)
	if err != nil {
		return o.statError(err)
	}
	defer func() { _ = dir.Close() }() // only read
	for {
		entries, err := dir.ReadDir(1000)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return o.Failed("list", withoutPath(err))
		}
		for _, e := range entries {
			if err := visit(e); err != nil {
				return err
			}
		}
	}
}

func notFolder(o Origin) error { return o.refused("remove the / at its end", "it is not a folder") }

// maxLinks is how many symlinks a path may have, as on Linux.
const maxLinks = 40

// resolve follows the symlinks of path, each of which must lead into a place. It
// returns the path without symlinks, and the place that it lies in.
func (a *Allowed) resolve(o Origin, path string) (place, string, error) {
	places := a.existing()
	path, err := a.enter(o, places, path)
	if err != nil {
		return place{}, "", err
	}
	for range maxLinks {
		in, rel, ok := find(places, path)
		if !ok {
			return place{}, "", a.outside(o)
		}
		next, err := followLink(o, in.path, rel)
		if err != nil {
			return place{}, "", err
		}
		if next == "" {
			return in, path, nil
		}
		path = next
	}
	return place{}, "", o.refused("give the file's own path", "it goes through more than %d symlinks", maxLinks)
}

// enter replaces the place that path lies in, as it was allowed, by the place without
// symlinks.
func (a *Allowed) enter(o Origin, places []place, path string) (string, error) {
	for _, place := range places {
		if rel, ok := below(place.given, path); ok {
			return filepath.Join(place.path, rel), nil
		}
		if _, ok := below(place.path, path); ok {
			return path, nil
		}
	}
	if a != nil {
		for _, given := range a.paths {
			if _, ok := below(given, path); ok {
				return "", o.missing() // the place does not exist
			}
		}
	}
	return "", a.outside(o)
}

// find returns the place that path lies in, and the path relative to it.
func find(places []place, path string) (place, string, bool) {
	for _, place := range places {
		if rel, ok := below(place.path, path); ok && (!place.single || rel == ".") {
			return place, rel, true
		}
	}
	return place{}, "", false
}

// followLink returns the path that dir/rel stands for, with its first symlink
// replaced. It returns "" if there is no symlink.
func followLink(o Origin, dir, rel string) (string, error) {
	at := dir
	if rel == "." {
		return "", nil
	}
	names := strings.Split(rel, string(filepath.Separator))
	for i, name := range names {
		at = filepath.Join(at, name)
		info, err := os.Lstat(at)
		if err != nil {
			return "", o.statError(err)
		}
		if info.Mode().Type() != fs.ModeSymlink {
			continue
		}
		target, err := os.Readlink(at)
		if err != nil {
			return "", o.statError(err)
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(at), target)
		}
		return filepath.Join(append([]string{target}, names[i+1:]...)...), nil
	}
	return "", nil
}

// below returns path relative to dir. It reports whether path is dir, or lies below it
// by whole segments.
func below(dir, path string) (string, bool) {
	rel, err := filepath.Rel(dir, path)
	return rel, err == nil && filepath.IsLocal(rel)
}

// openBelow opens the regular file at path, which has no symlinks and lies in the
// place. It never waits for a FIFO and never opens a device.
func openBelow(o Origin, in place, path string) (*os.File, error) {
	dir := in.path
	if in.single {
		dir = filepath.Dir(dir)
	}
	rel, _ := below(dir, path)
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, o.statError(err)
	}
	defer func() { _ = root.Close() }()
	before, err := root.Lstat(rel)
	if err != nil {
		return nil, o.statError(err)
	}
	if !before.Mode().IsRegular() {
		return nil, irregular(o, before.Mode())
	}
	f, err := root.OpenFile(rel, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, o.statError(err)
	}
	after, err := f.Stat()
	if err == nil && os.SameFile(before, after) {
		return f, nil
	}
	_ = f.Close()
	if err != nil {
		return nil, o.Failed("open", withoutPath(err))
	}
	return nil, o.Failed("open", errors.New("it was replaced while it was being opened"))
}

// irregular is the error for a file that is not a regular one.
func irregular(o Origin, mode fs.FileMode) error {
	if mode.IsDir() {
		return o.refused("name a file, or end source.url with / to read all files of the folder", "it is a directory")
	}
	kind := "a special file"
	switch mode.Type() {
	case fs.ModeNamedPipe:
		kind = "a FIFO"
	case fs.ModeSocket:
		kind = "a socket"
	case fs.ModeDevice, fs.ModeDevice | fs.ModeCharDevice:
		kind = "a device"
	}
	return usher.Refuse(usher.SourceRefused, "name a regular file", "open source %q: it is %s", string(o), kind)
}
