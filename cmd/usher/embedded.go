package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/alicebob/miniredis/v2"
	natsserver "github.com/nats-io/nats-server/v2/server"
)

// embeddedNATS is a NATS server in this process, with JetStream on disk.
type embeddedNATS struct{ server *natsserver.Server }

// startNATS starts it at a host:port (port 0: any) with its data below dir.
// Every publish is on disk before it is acknowledged, so that neither kill -9
// nor a power cut loses a job.
func startNATS(ctx context.Context, address, dir string) (*embeddedNATS, error) {
	host, port, err := splitAddress(address)
	if err != nil {
		return nil, fmt.Errorf("start NATS: %w", err)
	}
	if port == 0 {
		port = natsserver.RANDOM_PORT
	} else if err := portFree(ctx, address, "NATS"); err != nil {
		return nil, fmt.Errorf("start NATS: %w", err)
	}
	server, err := natsserver.NewServer(&natsserver.Options{
		ServerName: "usher", Host: host, Port: port, NoSigs: true, NoLog: true,
		JetStream: true, StoreDir: filepath.Join(dir, "nats"), SyncAlways: true,
	})
	if err != nil {
		return nil, fmt.Errorf("start NATS: %w", err)
	}
	server.Start()
	if !server.ReadyForConnections(10 * time.Second) {
		server.Shutdown()
		return nil, fmt.Errorf("start NATS at %s: not ready after 10 s; is another usher using %s?", address, dir)
	}
	return &embeddedNATS{server}, nil
}

func (e *embeddedNATS) url() string { return e.server.ClientURL() }

func (e *embeddedNATS) stop() {
	e.server.Shutdown()
	e.server.WaitForShutdown()
}

// embeddedRedis is a Redis in this process. It holds nothing that must
// survive: locks, limits and a token.
type embeddedRedis struct {
	server *miniredis.Miniredis
	done   chan struct{}
	wait   sync.WaitGroup
}

func startRedis(ctx context.Context, address string) (*embeddedRedis, error) {
	if _, port, err := splitAddress(address); err != nil {
		return nil, fmt.Errorf("start Redis: %w", err)
	} else if port != 0 {
		if err := portFree(ctx, address, "Redis"); err != nil {
			return nil, fmt.Errorf("start Redis: %w", err)
		}
	}
	e := &embeddedRedis{server: miniredis.NewMiniRedis(), done: make(chan struct{})}
	if err := e.server.StartAddr(address); err != nil {
		return nil, fmt.Errorf("start Redis: %w", err)
	}
	e.wait.Go(e.expire)
	return e, nil
}

// expire lets time pass: the server never expires keys by itself.
func (e *embeddedRedis) expire() {
	const step = 50 * time.Millisecond
	tick := time.NewTicker(step)
	defer tick.Stop()
	last := time.Now()
	for {
		select {
		case <-e.done:
			return
		case now := <-tick.C:
			e.server.FastForward(now.Sub(last))
			last = now
		}
	}
}

func (e *embeddedRedis) url() string { return "redis://" + e.server.Addr() + "/0" }

func (e *embeddedRedis) stop() {
	close(e.done)
	e.wait.Wait()
	e.server.Close()
}

func splitAddress(address string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(address)
	if err == nil {
		port, err = strconv.Atoi(text)
	}
	if err != nil || port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("%q is no address: give host:port, such as 127.0.0.1:0", address)
	}
	return host, port, nil
}

// listen listens at a host:port; what asks for it is named in the error.
func listen(ctx context.Context, address, who string) (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err == nil {
		return l, nil
	}
	var op *net.OpError
	if errors.As(err, &op) {
		err = op.Err
	}
	return nil, fmt.Errorf("listen for %s at %s: %w; give another address, port 0 is any free one", who, address, err)
}

// portFree says so where somebody else listens already: the NATS server itself
// would only log it, the Redis server not say what to do.
func portFree(ctx context.Context, address, who string) error {
	l, err := listen(ctx, address, who)
	if err != nil {
		return err
	}
	return l.Close()
}
