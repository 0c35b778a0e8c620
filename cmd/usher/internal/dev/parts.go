package dev

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/datafolder"
	"usher/cmd/usher/internal/embedded"
	"usher/cmd/usher/internal/intake"
	"usher/cmd/usher/internal/shutdown"
	"usher/internal/sandbox"
)

// Run starts the parts, calls up once all respond, runs until fetch ends, and stops the
// parts in reverse order.
func (d *Dev) Run(fetch, work context.Context, up func(Addresses)) error {
	if err := os.MkdirAll(d.Data, 0o700); err != nil {
		return fmt.Errorf("create data folder (--data): %w", err)
	}
	unlock, err := datafolder.Lock(d.Data)
	if err != nil {
		return err
	}
	defer unlock()
	if err := d.writeExports(); err != nil {
		return err
	}
	nats, err := embedded.StartNATS(fetch, d.NATS, d.Data)
	if err != nil {
		return err
	}
	defer nats.Stop()
	redis, err := embedded.StartRedis(fetch, d.Redis)
	if err != nil {
		return err
	}
	defer redis.Stop()
	box, err := d.startSandbox(fetch)
	if err != nil {
		return err
	}
	defer box.stop()

	set := map[string]any{"nats.url": nats.URL(), "redis.url": redis.URL()}
	if d.Config.String("ledger.url") == "" {
		set["ledger.url"] = filepath.Join(d.Data, "ledger")
	}
	if d.platform == "" {
		set["platform.url"] = box.url
	} else {
		set["platform.url"] = d.platform
	}
	for key, value := range set {
		if err := d.Config.Set(key, value); err != nil {
			return fmt.Errorf("configure %s: %w", key, err)
		}
	}
	if err := connect.Declare(fetch, d.Config, d.Logger); err != nil {
		return fmt.Errorf("store jobs in %s (--data): %w", d.Data, err)
	}
	listener, err := d.listenIntake(fetch)
	if err != nil {
		return err
	}
	if listener != nil {
		defer func() { _ = listener.Close() }() // the worker has closed it unless it failed
	}
	return d.runWorker(fetch, work, listener, up)
}

// listenIntake listens for jobs over HTTP, and creates a token unless the configuration
// names a token file. It returns nil if there is no address.
func (d *Dev) listenIntake(ctx context.Context) (net.Listener, error) {
	if d.Intake == "" {
		return nil, nil
	}
	if d.tokens = d.Config.String("intake.tokens"); d.tokens == "" {
		folder, err := intake.EnsureToken(d.Data)
		if err != nil {
			return nil, err
		}
		d.tokens = folder.Token
		if err := d.Config.Set("intake.tokens", folder.Tokens); err != nil {
			return nil, fmt.Errorf("configure intake.tokens: %w", err)
		}
	}
	const what = "jobs over HTTP (--intake)"
	l, err := connect.Listen(ctx, d.Intake, what)
	if d.intakeInUse = errors.Is(err, syscall.EADDRINUSE); d.intakeInUse && d.anyIntake {
		return connect.Listen(ctx, "127.0.0.1:0", what)
	}
	return l, err
}

// runWorker runs the worker until fetch ends. It calls up once all parts respond.
func (d *Dev) runWorker(fetch, work context.Context, listener net.Listener, up func(Addresses)) error {
	fetch, end := context.WithCancelCause(fetch)
	defer end(nil)
	var worker sync.WaitGroup
	var failed error
	ready := make(chan Addresses, 1)
	worker.Go(func() {
		if failed = d.Serve(fetch, work, d.Config, d.Logger, &Session{Ready: ready, Intake: listener}); failed != nil {
			end(failed)
		}
	})
	select {
	case where := <-ready:
		if err := d.writeReadyFile(where); err != nil {
			end(err)
			worker.Wait()
			return err
		}
		up(where)
	case <-fetch.Done():
	}
	worker.Wait()
	if shutdown.IsShutdown(failed) {
		return nil
	}
	return failed
}

// writeReadyFile writes the ready file atomically, by rename.
func (d *Dev) writeReadyFile(where Addresses) error {
	if d.readyFile == "" {
		return nil
	}
	data, err := json.Marshal(where)
	if err != nil {
		return fmt.Errorf("encode ready file: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(d.readyFile), ".ready-*")
	if err != nil {
		return fmt.Errorf("write ready file: %w", err)
	}
	defer func() { _ = os.Remove(f.Name()) }() // fails after the rename
	if _, err := f.Write(append(data, '\n')); err != nil {
		return fmt.Errorf("write ready file: %w", errors.Join(err, f.Close()))
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("write ready file: %w", err)
	}
	if err := os.Rename(f.Name(), d.readyFile); err != nil {
		return fmt.Errorf("write ready file: %w", err)
	}
	return nil
}

// runningSandbox is the address of a sandbox that is served, and the function that stops it.
type runningSandbox struct {
	url  string
	stop func()
}

// startSandbox serves the sandbox, unless another platform is configured.
func (d *Dev) startSandbox(ctx context.Context) (runningSandbox, error) {
	if d.platform != "" {
		return runningSandbox{stop: func() {}}, nil
	}
	box, err := sandbox.Open(sandbox.Options{
		Username: d.Config.String("platform.username"), Password: d.Config.String("platform.password"),
		Advertiser: d.Config.String("platform.advertiser"), Data: filepath.Join(d.Data, "sandbox"), Logger: d.Logger,
	})
	if err != nil {
		return runningSandbox{}, err
	}
	listener, err := connect.Listen(ctx, d.Sandbox, "the sandbox (--sandbox)")
	if err != nil {
		return runningSandbox{}, errors.Join(err, box.Close())
	}
	server := &http.Server{Handler: box, ReadHeaderTimeout: 10 * time.Second}
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(listener) }) // returns after Close
	return runningSandbox{url: "http://" + listener.Addr().String(), stop: func() {
		_ = server.Close()
		serving.Wait()
		if err := box.Close(); err != nil {
			d.Logger.Error("closing the sandbox failed", "error", err)
		}
	}}, nil
}
