package places

import (
	"errors"
	"net/netip"
	"net/url"
	"path"
	"strconv"
	"strings"
)

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
