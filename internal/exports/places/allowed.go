package places

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
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
