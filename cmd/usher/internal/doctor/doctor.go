package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/fleet"
	"usher/internal/readable"
	"usher/internal/rtb"
	"usher/queues"
)

// Command returns usher doctor.
func Command() *cobra.Command {
	var asJSON, repair bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check every connection and setting",
		Long: `Check NATS, the account on it, usher's streams and stored values, Redis, the login to
the platform, their clocks, and the locations and files in the configuration, and say
what to do about each problem. It exits 1 if it finds a problem; a warning is not a
problem. A clock that differs from this machine's by more than 2 s is a warning, one by
more than 30 s a problem.

doctor writes only a heartbeat, unless --repair is given: then it removes stored values
that are damaged, such as a truncated record of a job. Workers rebuild a removed value if
they can: a record from the job's message, a target's register from the records, the
memory of rules from the audit. Each repair is written to the audit.`,
		Example: `  usher doctor --config usher.yaml
  usher doctor --repair`,
		Args: command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := config.Load(cmd, os.LookupEnv)
			if err != nil {
				return err
			}
			findings := examine(cmd.Context(), c, repair, time.Now)
			for _, warning := range config.UnknownVariables(os.Environ()) {
				findings = append(findings, finding("environment", errors.New(warning), ""))
			}
			if err := writeFindings(cmd.OutOrStdout(), findings, asJSON); err != nil {
				return err
			}
			problems := 0
			for _, f := range findings {
				if !f.OK {
					problems++
				}
			}
			if problems > 0 {
				return fmt.Errorf("doctor found %s", readable.Count(int64(problems), "problem"))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print an array of findings")
	cmd.Flags().BoolVar(&repair, "repair", false, "remove damaged values from NATS")
	config.AddFlags(cmd, "nats", "redis", "platform", "username", "advertiser", "namespace")
	return cmd
}

func writeFindings(w io.Writer, findings []queues.Finding, asJSON bool) error {
	if asJSON {
		return terminal.WriteJSON(w, findings)
	}
	table := terminal.Table{}
	for _, f := range findings {
		word := "ok"
		if !f.OK {
			word = "problem"
		}
		table.Add(word, f.What, f.Says)
	}
	return table.Write(w)
}

// examine checks everything that the configuration names. now is this machine's clock.
func examine(ctx context.Context, c config.Config, repair bool, now func() time.Time) []queues.Finding {
	clocks := clocks{now: now}
	found := examineNATS(ctx, c, repair, &clocks)
	found = append(found, examineRedis(ctx, c, &clocks), examinePlatform(ctx, c, &clocks))
	found = append(found, clocks.findings()...)
	found = append(found, examinePlaces(ctx, c)...)
	return append(found, examineSuppression(c)...)
}

// callTime limits each call.
const callTime = 5 * time.Second

func finding(what string, err error, says string) queues.Finding {
	if err != nil {
		return queues.Finding{What: what, Says: err.Error()}
	}
	return queues.Finding{What: what, OK: true, Says: says}
}

func examineNATS(ctx context.Context, c config.Config, repair bool, clocks *clocks) []queues.Finding {
	nc, err := connect.DialNATS(c, slog.New(slog.DiscardHandler))
	if err != nil {
		return []queues.Finding{finding("NATS", err, "")}
	}
	defer nc.Close()
	version, err := nc.ConnectedServerVersion(), checkVersion(nc.ConnectedServerVersion())
	found := []queues.Finding{finding("NATS", err, fmt.Sprintf("version %s at %s", version, config.HideLogin(nc.ConnectedUrl())))}
	js, err := jetstream.New(nc)
	if err != nil {
		return append(found, finding("JetStream", err, ""))
	}
	limited, cancel := context.WithTimeout(ctx, 2*callTime)
	defer cancel()
	account, err := js.AccountInfo(limited)
	if err != nil {
		return append(found, finding("JetStream", explainJetStream(err), ""))
	}
	says := fmt.Sprintf("%s, %s", readable.Count(int64(account.Streams), "stream"), readable.Bytes(int64(account.Store)))
	if len(nc.DiscoveredServers()) == 0 && len(nc.Servers()) == 1 {
		says += "; on a single server set sync_interval: always in the jetstream block, otherwise a power failure loses acknowledged jobs (doctor cannot check this setting)"
	}
	found = append(found, finding("JetStream", nil, says), examineAccount(limited, nc))
	found = append(found, queues.Check(limited, js, connect.QueueOptions(c, slog.New(slog.DiscardHandler)))...)
	return append(found, examineStorage(ctx, nc, c, repair, clocks)...)
}

// explainJetStream adds to the error what to do if JetStream does not respond.
func explainJetStream(err error) error {
	switch {
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled):
		return fmt.Errorf("%w: start nats-server with -js, or a jetstream block in its configuration", err)
	case errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount):
		return fmt.Errorf("%w: add `jetstream: enabled` to the account in the configuration of nats-server", err)
	}
	return fmt.Errorf("%w: NATS is connected, but JetStream does not respond: check whether the cluster has lost its quorum; more than half of its servers must run", err)
}

