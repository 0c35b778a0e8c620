package fleet

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"

	"usher"
)

// refusals are the errors of a Redis that answers and takes no writes. They may be inside the
// error of a script.
var refusals = []struct{ code, means, do string }{
	{"NOREPLICAS", "it has fewer replicas than its min-replicas-to-write", "start its replicas, or remove min-replicas-to-write from the configuration of a single server"},
	{"READONLY", "it is a replica", "set redis.url to the master, or to the Sentinels"},
	{"MISCONF", "it cannot write its snapshot to the disk", "free space on its disk, or set save \"\" in its configuration"},
	{"OOM", "its memory is full", "raise its maxmemory"},
	{"LOADING", "it reads its data from the disk", "wait, or set save \"\" in its configuration"},
	{"MASTERDOWN", "it is a replica without a master", "start the master, or set redis.url to the Sentinels"},
	{"CLUSTERDOWN", "its cluster lacks nodes", "start the nodes that are down"},
}

// diagnose returns what is wrong with Redis after a request that ended with err, and what to do.
func diagnose(err error) (wrong, do string) {
	var answer redis.Error
	if !errors.As(err, &answer) {
		return "Redis does not answer", "check that it runs and can be reached from this machine"
	}
	text := answer.Error()
	if refusesLogin(err) {
		return usher.ErrRedisLogin.Error(), "redis.url needs that of the user worker of deploy/redis.acl"
	}
	for _, refusal := range refusals {
		if strings.Contains(text, refusal.code) {
			return fmt.Sprintf("Redis accepts no writes: %s: %s", refusal.code, refusal.means), refusal.do
		}
	}
	return "Redis answers with an error", "check that it is Redis 5 or newer, or a compatible server"
}

// refusesLogin reports whether a request ended with err because Redis refuses the login.
func refusesLogin(err error) bool {
	var answer redis.Error
	return errors.As(err, &answer) && (IsRefusal(answer) || strings.HasPrefix(answer.Error(), "WRONGPASS"))
}

// Explain returns the error of a task that failed with err at Redis. It says what is wrong with
// Redis and what to do. It is usher.ErrRedisLogin if Redis refuses the login.
func Explain(task string, err error) error {
	wrong, do := diagnose(err)
	if refusesLogin(err) {
		return fmt.Errorf("%s: %w: %s: %w", task, usher.ErrRedisLogin, do, err)
	}
	return fmt.Errorf("%s: %s: %s: %w", task, wrong, do, err)
}

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
