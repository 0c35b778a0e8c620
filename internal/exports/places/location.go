package places

import (
	"errors"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"usher"
)

// Location is what the URL of a source names: a file, or a folder of files.
type Location struct {
	scheme string // file, https, s3, gs or azblob
	host   string // https: in lower case, with a port unless it is 443; otherwise a bucket
	path   string // percent-decoded, without dot segments, from the root: /a/b

	// request is the URL that an https server is asked for. Its path is the one that
	// the source gives, if that has the same meaning, since a signature may cover it.
	request string

	folder bool     // it names all files of a folder
	glob   []string // it names the files whose names have these words in order; nil: all
}

// bucketSchemes are the schemes of object stores.
var bucketSchemes = []string{"s3", "gs", "azblob"}

// Locate returns the location of a source.
func Locate(o Origin, src *usher.Source) (Location, error) {
	const hint = "give source.url as file:///absolute/path, /absolute/path, https://host/path, or s3://, gs:// or azblob://bucket/key"
	if src.URL == "" {
		return Location{}, usher.Refuse(usher.InvalidJob, "give source.url or source.ids", "open source: it names no export")
	}
	at, err := parseLocation(src.URL)
	if err != nil {
		return Location{}, o.refused(hint, "%s", err)
	}
	return at, nil
}

// parseLocation parses a URL or an absolute path. Its errors contain no part of it,
// since that may be a secret.
func parseLocation(raw string) (Location, error) {
	scheme, _, _ := strings.Cut(strings.ToLower(raw), ":")
	if dir, glob, err := cutGlob(raw); glob != nil || err != nil {
		at, dirErr := parseLocation(dir)
		at.glob = glob
		return at, errors.Join(dirErr, err)
	}
	switch {
	case !hasScheme(raw), scheme == "file":
		path, err := filePath(raw)
		return Location{scheme: "file", path: path, folder: strings.HasSuffix(raw, "/")}, err
	case scheme == "https", slices.Contains(bucketSchemes, scheme):
		return parseRemote(raw)
	case scheme == "http":
		return Location{}, errors.New("http is not accepted, because anyone on the network path could change the content: use https")
	}
	return Location{}, errors.New("its scheme is unknown")
}

// hasScheme reports whether s begins with the scheme of a URL, and is not a path.
func hasScheme(s string) bool {
	scheme, _, found := strings.Cut(s, ":")
	if !found || scheme == "" {
		return false
	}
	for i, c := range []byte(strings.ToLower(scheme)) {
		letter := 'a' <= c && c <= 'z'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789+.-", rune(c))) {
			return false
		}
	}
	return true
}

// filePath returns the cleaned path of a file URL, percent-decoded once, or of an
// absolute path.
func filePath(s string) (string, error) {
	path := s
	if hasScheme(s) {
		u, err := url.Parse(s)
		switch {
		case err != nil:
			return "", errors.New("its URL cannot be parsed")
		case u.User != nil:
			return "", errors.New("a file URL has no user")
		case u.Host != "":
			return "", errors.New("a file URL names no host: write file:///path, with three slashes")
		case strings.ContainsAny(s, "?#"):
			return "", errors.New("a file URL has no query and no fragment: write ? as %3F and # as %23")
		case u.Opaque != "":
			return "", errors.New("its path is not absolute")
		}
		path = u.Path
	}
	switch {
	case strings.ContainsRune(path, 0):
		return "", errors.New("its path has a NUL byte")
	case !filepath.IsAbs(path):
		return "", errors.New("its path is not absolute")
	}
	return filepath.Clean(path), nil
}

// name returns the last segment of the path.
func (l Location) name() string { return path.Base(l.path) }

// IsFolder reports whether l may name several files.
func (l Location) IsFolder() bool { return l.folder || l.glob != nil }

// File returns the location of a file of the folder l.
func (l Location) File(name string) Location {
	return Location{scheme: l.scheme, host: l.host, path: strings.TrimSuffix(l.path, "/") + "/" + name}
}

// String returns a place as hints show it.
func (l Location) String() string {
	if l.scheme == "file" {
		return l.path
	}
	return l.scheme + "://" + l.host + l.path
}

// within reports whether l is a remote place, or lies below it by whole segments.
func (l Location) within(place Location) bool {
	if l.scheme != place.scheme || l.host != place.host {
		return false
	}
	prefix := strings.TrimSuffix(place.path, "/")
	return l.path == prefix || strings.HasPrefix(l.path, prefix+"/")
}
