package dev

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/shutdown"
	"usher/internal/exports/places"
)

// Wiring runs a worker with its console until fetch ends. If work ends as well, running
// jobs return to the queue.
type Wiring func(fetch, work context.Context, c config.Config, logger *slog.Logger, session *Session) error

// Session is what a worker in usher dev or usher demo has in addition to its configuration.
type Session struct {
	Ready  chan<- Addresses // receives the addresses once all parts respond
	Intake net.Listener     // for jobs over HTTP; nil: they are not served
}

// Listener returns the listener for jobs over HTTP of a session, which may be nil.
func (s *Session) Listener() net.Listener {
	if s == nil {
		return nil
	}
	return s.Intake
}

// Command returns usher dev. serve runs the worker.
func Command(serve Wiring) *cobra.Command {
	d := Dev{Serve: serve}
	cmd := &cobra.Command{
		Use:   "dev",
		Short: "Run NATS, Redis, sandbox, worker and console in one process",
		Long: `Start an embedded NATS with JetStream on disk, an embedded Redis, the platform's
sandbox and a worker, and run until SIGINT or SIGTERM. Jobs and the state of the
sandbox are stored below --data and survive kill -9.

The other commands use the same addresses by default: try 'usher submit',
'usher jobs ls' and 'usher dead ls' in another terminal.`,
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
			if d.Logger, err = connect.NewLogger(d.Config, cmd.ErrOrStderr()); err != nil {
				return err
			}
			d.warn()
			fetch, work, stop := shutdown.Contexts(cmd.Context(), d.Logger)
			defer stop()
			return d.Run(fetch, work, func(where Addresses) { d.printAddresses(cmd, where) })
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&d.Data, "data", "usher-data", "folder for all data")
	flags.StringVar(&d.NATS, "nats", "127.0.0.1:4222", "address of the embedded NATS; port 0 picks a free port")
	flags.StringVar(&d.Redis, "redis", "127.0.0.1:6379", "address of the embedded Redis")
	flags.StringVar(&d.Sandbox, "sandbox", "127.0.0.1:8480", "address of the sandbox")
	flags.StringVar(&d.Console, "console", "127.0.0.1:8470", "address of the console, /healthz and /readyz")
	flags.StringVar(&d.Intake, "intake", defaultIntake, "address of jobs over HTTP, empty for none; if the default is in use, any free port")
	flags.StringVar(&d.platform, "platform", "", "base URL of a platform to use instead of the sandbox")
	flags.StringArrayVar(&d.allow, "allow", nil, "location from which jobs may read exports, repeatable (default the working directory)")
	flags.StringArrayVar(&d.rules, "rules", nil, "rule file, or folder of rule files, repeatable")
	flags.StringArrayVar(&d.feeds, "feeds", nil, "feed file, or folder of feed files, repeatable")
	flags.StringVar(&d.readyFile, "ready-file", "", "file that receives the addresses as JSON once all parts respond")
	config.AddFlags(cmd, "username", "advertiser", "namespace", "log-level", "log-format")
	return cmd
}

// printAddresses prints where the parts are, and what to do with them.
func (d *Dev) printAddresses(cmd *cobra.Command, where Addresses) {
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "usher is running. NATS %s · Redis %s · platform %s · console %s\n", where.NATS, where.Redis, where.Platform, where.Console)
	if where.Intake != "" {
		moved := ""
		if d.intakeInUse {
			moved = fmt.Sprintf(", because %s is in use,", d.Intake)
		}
		fmt.Fprintf(out, "Jobs over HTTP: %s/v1/jobs/KIND%s with a token of %s.\n", where.Intake, cmp.Or(moved, ","), d.tokens)
	}
	if where.Link != "" {
		fmt.Fprintf(out, "Open the console by this link, which works once: %s\n", where.Link)
	}
	if flags := cmd.Flags(); flags.Changed("nats") || flags.Changed("redis") || flags.Changed("sandbox") {
		fmt.Fprintf(out, "Other commands find it by: export USHER_NATS_URL=%s USHER_REDIS_URL=%s USHER_PLATFORM_URL=%s\n", where.NATS, where.Redis, where.Platform)
	}
	if d.platform == "" { // nobody is told to change segments of a real platform
		d.printNext(out)
	}
	fmt.Fprintf(out, "Press Ctrl-C to stop it; its data stays in %s.\n", d.Data)
}

