package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/console"
	"usher/cmd/usher/internal/dev"
	"usher/cmd/usher/internal/intake"
	"usher/cmd/usher/internal/shutdown"
	"usher/internal/alerts"
	"usher/internal/exports"
	"usher/internal/fleet"
	"usher/internal/rules/files"
	"usher/queues"
	"usher/queues/letters"
	"usher/queues/limits"
	"usher/queues/rulings"
	"usher/workers/evaluation"
)

func runCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run workers against NATS, Redis and the platform",
		Long: `Run workers, which take jobs from NATS until they are stopped.

After the first SIGINT or SIGTERM they take no more jobs, and running jobs have ten
seconds to end. A second signal, or the end of the ten seconds, returns the jobs
that still run to NATS. This does not count as an attempt, and uploads continue
from their checkpoints.

Every key of the configuration may be set in usher.yaml or in the environment, as
USHER_ and its name in capitals: USHER_PLATFORM_PASSWORD for platform.password,
USHER_PLATFORM_PASSWORD_FILE for a file that contains it.`,
		Example: `  usher migrate && usher run --config usher.yaml
  USHER_PLATFORM_PASSWORD_FILE=/run/secrets/platform usher run --nats nats://nats:4222`,
		Args: command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := config.Load(cmd, os.LookupEnv)
			if err != nil {
				return err
			}
			logger, err := connect.NewLogger(c, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			for _, warning := range config.UnknownVariables(os.Environ()) {
				logger.Warn(warning)
			}
			reduceGarbage()
			fetch, work, stop := shutdown.Contexts(cmd.Context(), logger)
			defer stop()
			return run(fetch, work, c, logger, nil)
		},
	}
	config.AddFlags(cmd, "nats", "redis", "platform", "username", "advertiser", "namespace", "log-level", "log-format")
	return cmd
}

// run connects all parts of a worker and runs it. The worker takes jobs until fetch ends,
// and returns running jobs to NATS when work ends. run returns when everything has ended.
// In usher dev and usher demo there is a session, which receives the addresses once all
// parts respond.
func run(fetch, work context.Context, c config.Config, logger *slog.Logger, session *dev.Session) error {
	nc, err := connect.AwaitNATS(fetch, c, logger)
	if err != nil {
		return err
	}
	defer connect.Drain(nc)
	fetch, work, lost := connect.UntilClosed(fetch, work, nc)
	registry := newRegistry()
	tracer, flush, err := newTracer(fetch, c, os.LookupEnv, logger)
	if err != nil {
		return err
	}
	defer flush()
	queue, err := connect.AwaitQueue(fetch, nc, c, logger, registry)
	if err != nil {
		return err
	}
	rdb, err := fleet.Dial(c.String("redis.url"))
	if err != nil {
		return fmt.Errorf("read redis.url: %w", err)
	}
	defer func() { _ = rdb.Close() }()
	fleet := fleet.New(rdb, fleet.Options{Namespace: c.String("namespace"), Worker: connect.WorkerName(c), Logger: logger, Metrics: registry})
	defer fleet.Close()
	platform := newPlatform(c, fleet, registry, logger)
	kept := rulings.New(queue, registry)
	registry.MustRegister(queues.NewCollector(queue, letters.New(queue).Count))
	places, err := connect.OpenPlaces(c)
	if err != nil {
		return err
	}
	defer places.Close()
	suppressed, err := connect.LoadSuppression(c)
	if err != nil {
		return err
	}
	rules, err := files.Open(c.Strings("rules.files"), logger)
	if err != nil {
		return err
	}
	console, err := console.Open(fetch, c, console.Parts{NATS: nc, Queue: queue, Rulings: kept, Fleet: fleet, Clients: platform, Rules: rules, Registry: registry}, logger, session != nil)
	if err != nil {
		return err
	}
	defer console.Stop()
	intake, err := intake.Open(fetch, c, queue, registry, logger, session.Listener())
	if err != nil {
		return err
	}
	defer intake.Stop()

	// These tasks end before their connections are closed. Otherwise they would report
	// closed connections as outages.
	stop := background(work,
		platform.Breaker.Run,
		console.Run,
		queue.Pulse().Run,
		func(ctx context.Context) { _ = queue.WatchEndings(ctx) }, // it fails only because ctx has ended
		alerts.New(queue, kept, c.String("alerts.webhook"), alerts.Options{Every: c.Duration("alerts.every"), Console: c.String("console.url"), Stalled: c.Duration("alerts.stalled")}, logger).Run,
		func(ctx context.Context) {
			queue.Limits().Watch(ctx, func(limits []limits.Limit) { platform.SetRates(ratesOf(limits)) })
		},
		func(ctx context.Context) { serveSubmit(ctx, queue, logger) },
		func(ctx context.Context) { rules.Announce(ctx, rulings.NewFileRegistry(queue), rulings.AnnounceEvery) },
		(&evaluation.Scheduler{Rules: rules, Ticks: kept, Logger: logger, Now: queue.Now}).Run,
	)
	defer stop()
	if session != nil {
		if err := platform.AwaitUp(fetch, 200*time.Millisecond); err != nil {
			return err
		}
		session.Ready <- dev.Addresses{NATS: c.String("nats.url"), Redis: c.String("redis.url"), Platform: c.String("platform.url"), Console: console.URL, Intake: intake.URL, Link: console.Link}
	}
	leave, err := queue.AnswerRollCalls(presence(fetch, c, platform.Breaker))
	if err != nil {
		return err
	}
	defer leave()
	connect.LogStart(c, nc, version(), console.URL, logger)
	worker := newWorker(c, queue)
	worker.Exports, worker.Suppressed, worker.Tracer, worker.Logger = exports.New(places, connect.ExportOptions(c)), suppressed, tracer, logger
	worker.Platform, worker.Breaker, worker.Handlers = platform.Client, platform.Breaker, handlers(kept, rulings.NewStopSwitch(queue), rules, fleet, platform, enabledActions(c))
	return cmp.Or(worker.Run(fetch, work), lost())
}

// background runs tasks. They do not end with work, but when stop is called, which waits
// for them.
func background(work context.Context, tasks ...func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(work))
	var running sync.WaitGroup
	for _, task := range tasks {
		running.Go(func() { task(ctx) })
	}
	return func() {
		cancel()
		running.Wait()
	}
}

func serveSubmit(ctx context.Context, queue *queues.Queue, logger *slog.Logger) {
	if err := queue.ServeSubmit(ctx, version()); err != nil {
		logger.Error("usher.submit is not served; published jobs are still taken", "error", err)
	}
}
