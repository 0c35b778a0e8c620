package config

import (
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// SplitAddress splits host:port.
func SplitAddress(address string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(address)
	if err == nil {
		port, err = strconv.Atoi(text)
	}
	if err != nil || port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("%q is not an address: give host:port, such as 127.0.0.1:0", address)
	}
	return host, port, nil
}

// HideLogin returns a URL, or several separated by commas, without their passwords
// and tokens.
func HideLogin(raw string) string {
	urls := strings.Split(raw, ",")
	for i, one := range urls {
		urls[i] = hideOneLogin(strings.TrimSpace(one))
	}
	return strings.Join(urls, ",")
}

func hideOneLogin(one string) string {
	const assumedScheme = "nats://"
	hasScheme := strings.Contains(one, "://")
	if !hasScheme {
		one = assumedScheme + one
	}
	u, err := url.Parse(one)
	if err != nil {
		return "(a URL that cannot be read)"
	}
	if _, hasPassword := u.User.Password(); u.User != nil && !hasPassword {
		u.User = url.User("xxxxx") // a NATS token
	}
	if query := u.Query(); query.Has("sentinel_password") {
		query.Set("sentinel_password", "xxxxx")
		u.RawQuery = query.Encode()
	}
	if !hasScheme {
		return strings.TrimPrefix(u.Redacted(), assumedScheme)
	}
	return u.Redacted()
}
