package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/spf13/cobra"

	"usher/internal/exports/places"
	"usher/internal/sandbox"
	"usher/queues"
)

func devCommand() *cobra.Command {
	var d dev
	cmd := &cobra.Command{
		Use:   "dev",
		Short: "Everything in one process, staying up: NATS, Redis, sandbox, worker, console",
		Long: `Starts an embedded NATS with JetStream on disk, a Redis, the platform's sandbox
and a worker, and stays up until SIGINT or SIGTERM. What was published and what
the sandbox holds lies below --data and survives kill -9.

The other commands find it at their default addresses: try 'usher submit',
'usher jobs ls', 'usher dead ls' in another terminal.`,
		Example: `  usher dev --data ./usher-data
  usher dev --allow /exports --nats 127.0.0.1:0 --ready-file /tmp/ready.json
  usher dev --platform https://platform.example --console 127.0.0.1:8470`,
		Args: none,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := d.check(); err != nil {
				return err
			}
			c, err := loadConfig(cmd, os.LookupEnv)
			if err != nil {
				return err
			}
			if d.config, err = d.configure(cmd, c); err != nil {
				return err
			}
			if d.logger, err = newLogger(d.config, cmd.ErrOrStderr()); err != nil {
				return err
			}
			d.warn()
			fetch, work, stop := signals(cmd.Context(), d.logger)
			defer stop()
			return d.run(fetch, work, func(where addresses) {
				fmt.Fprintf(cmd.OutOrStdout(), "usher is up. NATS %s · Redis %s · platform %s · console %s\n", where.NATS, where.Redis, where.Platform, where.Console)
				if where.link != "" {
					fmt.Fprintf(cmd.OutOrStdout(), "Open the console, once, at %s\n", where.link)
				}
				fmt.Fprintf(cmd.OutOrStdout(), "Ctrl-C stops it; what it holds stays in %s.\n", d.data)
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&d.data, "data", "usher-data", "folder that holds what must survive")
	flags.StringVar(&d.nats, "nats", "127.0.0.1:4222", "address of the embedded NATS; port 0 is any free one")
	flags.StringVar(&d.redis, "redis", "127.0.0.1:6379", "address of the embedded Redis")
	flags.StringVar(&d.sandbox, "sandbox", "127.0.0.1:8480", "address of the sandbox")
	flags.StringVar(&d.console, "console", "127.0.0.1:8470", "address of the console, /healthz and /readyz")
	flags.StringVar(&d.platform, "platform", "", "base URL of a platform to use instead of the sandbox")
	flags.StringArrayVar(&d.allow, "allow", nil, "place that jobs may read exports from, repeatable (default the working directory)")
	flags.StringArrayVar(&d.rules, "rules", nil, "rule file, or folder of them, to act by; repeatable")
	flags.StringVar(&d.readyFile, "ready-file", "", "file that gets the addresses as JSON once all answer")
	addConfigFlags(cmd, "username", "advertiser", "namespace", "log-level", "log-format")
	return cmd
}

// dev is everything in one process.
type dev struct {
	config config
	logger *slog.Logger

	data, nats, redis, sandbox, console string
	platform, readyFile                 string
	allow, rules                        []string
}

// addresses are where the parts answer, as --ready-file gets them.
type addresses struct {
	NATS     string `json:"nats"`
	Redis    string `json:"redis"`
	Platform string `json:"platform"`
	Console  string `json:"console"`

	link string // lets one browser into the console, once; printed, and in no file
}

// devAckWait is dev's nats.ack_wait, unless another was configured.
const devAckWait = 10 * time.Second

// check judges the flags, before anything is made or started.
func (d *dev) check() error {
	for _, f := range []struct{ flag, address string }{
		{"nats", d.nats}, {"redis", d.redis}, {"sandbox", d.sandbox}, {"console", d.console},
	} {
		if _, _, err := splitAddress(f.address); err != nil {
			return usage("flag --%s: %w", f.flag, err)
		}
	}
	if d.platform != "" && !platformURL().holds(d.platform) {
		return usage("flag --platform takes %s, not %q", platformURL().words, hideLogin(d.platform))
	}
	if _, err := places.Allow(d.allow); err != nil {
		return usage("flag --allow: %w", err)
	}
	if d.data == "" {
		return usage("flag --data takes a folder, not nothing")
	}
	return nil
}

// warn says what is odd and may be meant.
func (d *dev) warn() {
	for _, place := range d.allow {
		path, local := localPath(place)
		if !local {
			continue
		}
		if _, err := readPlace(path); err != nil {
			d.logger.Warn("a place of --allow cannot be read", "place", place, "error", err)
		}
	}
	for _, stray := range strayVariables(os.Environ()) {
		d.logger.Warn(stray)
	}
}

// configure is the configuration with dev's flags in it. The login and the
// like are the sandbox's, unless they were configured.
func (d *dev) configure(cmd *cobra.Command, c config) (config, error) {
	allow := d.allow
	if len(allow) == 0 && len(c.Strings("sources.allow")) == 0 {
		allow = []string{"."}
	}
	set := map[string]any{"console.listen": d.console}
	if c.Duration("nats.ack_wait") == defaultAckWait {
		// Server and worker go down together here, and the work that lay with
		// the worker comes again only after this time.
		set["nats.ack_wait"] = devAckWait
	}
	if len(allow) > 0 {
		set["sources.allow"] = allow
	}
	if len(d.rules) > 0 {
		set["rules.files"] = d.rules
	}
	if !cmd.Flags().Changed("console") && c.Exists("console.listen") {
		delete(set, "console.listen")
	}
	for key, value := range set {
		if err := c.Set(key, value); err != nil {
			return c, fmt.Errorf("configure %s: %w", key, err)
		}
	}
	return c, nil
}

// run starts the parts, works until fetch ends, and stops them in turn.
func (d *dev) run(fetch, work context.Context, up func(addresses)) error {
	if err := os.MkdirAll(d.data, 0o700); err != nil {
		return fmt.Errorf("make data folder (--data): %w", err)
	}
	unlock, err := lockFolder(d.data)
	if err != nil {
		return err
	}
	defer unlock()
	nats, err := startNATS(fetch, d.nats, d.data)
	if err != nil {
		return err
	}
	defer nats.stop()
	redis, err := startRedis(fetch, d.redis)
	if err != nil {
		return err
	}
	defer redis.stop()
	box, err := d.startSandbox(fetch)
	if err != nil {
		return err
	}
	defer box.stop()

	set := map[string]any{"nats.url": nats.url(), "redis.url": redis.url()}
	if d.platform == "" {
		set["platform.url"] = box.url
	} else {
		set["platform.url"] = d.platform
	}
	for key, value := range set {
		if err := d.config.Set(key, value); err != nil {
			return fmt.Errorf("configure %s: %w", key, err)
		}
	}
	if err := declare(fetch, d.config, d.logger); err != nil {
		return err
	}
	return d.work(fetch, work, up)
}

func (d *dev) work(fetch, work context.Context, up func(addresses)) error {
	fetch, end := context.WithCancelCause(fetch)
	defer end(nil)
	var worker sync.WaitGroup
	var failed error
	ready := make(chan addresses, 1)
	worker.Go(func() {
		if failed = run(fetch, work, d.config, d.logger, ready); failed != nil {
			end(failed)
		}
	})
	select {
	case where := <-ready:
		if err := d.ready(where); err != nil {
			end(err)
			worker.Wait()
			return err
		}
		up(where)
	case <-fetch.Done():
	}
	worker.Wait()
	if isStopped(failed) {
		return nil
	}
	return failed
}

// ready writes the ready file, whole, by rename.
func (d *dev) ready(where addresses) error {
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
	defer func() { _ = os.Remove(f.Name()) }() // there only where the rename was not reached
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

// served is an HTTP server of ours on loopback.
type served struct {
	url  string
	stop func()
}

// startSandbox serves the platform, unless there is another.
func (d *dev) startSandbox(ctx context.Context) (served, error) {
	if d.platform != "" {
		return served{stop: func() {}}, nil
	}
	box, err := sandbox.Open(sandbox.Options{
		Username: d.config.String("platform.username"), Password: d.config.String("platform.password"),
		Advertiser: d.config.String("platform.advertiser"), Data: filepath.Join(d.data, "sandbox"), Logger: d.logger,
	})
	if err != nil {
		return served{}, err
	}
	listener, err := listen(ctx, d.sandbox, "the sandbox")
	if err != nil {
		return served{}, errors.Join(err, box.Close())
	}
	server := &http.Server{Handler: box, ReadHeaderTimeout: 10 * time.Second}
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(listener) }) // ends with Close
	return served{url: "http://" + listener.Addr().String(), stop: func() {
		_ = server.Close()
		serving.Wait()
		if err := box.Close(); err != nil {
			d.logger.Error("closing the sandbox", "error", err)
		}
	}}, nil
}

// declare makes the streams and buckets.
func declare(ctx context.Context, c config, logger *slog.Logger) error {
	nc, err := connect(c, logger)
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
	return queues.Declare(ctx, js, queueOptions(c, logger))
}
