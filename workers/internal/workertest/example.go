package workertest

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"time"

	"usher"
	"usher/internal/platform"
	"usher/internal/rtb"
	"usher/internal/sandbox"
	"usher/queues"
	"usher/queues/lanes"
	"usher/workers"
)

// OpenSandbox starts a sandbox for an example, which has no testing.TB, and returns a client
// of it. It panics if that fails.
func OpenSandbox() (client *rtb.Client, stop func()) {
	box, err := sandbox.Open(sandbox.Options{})
	if err != nil {
		panic(err)
	}
	server := httptest.NewServer(box)
	open := rtb.New(rtb.Options{BaseURL: server.URL, Advertiser: "SANDBOX1"})
	client = rtb.New(rtb.Options{BaseURL: server.URL, Advertiser: "SANDBOX1", HTTP: server.Client(), Tokens: rtb.NewTokens(func(ctx context.Context) (string, error) {
		return open.Auth.Token(ctx, "sandbox", "sandbox")
	})})
	return client, func() {
		_ = box.Close() // it has no files
		server.Close()
	}
}

// RunNext runs the next job of a lane with a handler, as a worker with one slot does.
func RunNext(q *queues.Queue, lane lanes.Lane, client *rtb.Client, kind usher.Kind, handler workers.Handler) error {
	ctx := context.Background()
	fetch, stop := context.WithCancel(ctx)
	defer stop()
	logger := slog.New(slog.DiscardHandler)
	worker := &workers.Worker{
		Lanes: []workers.Lane{{Name: string(lane), Slots: 1, Open: func(ctx context.Context, _ func()) (workers.Source, error) {
			d, err := q.Deliveries(ctx, lane)
			return source{d}, err
		}}},
		Handlers: map[usher.Kind]workers.Handler{kind: func(ctx context.Context, job *workers.Job) error {
			defer stop() // the worker settles this job and takes no other
			return handler(ctx, job)
		}},
		Platform: func(string, bool) *rtb.Client { return client },
		Breaker:  platform.NewBreaker(func(context.Context) error { return nil }, time.Minute, time.Now, logger),
		Logger:   logger,
	}
	return worker.Run(fetch, ctx)
}
