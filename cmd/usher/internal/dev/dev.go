package dev

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

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/datafolder"
	"usher/cmd/usher/internal/embedded"
	"usher/cmd/usher/internal/shutdown"
	"usher/internal/exports/places"
	"usher/internal/sandbox"
)

// Wiring runs a worker with all of its parts until fetch ends, and hands their
// addresses to ready once all of them answer.
type Wiring func(fetch, work context.Context, c config.Config, logger *slog.Logger, ready chan<- Addresses) error

// Command returns usher dev; serve runs the worker.
func Command(serve Wiring) *cobra.Command {
	d := Dev{Serve: serve}
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
		Args: command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := d.check(); err != nil {
				return err
			}
			c, err := config.Load(cmd, os.LookupEnv)
			if err != nil {
				return err
			}
			if d.Config, err = d.configure(cmd, c); err != nil {
				return err
			}
			if d.Logger, err = connect.Logger(d.Config, cmd.ErrOrStderr()); err != nil {
				return err
			}
			d.warn()
			fetch, work, stop := shutdown.Contexts(cmd.Context(), d.Logger)
			defer stop()
			return d.Run(fetch, work, func(where Addresses) {
				fmt.Fprintf(cmd.OutOrStdout(), "usher is up. NATS %s · Redis %s · platform %s · console %s\n", where.NATS, where.Redis, where.Platform, where.Console)
				if where.Link != "" {
					fmt.Fprintf(cmd.OutOrStdout(), "Open the console, once, at %s\n", where.Link)
				}
				fmt.Fprintf(cmd.OutOrStdout(), "Ctrl-C stops it; what it holds stays in %s.\n", d.Data)
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&d.Data, "data", "usher-data", "folder that holds what must survive")
	flags.StringVar(&d.NATS, "nats", "127.0.0.1:4222", "address of the embedded NATS; port 0 is any free one")
	flags.StringVar(&d.Redis, "redis", "127.0.0.1:6379", "address of the embedded Redis")
	flags.StringVar(&d.Sandbox, "sandbox", "127.0.0.1:8480", "address of the sandbox")
	flags.StringVar(&d.Console, "console", "127.0.0.1:8470", "address of the console, /healthz and /readyz")
	flags.StringVar(&d.platform, "platform", "", "base URL of a platform to use instead of the sandbox")
	flags.StringArrayVar(&d.allow, "allow", nil, "place that jobs may read exports from, repeatable (default the working directory)")
	flags.StringArrayVar(&d.rules, "rules", nil, "rule file, or folder of them, to act by; repeatable")
	flags.StringVar(&d.readyFile, "ready-file", "", "file that gets the addresses as JSON once all answer")
	config.AddFlags(cmd, "username", "advertiser", "namespace", "log-level", "log-format")
	return cmd
}

// Dev is everything in one process.
type Dev struct {
	Serve  Wiring
	Config config.Config
	Logger *slog.Logger

	Data, NATS, Redis, Sandbox, Console string
	platform, readyFile                 string
	allow, rules                        []string
}

// Addresses are where the parts answer, as --ready-file gets them.
type Addresses struct {
	NATS     string `json:"nats"`
	Redis    string `json:"redis"`
	Platform string `json:"platform"`
	Console  string `json:"console"`

	Link string `json:"-"` // lets one browser into the console, once; printed, and in no file
}

// devAckWait is dev's nats.ack_wait, unless another was configured.
const devAckWait = 10 * time.Second

// check judges the flags, before anything is made or started.
func (d *Dev) check() error {
	for _, f := range []struct{ flag, address string }{
		{"nats", d.NATS}, {"redis", d.Redis}, {"sandbox", d.Sandbox}, {"console", d.Console},
	} {
		if _, _, err := config.SplitAddress(f.address); err != nil {
			return command.Usagef("flag --%s: %w", f.flag, err)
		}
	}
	if d.platform != "" {
		if err := config.Check("flag --platform", "platform.url", d.platform); err != nil {
			return command.Usagef("%w", err)
		}
	}
	if _, err := places.Allow(d.allow); err != nil {
		return command.Usagef("flag --allow: %w", err)
	}
	if d.Data == "" {
		return command.Usagef("flag --data takes a folder, not nothing")
	}
	return nil
}

// warn says what is odd and may be meant.
func (d *Dev) warn() {
	for _, place := range d.allow {
		path, local := connect.LocalPath(place)
		if !local {
			continue
		}
		if _, err := connect.DescribePlace(path); err != nil {
			d.Logger.Warn("a place of --allow cannot be read", "place", place, "error", err)
		}
	}
	for _, stray := range config.StrayVariables(os.Environ()) {
		d.Logger.Warn(stray)
	}
}

// configure is the configuration with dev's flags in it. The login and the
// like are the sandbox's, unless they were configured.
func (d *Dev) configure(cmd *cobra.Command, c config.Config) (config.Config, error) {
	allow := d.allow
	if len(allow) == 0 && len(c.Strings("sources.allow")) == 0 {
		allow = []string{"."}
	}
	set := map[string]any{"console.listen": d.Console}
	if c.Duration("nats.ack_wait") == config.DefaultAckWait {
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

// Run starts the parts, works until fetch ends, and stops them in turn.
func (d *Dev) Run(fetch, work context.Context, up func(Addresses)) error {
	if err := os.MkdirAll(d.Data, 0o700); err != nil {
		return fmt.Errorf("make data folder (--data): %w", err)
	}
	unlock, err := datafolder.Lock(d.Data)
	if err != nil {
		return err
	}
	defer unlock()
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
		return err
	}
	return d.work(fetch, work, up)
}

func (d *Dev) work(fetch, work context.Context, up func(Addresses)) error {
	fetch, end := context.WithCancelCause(fetch)
	defer end(nil)
	var worker sync.WaitGroup
	var failed error
	ready := make(chan Addresses, 1)
	worker.Go(func() {
		if failed = d.Serve(fetch, work, d.Config, d.Logger, ready); failed != nil {
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
	if shutdown.IsShutdown(failed) {
		return nil
	}
	return failed
}

// ready writes the ready file, whole, by rename.
func (d *Dev) ready(where Addresses) error {
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
func (d *Dev) startSandbox(ctx context.Context) (served, error) {
	if d.platform != "" {
		return served{stop: func() {}}, nil
	}
	box, err := sandbox.Open(sandbox.Options{
		Username: d.Config.String("platform.username"), Password: d.Config.String("platform.password"),
		Advertiser: d.Config.String("platform.advertiser"), Data: filepath.Join(d.Data, "sandbox"), Logger: d.Logger,
	})
	if err != nil {
		return served{}, err
	}
	listener, err := connect.Listen(ctx, d.Sandbox, "the sandbox")
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
			d.Logger.Error("closing the sandbox", "error", err)
		}
	}}, nil
}
