package places

import (
	"errors"
	"net/url"
	"strings"
)

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
