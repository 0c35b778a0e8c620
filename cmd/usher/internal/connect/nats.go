package connect

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/cmd/usher/internal/config"
	"usher/queues"
)

// EmbeddedTag marks the NATS server of usher dev and demo, which only this machine uses.
const EmbeddedTag = "usher-embedded"

// DialNATS returns a connection to NATS that reconnects for ever.
func DialNATS(c config.Config, logger *slog.Logger) (*nats.Conn, error) {
	options := []nats.Option{
		nats.Name("usher " + WorkerName(c)), nats.MaxReconnects(-1), nats.ReconnectWait(time.Second),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				logger.Warn("NATS is away, reconnecting", "error", err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { logger.Info("NATS is back") }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { logger.Warn("NATS", "error", err) }),
	}
	if path := c.String("nats.credentials"); path != "" {
		options = append(options, nats.UserCredentials(path))
	}
	nc, err := nats.Connect(c.String("nats.url"), options...)
	if err != nil {
		return nil, fmt.Errorf("connect to NATS at %s: %w; is NATS running? `usher dev` starts one", config.HideLogin(c.String("nats.url")), err)
	}
	return nc, nil
}

// waitInterval is how often a worker that starts looks for NATS.
const waitInterval = 2 * time.Second

// AwaitNATS is DialNATS for a worker, which may start before NATS does: while no server
// answers, it waits and logs that.
func AwaitNATS(ctx context.Context, c config.Config, logger *slog.Logger) (*nats.Conn, error) {
	for {
		nc, err := DialNATS(c, logger)
		if err == nil || !errors.Is(err, nats.ErrNoServers) && !errors.Is(err, nats.ErrTimeout) {
			return nc, err
		}
		logger.Warn("waiting for NATS", "error", err)
		if usher.Sleep(ctx, waitInterval) != nil {
			return nil, err
		}
	}
}

// Drain sends what is buffered and closes the connection. It waits for at most five
// seconds.
func Drain(nc *nats.Conn) {
	closed := make(chan struct{})
	nc.SetClosedHandler(func(*nats.Conn) { close(closed) })
	if nc.Drain() != nil {
		nc.Close()
		return
	}
	select {
	case <-closed:
	case <-time.After(5 * time.Second):
		nc.Close()
	}
}

// WorkerName returns the name of this process in records and locks.
func WorkerName(c config.Config) string {
	if name := c.String("worker"); name != "" {
		return name
	}
	host, err := os.Hostname()
	if err != nil {
		host = "host"
	}
	return fmt.Sprintf("%s-%d", host, os.Getpid())
}

// Declare creates the streams, consumers and buckets, or updates them.
func Declare(ctx context.Context, c config.Config, logger *slog.Logger) error {
	nc, err := DialNATS(c, logger)
	if err != nil {
		return err
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		return fmt.Errorf("open JetStream: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	return queues.Declare(ctx, js, QueueOptions(c, logger))
}
