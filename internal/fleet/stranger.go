package fleet

import (
	"context"
	"crypto/tls"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"
)

// AsStranger asks each server in an address, which are Sentinels if it is one of Sentinels,
// without a login. It returns for each host and port the error of the server, which is nil if it
// takes commands from anyone.
func AsStranger(ctx context.Context, address string, secure func() (*tls.Config, error)) (map[string]error, error) {
	one, topology, query, err := parseAddress(address, secure)
	if err != nil {
		return nil, err
	}
	hosts := []string{one.Addr}
	if topology != "" {
		hosts = append(hosts, query["addr"]...)
	}
	answers := make(map[string]error, len(hosts))
	var mu sync.Mutex
	var wait sync.WaitGroup
	for _, host := range hosts {
		wait.Go(func() {
			stranger := dialOne(&redis.Options{Addr: host, TLSConfig: one.TLSConfig, Dialer: one.Dialer})
			defer func() { _ = stranger.Close() }() // nothing was written
			err := stranger.Ping(ctx).Err()
			mu.Lock()
			defer mu.Unlock()
			answers[host] = err
		})
	}
	wait.Wait()
	return answers, nil
}

// IsRefusal reports whether a server answered that it needs a login.
func IsRefusal(err error) bool {
	return err != nil && (strings.HasPrefix(err.Error(), "NOAUTH") || strings.HasPrefix(err.Error(), "NOPERM") || strings.HasPrefix(err.Error(), "DENIED"))
}
