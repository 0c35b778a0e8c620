package bench

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/dev"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
)

// timeout ends a measurement that hangs.
const timeout = 30 * time.Minute

// options are the flags of usher bench.
type options struct {
	against       string
	jobs, pauses  int
	ids           int64
	asJSON, clean bool
}

// Command returns usher bench. serve runs the worker.
func Command(serve dev.Wiring) *cobra.Command {
	o := options{}
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure what an installation's NATS and Redis take",
		Long: `Measure how many jobs a second the NATS and Redis of a configuration take, how many a
worker on this machine runs, how many ids a second it uploads, and how long a pause takes,
idle and during the upload. This takes about a minute.

It changes nothing of the installation. Streams, buckets, subjects and keys of Redis have
a namespace of their own, such as bench-1f0c2d3e4b5a6978, and are removed at the end, also after
a failure or Ctrl-C. The platform is the sandbox, in this process: of the configuration,
only the keys nats, redis, lanes, upload.batch_ids and upload.in_flight are used, never
its platform, ledger, rules, feeds or alerts, so that no segment and no campaign can
change. Jobs of the installation continue; they share the servers' disks and processors
meanwhile.

The logins in the configuration must be those of administrators: that of NATS declares
streams, that of Redis writes keys of the namespace. If bench was killed, --clean removes
what it left.`,
		Example: `  usher bench --against /root/admin.yaml
  usher bench --against /root/admin.yaml --jobs 5000 --ids 20000000 --json
  usher bench --against /root/admin.yaml --clean`,
		Args: command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(); err != nil {
				return err
			}
			c, err := load(o.against)
			if err != nil {
				return err
			}
			signal.Ignore(syscall.SIGPIPE) // a closed pipe must not prevent cleaning up
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
			defer stop()
			ctx, cancel := context.WithTimeout(ctx, timeout)
			defer cancel()
			b := &bench{options: o, serve: serve, config: c, logger: slog.New(slog.DiscardHandler), out: cmd.OutOrStdout(), errs: cmd.ErrOrStderr()}
			return b.run(ctx)
		},
	}
	cmd.Flags().StringVar(&o.against, "against", "", "configuration of the installation, with administrators' logins to NATS and Redis")
	cmd.Flags().IntVar(&o.jobs, "jobs", 1000, "number of small jobs")
	cmd.Flags().Int64Var(&o.ids, "ids", 2_000_000, "number of ids of the export")
	cmd.Flags().IntVar(&o.pauses, "pauses", 50, "number of pauses and resumes")
	cmd.Flags().BoolVar(&o.asJSON, "json", false, "print as JSON")
	cmd.Flags().BoolVar(&o.clean, "clean", false, "only remove what earlier runs left, if they were killed")
	return cmd
}

func (o options) check() error {
	const most = 1_000_000
	switch {
	case o.against == "":
		return command.Usagef("flag --against must name a configuration, such as usher.yaml: bench measures against its NATS and Redis")
	case o.jobs < 1 || o.jobs > most:
		return command.Usagef("flag --jobs takes a number from 1 to %d, not %d", most, o.jobs)
	case o.ids < 1 || o.ids > 1000*most:
		return command.Usagef("flag --ids takes a number from 1 to %d, not %d", 1000*most, o.ids)
	case o.pauses < 1 || o.pauses > most:
		return command.Usagef("flag --pauses takes a number from 1 to %d, not %d", most, o.pauses)
	}
	return nil
}

// load returns the configuration of a measurement against an installation.
func load(path string) (config.Config, error) {
	reader := &cobra.Command{}
	config.AddFlags(reader)
	if err := reader.Flags().Set("config", path); err != nil {
		return config.Config{}, err
	}
	installation, err := config.Load(reader, os.LookupEnv)
	if err != nil {
		return config.Config{}, err
	}
	return settings(installation)
}

// used are the keys of an installation's configuration that a measurement uses. All others have
// their defaults, and above all the platform, the ledger, rules, feeds and alerts: what is not
// in this list cannot be reached.
func used() []string {
	return []string{
		"nats.url", "nats.credentials", "nats.ca", "nats.cert", "nats.key", "nats.replicas", "nats.ack_wait",
		"redis.url", "redis.ca", "redis.cert", "redis.key",
		"lanes.audience", "lanes.bulk", "lanes.campaign", "lanes.rules",
		"upload.batch_ids", "upload.in_flight",
	}
}

// prefix is what the namespaces of measurements begin with.
const prefix = "bench-"

// streamSize is the size of each work stream, which NATS reserves.
const streamSize = 256 << 20

// settings returns the defaults with the installation's servers, and a new namespace.
func settings(installation config.Config) (config.Config, error) {
	c, err := config.Defaults()
	if err != nil {
		return c, err
	}
	id := make([]byte, 8)
	_, _ = rand.Read(id) // never fails
	set := map[string]any{
		"namespace": prefix + hex.EncodeToString(id), "worker": "bench", "nats.max_bytes": streamSize,
		"console.listen": "", "platform.rate": 100_000.0, // the sandbox has no limit
	}
	for _, key := range used() {
		set[key] = installation.Get(key)
	}
	for key, value := range set {
		if err := c.Set(key, value); err != nil {
			return c, fmt.Errorf("configure %s: %w", key, err)
		}
	}
	return c, nil
}

// result is what usher bench measured.
type result struct {
	NATS      string  `json:"nats"`
	Replicas  int     `json:"replicas"`
	Redis     string  `json:"redis"`
	Publishes float64 `json:"publishesPerSecond"`
	Jobs      float64 `json:"jobsPerSecond"`
	IDs       float64 `json:"idsPerSecond"`
	Idle      latency `json:"pause"`
	Busy      latency `json:"pauseDuringUpload"`
}

func (b *bench) print(r result) error {
	r.NATS, r.Redis = config.HideLogin(b.config.String("nats.url")), config.HideLogin(b.config.String("redis.url"))
	r.Replicas = b.config.Int("nats.replicas")
	if b.asJSON {
		return terminal.WriteJSON(b.out, r)
	}
	rate := func(perSecond float64) string { return readable.Number(int64(perSecond)) }
	pause := func(l latency) string { return fmt.Sprintf("%.1f ms", l.Median) }
	slow := func(l latency) string { return fmt.Sprintf("99 %% within %.1f ms, of %d", l.Slow, l.Count) }
	table := terminal.Table{Header: []string{"MEASURED", "", "HOW"}}
	table.Add("jobs published per second", rate(r.Publishes), fmt.Sprintf("%d small jobs, acknowledged by NATS with %s", b.jobs, readable.Count(r.Replicas, "replica")))
	table.Add("jobs run per second", rate(r.Jobs), fmt.Sprintf("by one worker with %d slots for uploads", b.config.Int("lanes.audience")))
	table.Add("ids uploaded per second", rate(r.IDs), fmt.Sprintf("one export of %s ids, to the sandbox on this machine", readable.Number(b.ids)))
	table.Add("a pause", pause(r.Idle), slow(r.Idle)+", from the publication to the platform")
	table.Add("a pause during the upload", pause(r.Busy), slow(r.Busy))
	return table.Write(b.out)
}
