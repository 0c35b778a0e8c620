package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/redis/go-redis/v9"
)

// console answers at the console's address. Until there is a console these are
// /healthz (the process is there) and /readyz (NATS, Redis and the platform
// are too).
type console struct {
	url    string
	server *http.Server
}

func startConsole(ctx context.Context, c config, nc *nats.Conn, rdb redis.UniversalClient, p *platform) (*console, error) {
	address := c.String("console.listen")
	if address == "" {
		return &console{}, nil
	}
	if _, _, err := splitAddress(address); err != nil {
		return nil, fmt.Errorf("read console.listen: %w", err)
	}
	listener, err := listen(ctx, address, "the console (console.listen)")
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) { answerReady(w, r, nc, rdb, p) })
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go func() {
		_ = server.Serve(listener) // ends with Close, see stop
	}()
	return &console{url: "http://" + listener.Addr().String(), server: server}, nil
}

func answerReady(w http.ResponseWriter, r *http.Request, nc *nats.Conn, rdb redis.UniversalClient, p *platform) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	var checks struct {
		NATS     string `json:"nats"`
		Redis    string `json:"redis"`
		Platform string `json:"platform"`
	}
	checks.NATS, checks.Redis, checks.Platform = "ok", "ok", "ok"
	status := http.StatusOK
	fail := func(what *string, err error) {
		if err != nil {
			*what, status = err.Error(), http.StatusServiceUnavailable
		}
	}
	if !nc.IsConnected() {
		fail(&checks.NATS, errors.New("not connected"))
	}
	fail(&checks.Redis, rdb.Ping(ctx).Err())
	if p.breaker.Open() {
		fail(&checks.Platform, errors.New("down"))
	} else {
		fail(&checks.Platform, p.hasToken(ctx))
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(checks) //nolint:errchkjson // the caller is gone
}

func (c *console) stop() {
	if c.server != nil {
		_ = c.server.Close()
	}
}