// checkVersion returns an error if a NATS server cannot publish a job's parts as one
// atomic batch, or is known to lose messages.
func checkVersion(version string) error {
	var major, minor, patch int
	// An unreadable version counts as a new one.
	if n, _ := fmt.Sscanf(version, "%d.%d.%d", &major, &minor, &patch); n < 3 {
		return nil
	}
	switch {
	case major < 2 || major == 2 && minor < 12:
		return fmt.Errorf("version %s: usher needs 2.12 or newer, for atomic batches", version)
	case major == 2 && minor == 12 && (patch == 3 || patch == 4):
		return fmt.Errorf("version %s loses messages of replicated work queues: use the newest 2.12, or a later one", version)
	}
	return nil
}

func examineRedis(ctx context.Context, c config.Config, clocks *clocks) queues.Finding {
	rdb, err := fleet.Dial(c.String("redis.url"))
	if err != nil {
		return finding("Redis", fmt.Errorf("read redis.url: %w", err), "")
	}
	defer func() { _ = rdb.Close() }() // nothing was written
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	at := config.HideLogin(c.String("redis.url"))
	if err := rdb.Ping(ctx).Err(); err != nil {
		return finding("Redis", fmt.Errorf("no response from %s: %w; check that it runs and that redis.url has its password", at, err), "")
	}
	clocks.read(ctx, ownerRedis, func(ctx context.Context) (time.Time, error) { return rdb.Time(ctx).Result() })
	version := "unknown"
	if info, err := rdb.Info(ctx, "server").Result(); err == nil {
		for line := range strings.Lines(info) {
			if v, ok := strings.CutPrefix(line, "redis_version:"); ok {
				version = strings.TrimSpace(v)
			}
		}
	}
	return finding("Redis", nil, fmt.Sprintf("version %s at %s", version, at))
}

func examinePlatform(ctx context.Context, c config.Config, clocks *clocks) queues.Finding {
	base, user, advertiser := c.String("platform.url"), c.String("platform.username"), c.String("platform.advertiser")
	ctx, cancel := context.WithTimeout(ctx, 2*callTime)
	defer cancel()
	client := rtb.New(rtb.Options{BaseURL: base, Advertiser: advertiser, Observe: clocks.observe})
	_, err := client.Auth.Token(ctx, user, c.String("platform.password"))
	if err != nil {
		err = fmt.Errorf("log in as %q of %s at %s: %w", user, advertiser, config.HideLogin(base), err)
	}
	return finding("platform", err, fmt.Sprintf("logged in as %q of %s at %s", user, advertiser, config.HideLogin(base)))
}

func examineSuppression(c config.Config) []queues.Finding {
	path := c.String("upload.suppression")
	if path == "" {
		return nil
	}
	list, err := connect.LoadSuppression(c)
	if err != nil {
		return []queues.Finding{finding("upload.suppression", err, "")}
	}
	return []queues.Finding{finding("upload.suppression", nil, fmt.Sprintf("%s in %s", readable.Count(int64(list.Len()), "digest"), path))}
}
