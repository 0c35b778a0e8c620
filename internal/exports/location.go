package exports

import (
	"errors"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"usher"
)

// laterSchemes are those that design has and this version does not read.
var laterSchemes = []string{"https", "s3", "gs", "azblob"}

// locate returns the absolute, cleaned path that a source's URL names.
func locate(o origin, src *usher.Source) (string, error) {
	const hint = "give source.url as file:///absolute/path or /absolute/path"
	if src.URL == "" {
		return "", usher.Refuse(usher.InvalidJob, "give source.url or source.ids", "open source: it names no export")
	}
	if schemed(src.URL) {
		scheme, _, _ := strings.Cut(strings.ToLower(src.URL), ":")
		if slices.Contains(laterSchemes, scheme) {
			return "", o.refused(hint+"; copy the export to a directory for now", "this version reads no %s sources yet", scheme)
		}
		if scheme != "file" {
			return "", o.refused(hint, "its scheme is unknown")
		}
	}
	path, err := filePath(src.URL)
	if err != nil {
		return "", o.refused(hint, "%s", err)
	}
	return path, nil
}

// schemed reports whether s begins with a URL's scheme rather than being a path.
func schemed(s string) bool {
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

// filePath is the path of a file URL, percent-decoded once, or a plain absolute
// path as it stands; cleaned. Its errors hold nothing of what was given, since
// that may be a secret.
func filePath(s string) (string, error) {
	path := s
	if schemed(s) {
		u, err := url.Parse(s)
		switch {
		case err != nil:
			return "", errors.New("its URL cannot be read")
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
