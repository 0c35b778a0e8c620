package embedded

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/alicebob/miniredis/v2"
	natsserver "github.com/nats-io/nats-server/v2/server"

	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
)

// NATS is a NATS server in this process, with JetStream on disk.
type NATS struct{ server *natsserver.Server }

// StartNATS starts a NATS server at host:port (port 0: any free port) with its data
// below dir. Every message is synced to disk before it is acknowledged, so that neither
// kill -9 nor a power failure loses a job.
func StartNATS(ctx context.Context, address, dir string) (*NATS, error) {
	host, port, err := config.SplitAddress(address)
	if err != nil {
		return nil, fmt.Errorf("start NATS: %w", err)
	}
	if port == 0 {
		port = natsserver.RANDOM_PORT
	} else if err := checkPort(ctx, address, "NATS (--nats)"); err != nil {
		return nil, fmt.Errorf("start NATS: %w", err)
	}
	server, err := natsserver.NewServer(&natsserver.Options{
		ServerName: "usher", Tags: []string{connect.EmbeddedTag}, Host: host, Port: port, NoSigs: true, NoLog: true,
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
	return &NATS{server}, nil
}

// URL returns the address for clients.
func (e *NATS) URL() string { return e.server.ClientURL() }

// Stop stops the server and waits until it has stopped.
func (e *NATS) Stop() {
	e.server.Shutdown()
	e.server.WaitForShutdown()
}

// Redis is a Redis server in this process. It keeps its data (locks, limits and a
// token) in memory only.
type Redis struct {
	server *miniredis.Miniredis
	done   chan struct{}
	wait   sync.WaitGroup
}

// StartRedis starts a Redis server at host:port (port 0: any free port).
func StartRedis(ctx context.Context, address string) (*Redis, error) {
	if _, port, err := config.SplitAddress(address); err != nil {
		return nil, fmt.Errorf("start Redis: %w", err)
	} else if port != 0 {
		if err := checkPort(ctx, address, "Redis (--redis)"); err != nil {
			return nil, fmt.Errorf("start Redis: %w", err)
		}
	}
	e := &Redis{server: miniredis.NewMiniRedis(), done: make(chan struct{})}
	if err := e.server.StartAddr(address); err != nil {
		return nil, fmt.Errorf("start Redis: %w", err)
	}
	e.wait.Go(e.expire)
	return e, nil
}

// expire advances the server's clock, because miniredis does not expire keys by itself.
func (e *Redis) expire() {
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

// URL returns the address for clients.
func (e *Redis) URL() string { return "redis://" + e.server.Addr() + "/0" }

// Stop stops the server.
func (e *Redis) Stop() {
	close(e.done)
	e.wait.Wait()
	e.server.Close()
}

// checkPort returns an error that says what to do if the address is in use. The NATS
// server would only log it.
func checkPort(ctx context.Context, address, who string) error {
	l, err := connect.Listen(ctx, address, who)
	if err != nil {
		return err
	}
	return l.Close()
}
