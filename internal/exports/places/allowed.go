package places

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"usher"
)

// Places are where exports may lie: directories, single files, and servers and
// buckets from a path on. A nil Places allows nothing but inline ids.
type Allowed struct {
	paths  []string   // absolute and cleaned, symlinks not yet resolved
	remote []Location // of servers and buckets
}

// NewPlaces takes absolute paths, paths relative to the working directory, and
// URLs: file:///data/, https://host/path/, s3://bucket/path/. A directory need
// not exist yet.
func Allow(prefixes []string) (*Allowed, error) {
	p := &Allowed{}
	for _, prefix := range prefixes {
		at, err := parsePlace(prefix)
		switch {
		case err != nil:
			return nil, fmt.Errorf("read allowed place %q: %w", prefix, err)
		case at.scheme != "file":
			p.remote = append(p.remote, at)
		case !slices.Contains(p.paths, at.path):
			p.paths = append(p.paths, at.path)
		}
	}
	return p, nil
}

// parsePlace reads a place.
func parsePlace(prefix string) (Location, error) {
	const accepted = "; accepted are a directory, a file, file:///path/, https://host/path/, and s3://, gs:// or azblob://bucket/path/"
	switch {
	case prefix == "":
		return Location{}, errors.New("it is empty" + accepted)
	case strings.ContainsRune(prefix, 0):
		return Location{}, errors.New("it has a NUL byte" + accepted)
	case !schemed(prefix):
		path, err := filepath.Abs(prefix)
		return Location{scheme: "file", path: path}, err
	case strings.ContainsAny(prefix, "?#"):
		return Location{}, errors.New("a place has no query or fragment" + accepted)
	}
	at, err := parseLocation(prefix)
	if err != nil {
		return Location{}, errors.New(err.Error() + accepted)
	}
	return at, nil
}

// String lists the places, for hints.
func (p *Allowed) String() string {
	if p == nil || len(p.paths)+len(p.remote) == 0 {
		return "none"
	}
	all := slices.Clone(p.paths)
	for _, at := range p.remote {
		all = append(all, at.String())
	}
	const shown = 5
	if len(all) > shown {
		return strings.Join(all[:shown], ", ") + ", …"
	}
	return strings.Join(all, ", ")
}

// allow refuses what lies on a server or in a bucket outside the places.
func (p *Allowed) allow(o Origin, at Location) error {
	if p != nil && slices.ContainsFunc(p.remote, at.within) {
		return nil
	}
	return o.outside(p)
}

// place is an allowed place that exists: its path has no symlinks.
type place struct {
	given, path string
	single      bool // a file, not a directory
}

// existing resolves the places that exist at the moment.
func (p *Allowed) existing() []place {
	if p == nil {
		return nil
	}
	var out []place
	for _, given := range p.paths {
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
// Nothing outside the allowed places is touched, so that an error tells nobody
// what is there: each symlink on the way must lead into a place again, and the
// opening itself goes through os.Root, so that a link put in after the walk
// cannot lead outside either.
func (p *Allowed) open(o Origin, path string) (content, error) {
	places := p.existing()
	resolved, err := p.enter(o, places, path)
	if err != nil {
		return nil, err
	}
	in, err := walk(o, p, places, &resolved)
	if err != nil {
		return nil, err
	}
	f, err := openBelow(o, in, resolved)
	if err != nil {
		return nil, err
	}
	return disk{f}, nil
}

// enter replaces the given form of the place that path lies in by its resolved
// form.
func (p *Allowed) enter(o Origin, places []place, path string) (string, error) {
	for _, place := range places {
		if rel, ok := below(place.given, path); ok {
			return filepath.Join(place.path, rel), nil
		}
		if _, ok := below(place.path, path); ok {
			return path, nil
		}
	}
	if p != nil {
		for _, given := range p.paths {
			if _, ok := below(given, path); ok {
				return "", o.missing() // the place itself is not there
			}
		}
	}
	return "", o.outside(p)
}

func (o Origin) outside(p *Allowed) error {
	return o.refused(fmt.Sprintf("move the export to a place that the configuration allows, or allow its place in sources.allow; allowed are: %s", p),
		"it lies outside the allowed places")
}

// maxLinks is how many symlinks a path may go through, as Linux has it.
const maxLinks = 40

// walk follows path's symlinks, each of which must lead into a place. It
// leaves path without any and returns the place that it ends in.
func walk(o Origin, p *Allowed, places []place, path *string) (place, error) {
	for range maxLinks {
		in, rel, ok := find(places, *path)
		if !ok {
			return place{}, o.outside(p)
		}
		next, err := follow(o, in.path, rel)
		if err != nil {
			return place{}, err
		}
		if next == "" {
			return in, nil
		}
		*path = next
	}
	return place{}, o.refused("give the file's own path", "it goes through more than %d symlinks", maxLinks)
}

// find returns the place that path lies in, and path from there.
func find(places []place, path string) (place, string, bool) {
	for _, place := range places {
		if rel, ok := below(place.path, path); ok && (!place.single || rel == ".") {
			return place, rel, true
		}
	}
	return place{}, "", false
}

// follow returns where dir/rel leads by its first symlink, "" when it has none.
func follow(o Origin, dir, rel string) (string, error) {
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

// statError judges an error of a path below a place.
func (o Origin) statError(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ENAMETOOLONG) {
		return o.missing()
	}
	return o.Failed("open", bare(err))
}

// bare takes the path out of an error of package os.
func bare(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// below returns path from dir on, if it is dir or lies below it by whole
// segments.
func below(dir, path string) (string, bool) {
	rel, err := filepath.Rel(dir, path)
	return rel, err == nil && filepath.IsLocal(rel)
}

// openBelow opens the regular file at path, which has no symlinks and lies in
// the place. It never waits for a FIFO and never opens a device.
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
		return nil, o.irregular(before.Mode())
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
		return nil, o.Failed("open", bare(err))
	}
	return nil, o.Failed("open", errors.New("it was replaced while it was being opened"))
}

func (o Origin) irregular(mode fs.FileMode) error {
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
