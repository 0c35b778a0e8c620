package config

import (
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
)

func SplitAddress(address string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(address)
	if err == nil {
		port, err = strconv.Atoi(text)
	}
	if err != nil || port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("%q is no address: give host:port, such as 127.0.0.1:0", address)
	}
	return host, port, nil
}

// HideLogin is a URL, or several with commas, without the secrets that may
// stand in it.
func HideLogin(raw string) string {
	urls := strings.Split(raw, ",")
	for i, one := range urls {
		urls[i] = hideOneLogin(strings.TrimSpace(one))
	}
	return strings.Join(urls, ",")
}

func hideOneLogin(one string) string {
	const assumed = "nats://" // of what has no scheme
	schemed := strings.Contains(one, "://")
	if !schemed {
		one = assumed + one
	}
	u, err := url.Parse(one)
	if err != nil {
		return "(a URL that cannot be read)"
	}
	if _, has := u.User.Password(); u.User != nil && !has {
		u.User = url.User("xxxxx") // NATS takes a token there
	}
	if !schemed {
		return strings.TrimPrefix(u.Redacted(), assumed)
	}
	return u.Redacted()
}
