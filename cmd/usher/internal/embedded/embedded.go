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
)

// NATS is a NATS server in this process, with JetStream on disk.
type NATS struct{ server *natsserver.Server }

// StartNATS starts it at a host:port (port 0: any) with its data below dir.
// Every publish is on disk before it is acknowledged, so that neither kill -9
// nor a power cut loses a job.
func StartNATS(ctx context.Context, address, dir string) (*NATS, error) {
	host, port, err := config.SplitAddress(address)
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
	return &NATS{server}, nil
}

func (e *NATS) URL() string { return e.server.ClientURL() }

func (e *NATS) Stop() {
	e.server.Shutdown()
	e.server.WaitForShutdown()
}

// Redis is a Redis in this process. It holds nothing that must
// survive: locks, limits and a token.
type Redis struct {
	server *miniredis.Miniredis
	done   chan struct{}
	wait   sync.WaitGroup
}

func StartRedis(ctx context.Context, address string) (*Redis, error) {
	if _, port, err := config.SplitAddress(address); err != nil {
		return nil, fmt.Errorf("start Redis: %w", err)
	} else if port != 0 {
		if err := portFree(ctx, address, "Redis"); err != nil {
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

// expire lets time pass: the server never expires keys by itself.
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

func (e *Redis) URL() string { return "redis://" + e.server.Addr() + "/0" }

func (e *Redis) Stop() {
	close(e.done)
	e.wait.Wait()
	e.server.Close()
}
