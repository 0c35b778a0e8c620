package queuetest

import (
	"context"
	"log/slog"
	"os"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher/pipeline"
	"usher/queues"
)

// Serve starts a NATS server with JetStream for an example, which has no testing.TB. It
// returns the server's URL, and panics if the server does not start.
func Serve() (url string, stop func()) {
	dir, err := os.MkdirTemp("", "usher-example-*")
	if err != nil {
		panic(err)
	}
	server, err := natsserver.NewServer(&natsserver.Options{
		Host: "127.0.0.1", Port: natsserver.RANDOM_PORT, NoSigs: true, NoLog: true, JetStream: true, StoreDir: dir,
	})
	if err != nil {
		panic(err)
	}
	server.Start()
	if !server.ReadyForConnections(time.Minute) {
		panic("NATS is not ready")
	}
	return server.ClientURL(), func() {
		server.Shutdown()
		server.WaitForShutdown()
		_ = os.RemoveAll(dir) // a temporary folder
	}
}

// Open opens a queue on a new server for an example. It panics if that fails.
func Open() (q *queues.Queue, stop func()) {
	q, _, stop = OpenServer()
	return q, stop
}

// OpenServer is Open for an example that needs the server's URL, too.
func OpenServer() (q *queues.Queue, url string, stop func()) {
	url, stopServer := Serve()
	nc, err := nats.Connect(url)
	if err != nil {
		panic(err)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		panic(err)
	}
	o := queues.Options{
		Logger: slog.New(slog.DiscardHandler), PullTime: PullTime,
		HashInline: pipeline.HashInline, MergeSketch: pipeline.MergeSketch, Distinct: pipeline.Distinct,
	}
	if err := queues.Declare(context.Background(), js, o); err != nil {
		panic(err)
	}
	if q, err = queues.Open(context.Background(), nc, o); err != nil {
		panic(err)
	}
	return q, url, func() {
		nc.Close()
		stopServer()
	}
}
