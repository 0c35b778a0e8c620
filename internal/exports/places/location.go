package places

import (
	"errors"
	"net/netip"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strconv"
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

// Filled returns the name that a * of l stands for with a word in its place. It reports false unless
// there is exactly one *.
func (l Location) Filled(word string) (name string, ok bool) {
	return strings.Join(l.glob, word), len(l.glob) == 2
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

// parseRemote parses the URL of a server or bucket. It refuses whatever two parsers
// could understand in two ways: the server may not understand a URL as the check does.
func parseRemote(raw string) (Location, error) {
	if strings.ContainsFunc(raw, func(r rune) bool { return r <= ' ' || r == 0x7F || r == '\\' }) {
		return Location{}, errors.New("its URL has a space, a control character or a backslash: write them as %20 and so on")
	}
	u, err := url.Parse(raw)
	switch {
	case err != nil:
		return Location{}, errors.New("its URL cannot be parsed")
	case u.User != nil:
		return Location{}, errors.New("a URL with a user or password is not read")
	case strings.Contains(raw, "#"):
		return Location{}, errors.New("its URL has a fragment: write # as %23")
	case u.Opaque != "", u.Hostname() == "":
		return Location{}, errors.New("its URL names no host: write two slashes after the scheme, then the host or bucket")
	case u.Scheme != "https" && strings.Contains(raw, "?"):
		return Location{}, errors.New("a bucket's URL has no query: options come from the configuration alone")
	}
	host, err := canonicalHost(u)
	if err != nil {
		return Location{}, err
	}
	resolved, err := resolvePath(u)
	if err != nil {
		return Location{}, err
	}
	at := Location{scheme: u.Scheme, host: host, path: resolved, folder: strings.HasSuffix(resolved, "/")}
	if u.Scheme == "https" {
		at.folder = false
		request := url.URL{Scheme: "https", Host: host, Path: resolved, RawQuery: u.RawQuery}
		if resolved == u.Path {
			request.RawPath = u.RawPath
		}
		at.request = request.String()
	}
	return at, nil
}

const (
	hostLetters   = "abcdefghijklmnopqrstuvwxyz0123456789-._"
	bucketLetters = hostLetters + "ABCDEFGHIJKLMNOPQRSTUVWXYZ$"
)

// canonicalHost returns the host of a URL in the form in which hosts are compared.
func canonicalHost(u *url.URL) (string, error) {
	name := u.Hostname()
	if u.Scheme != "https" {
		if u.Port() != "" || strings.Trim(name, bucketLetters) != "" || strings.HasSuffix(u.Host, ":") {
			return "", errors.New("the name of its bucket has characters that names of buckets cannot have")
		}
		return name, nil
	}
	name = strings.ToLower(name)
	if address, err := netip.ParseAddr(name); err == nil && address.Zone() == "" {
		name = address.String()
		if address.Is6() {
			name = "[" + name + "]"
		}
	} else if strings.Trim(name, hostLetters) != "" || strings.HasSuffix(name, ".") {
		return "", errors.New("its host is invalid: write a name in ASCII letters without a dot at its end, or an address")
	}
	return withPort(name, u)
}

// withPort returns a host with the port of a URL, unless that is 443.
func withPort(host string, u *url.URL) (string, error) {
	if !strings.HasSuffix(u.Host, ":") && u.Port() == "" {
		return host, nil
	}
	port, err := strconv.ParseUint(u.Port(), 10, 16)
	if err != nil || port == 0 {
		return "", errors.New("its port is not a number from 1 to 65535")
	}
	if port != 443 {
		host += ":" + strconv.FormatUint(port, 10)
	}
	return host, nil
}

// resolvePath returns the path of a URL, decoded once and without dot segments.
func resolvePath(u *url.URL) (string, error) {
	given := u.Path
	if given == "" {
		given = "/"
	}
	lower := strings.ToLower(given)
	switch {
	case strings.ContainsFunc(given, func(r rune) bool { return r < ' ' || r == 0x7F || r == '\\' }):
		return "", errors.New("its path has a control character or a backslash")
	case strings.Contains(strings.ToLower(u.EscapedPath()), "%2f"):
		return "", errors.New("its path has a slash written as %2F, which servers interpret in different ways")
	case strings.Contains(lower, "%2e"), strings.Contains(lower, "%2f"), strings.Contains(lower, "%5c"), strings.Contains(lower, "%00"):
		return "", errors.New("its path is percent-encoded twice")
	}
	dots := false
	for segment := range strings.SplitSeq(given, "/") {
		name, _, parameters := strings.Cut(segment, ";")
		if name == "." || name == ".." {
			if parameters {
				return "", errors.New("its path has parameters after a segment of dots")
			}
			dots = true
		}
	}
	if !dots {
		return given, nil
	}
	cleaned := path.Clean(given)
	if last := path.Base("x" + given); cleaned != "/" && (strings.HasSuffix(given, "/") || last == "." || last == "..") {
		cleaned += "/"
	}
	return cleaned, nil
}

// cutGlob splits a location with a * in its last segment into the folder, and the
// words between the stars. https has no folders.
func cutGlob(raw string) (dir string, glob []string, err error) {
	at := strings.LastIndexByte(raw, '/') + 1
	dir, last := raw[:at], raw[at:]
	scheme, _, _ := strings.Cut(strings.ToLower(raw), ":")
	if !strings.Contains(last, "*") || hasScheme(raw) && (scheme == "https" || strings.ContainsAny(raw, "?#")) {
		return "", nil, nil
	}
	glob = strings.Split(last, "*")
	for i, word := range glob {
		if hasScheme(raw) {
			if glob[i], err = url.PathUnescape(word); err != nil {
				return "", nil, errors.New("its URL cannot be parsed")
			}
		}
		if strings.ContainsAny(glob[i], "/\\\x00") {
			return "", nil, errors.New("its last segment has a slash, a backslash or a NUL byte within")
		}
	}
	return dir, glob, nil
}

// matches reports whether the name of a file has the words of a glob in order, the
// first at its beginning and the last at its end.
func matches(glob []string, name string) bool {
	first, last := glob[0], glob[len(glob)-1]
	if !strings.HasPrefix(name, first) || len(name) < len(first)+len(last) || !strings.HasSuffix(name, last) {
		return false
	}
	name = name[len(first) : len(name)-len(last)]
	for _, word := range glob[1 : len(glob)-1] {
		i := strings.Index(name, word)
		if i < 0 {
			return false
		}
		name = name[i+len(word):]
	}
	return true
}