// Dev runs all parts in one process.
type Dev struct {
	Serve  Wiring
	Config config.Config
	Logger *slog.Logger

	Data, NATS, Redis, Sandbox, Console string
	Intake                              string // empty: no jobs over HTTP
	platform, readyFile                 string
	allow, rules, feeds                 []string
	anyIntake                           bool   // Intake is only the default
	intakeInUse                         bool   // so that another port was taken
	tokens                              string // where tokens for jobs over HTTP are
}

// Addresses has the URLs of the parts, as written to --ready-file.
type Addresses struct {
	NATS     string `json:"nats"`
	Redis    string `json:"redis"`
	Platform string `json:"platform"`
	Console  string `json:"console"`

	Intake string `json:"-"` // of jobs over HTTP; empty: not served

	Link string `json:"-"` // one-time login link of the console; printed, but not written to a file
}

// defaultIntake is the default address of jobs over HTTP. If it is in use, perhaps by another
// usher dev, a free port is used.
const defaultIntake = "127.0.0.1:8460"

// ackWait is dev's default of nats.ack_wait.
const ackWait = 10 * time.Second

// check validates the flags before anything is created or started.
func (d *Dev) check() error {
	for _, f := range []struct{ flag, address string }{
		{"nats", d.NATS}, {"redis", d.Redis}, {"sandbox", d.Sandbox}, {"console", d.Console},
		{"intake", d.Intake},
	} {
		if f.flag == "intake" && f.address == "" {
			continue
		}
		if _, _, err := config.SplitAddress(f.address); err != nil {
			return command.Usagef("flag --%s: %w", f.flag, err)
		}
	}
	if d.platform != "" {
		if err := config.CheckValue("flag --platform", "platform.url", d.platform); err != nil {
			return command.Usagef("%w", err)
		}
	}
	if _, err := places.Allow(d.allow); err != nil {
		return command.Usagef("flag --allow: %w", err)
	}
	if d.Data == "" {
		return command.Usagef("flag --data must name a folder")
	}
	return nil
}

// warn logs settings that are probably mistakes.
func (d *Dev) warn() {
	for _, place := range d.allow {
		path, local := connect.LocalPath(place)
		if !local {
			continue
		}
		if _, err := connect.DescribePlace(path); err != nil {
			d.Logger.Warn("a location of --allow cannot be read", "place", place, "error", err)
		}
	}
	for _, warning := range config.UnknownVariables(os.Environ()) {
		d.Logger.Warn(warning)
	}
}

// configure returns the configuration with dev's flags applied. The default login is
// the sandbox's.
func (d *Dev) configure(cmd *cobra.Command, c config.Config) (config.Config, error) {
	allow := d.allow
	if len(allow) == 0 {
		allow = c.Strings("sources.allow")
	}
	if len(allow) == 0 {
		allow = []string{"."}
	}
	if d.platform == "" && (allow[0] != "." || !filepath.IsLocal(d.Data)) {
		first, second := d.exports()
		allow = append(slices.Clone(allow), first, second)
	}
	set := map[string]any{"console.listen": d.Console}
	if !cmd.Flags().Changed("intake") {
		configured := c.String("intake.listen")
		d.Intake, d.anyIntake = cmp.Or(configured, d.Intake), configured == ""
	}
	set["intake.listen"] = d.Intake
	if c.Duration("nats.ack_wait") == config.DefaultAckWait {
		// In usher dev, server and worker are killed together, and the jobs that were
		// running are redelivered only after this time.
		set["nats.ack_wait"] = ackWait
	}
	set["sources.allow"] = allow
	if len(d.rules) > 0 {
		set["rules.files"] = d.rules
	}
	if len(d.feeds) > 0 {
		set["feeds.files"] = d.feeds
	}
	if !cmd.Flags().Changed("console") && c.Exists("console.listen") {
		delete(set, "console.listen")
	}
	for key, value := range set {
		if err := c.Set(key, value); err != nil {
			return c, fmt.Errorf("configure %s: %w", key, err)
		}
	}
	return c.Fixed(), nil
}
