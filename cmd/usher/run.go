package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/console"
	"usher/cmd/usher/internal/dev"
	"usher/cmd/usher/internal/shutdown"
	"usher/internal/alerts"
	"usher/internal/exports"
	"usher/internal/fleet"
	"usher/internal/platform"
	"usher/internal/rules/files"
	"usher/queues"
	"usher/queues/letters"
	"usher/workers"
	"usher/workers/campaign"
	"usher/workers/evaluation"
)

func runCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run workers against real NATS, Redis and platform",
		Long: `Runs workers: they take jobs from NATS, and work until they are told to stop.

The first SIGINT or SIGTERM ends the taking of jobs and gives those that run ten
seconds; the second, or the end of the ten seconds, gives them back. That costs
no job an attempt, and uploads go on from their checkpoints.

Every key of the configuration may stand in usher.yaml or in the environment, as
USHER_ and its name in capitals: USHER_PLATFORM_PASSWORD for platform.password,
USHER_PLATFORM_PASSWORD_FILE for a file that holds it.`,
		Example: `  usher migrate && usher run --config usher.yaml
  USHER_PLATFORM_PASSWORD_FILE=/run/secrets/platform usher run --nats nats://nats:4222`,
		Args: command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := config.Load(cmd, os.LookupEnv)
			if err != nil {
				return err
			}
			logger, err := connect.Logger(c, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			for _, stray := range config.StrayVariables(os.Environ()) {
				logger.Warn(stray)
			}
			collectOften()
			fetch, work, stop := shutdown.Contexts(cmd.Context(), logger)
			defer stop()
			return run(fetch, work, c, logger, nil)
		},
	}
	config.AddFlags(cmd, "nats", "redis", "platform", "username", "advertiser", "namespace", "log-level", "log-format")
	return cmd
}

// collectOften has garbage collected when there is a tenth of it beside what is in
// use, and not only when there is as much: a worker's memory is a few large
// buffers that are used again and again, without a pointer in them, so that a
// collection costs next to nothing, and the garbage between two of them would be
// the larger part of what it takes. GOGC in the environment goes before it.
func collectOften() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(10)
	}
}

// run is the wiring of everything. It works until fetch ends, gives back what
// still runs when work ends, and returns when nothing runs any more. ready, if
// any, gets the addresses once all of them answer.
func run(fetch, work context.Context, c config.Config, logger *slog.Logger, ready chan<- dev.Addresses) error {
	nc, err := connect.NATS(c, logger)
	if err != nil {
		return err
	}
	defer connect.Drain(nc)
	registry := newRegistry()
	tracer, flush, err := newTracer(fetch, c, os.LookupEnv, logger)
	if err != nil {
		return err
	}
	defer flush()
	queue, err := connect.Queue(fetch, nc, c, logger, registry)
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
	registry.MustRegister(queues.NewCollector(queue, letters.New(queue).Count))
	access, err := connect.Access(c)
	if err != nil {
		return err
	}
	defer access.Close()
	opener := exports.New(access, connect.ExportOptions(c))
	suppressed, err := connect.Suppression(c)
	if err != nil {
		return err
	}
	rules, err := files.Open(c.Strings("rules.files"), logger)
	if err != nil {
		return err
	}
	console, err := console.Open(fetch, c, console.Parts{NATS: nc, Queue: queue, Redis: rdb, Fleet: fleet, Clients: platform, Rules: rules, Registry: registry}, logger, ready != nil)
	if err != nil {
		return err
	}
	defer console.Stop()

	// What runs beside the worker ends before the connections that it uses: it
	// would take their end for an outage.
	background, stop := context.WithCancel(context.WithoutCancel(work))
	var beside sync.WaitGroup
	defer beside.Wait()
	defer stop()
	beside.Go(func() { platform.Breaker.Run(background) })
	beside.Go(func() { console.Run(background) })
	beside.Go(func() { _ = queue.WatchEndings(background) }) // ends with background only
	beside.Go(func() {
		alerts.New(queue, c.String("alerts.webhook"), alerts.Options{Every: c.Duration("alerts.every"), Stalled: c.Duration("alerts.stalled")}, logger).Run(background)
	})
	beside.Go(func() {
		queue.WatchLimits(background, func(limits []queues.Limit) { platform.SetRates(ratesOf(limits)) })
	})
	beside.Go(func() {
		if err := queue.ServeSubmit(background, version()); err != nil {
			logger.Error("usher.submit is not served; jobs by plain publish are", "error", err)
		}
	})
	beside.Go(func() { rules.Announce(background, queue) })
	beside.Go(func() { (&evaluation.Scheduler{Rules: rules, Ticks: queue, Logger: logger}).Run(background) })
	if ready != nil {
		if err := platform.AwaitUp(fetch, 200*time.Millisecond); err != nil {
			return err
		}
		ready <- dev.Addresses{NATS: c.String("nats.url"), Redis: c.String("redis.url"), Platform: c.String("platform.url"), Console: console.URL, Link: console.Link}
	}
	worker := configured(c)
	worker.Lanes, worker.Exports, worker.Suppressed, worker.Tracer, worker.Logger = workerLanes(c, queue), opener, suppressed, tracer, logger
	worker.Platform, worker.Breaker, worker.Handlers = platform.Client, platform.Breaker, handlers(queue, rules, fleet, platform)
	leave, err := queue.AnswerRollCalls(presence(fetch, c, platform.Breaker))
	if err != nil {
		return err
	}
	defer leave()
	return worker.Run(fetch, work)
}

// handlers returns the handlers of the kinds that package workers does not run
// itself.
func handlers(queue *queues.Queue, rules *files.Files, fleet *fleet.Fleet, platform *platform.Platform) map[usher.Kind]workers.Handler {
	campaigns := &campaign.Handler{Lock: fleet.Lock, Stopped: queue.Stopped, Rulebook: queue, Gate: platform.Breaker.Gate}
	evaluations := &evaluation.Handler{Rules: rules, Store: queue, Stopped: queue.Stopped, Platform: platform.Client}
	return map[usher.Kind]workers.Handler{
		usher.CampaignPause: campaigns.Pause, usher.CampaignResume: campaigns.Resume, usher.RulesEvaluate: evaluations.Run,
	}
}

// configured is a worker as the configuration has it, without what it works with.
func configured(c config.Config) *workers.Worker {
	return &workers.Worker{
		Limits: retryLimits(c), KeepDuplicates: !c.Bool("upload.dedupe"), MaxRejectPercent: c.Float64("upload.max_reject_percent"),
		BatchIDs: c.Int("upload.batch_ids"), InFlight: c.Int("upload.in_flight"),
	}
}

// workerLanes are the queue's, with the configured slots.
func workerLanes(c config.Config, queue *queues.Queue) []workers.Lane {
	var all []workers.Lane
	for _, lane := range queues.Lanes() {
		all = append(all, workers.Lane{
			Name: string(lane), Slots: c.Int("lanes." + string(lane)), First: lane == queues.Campaign || lane == queues.Rules,
			Open: func(ctx context.Context, coming func()) (workers.Source, error) {
				deliveries, err := queue.Deliveries(ctx, lane)
				if err != nil {
					return nil, err
				}
				deliveries.Coming = coming
				return source{deliveries}, nil
			},
		})
	}
	return all
}

// presence is what this worker says of itself when it is asked. It takes work until
// fetch ends.
func presence(fetch context.Context, c config.Config, breaker *platform.Breaker) func() queues.Presence {
	slots := map[queues.Lane]int{}
	for _, lane := range queues.Lanes() {
		slots[lane] = c.Int("lanes." + string(lane))
	}
	return func() queues.Presence {
		if fetch.Err() != nil {
			return queues.Presence{Worker: connect.WorkerName(c)}
		}
		return queues.Presence{Worker: connect.WorkerName(c), Slots: slots, Down: breaker.Since()}
	}
}

// source hands queues' leases to workers, who do not know queues.
type source struct{ *queues.Deliveries }

func (s source) Next(fetch, work context.Context) (workers.Lease, error) {
	lease, err := s.Deliveries.Next(fetch, work)
	if err != nil {
		return nil, err
	}
	return lease, nil
}

func retryLimits(c config.Config) workers.Limits {
	return workers.Limits{
		Attempts: c.Int("retry.attempts"), FirstRetry: c.Duration("retry.first"), LastRetry: c.Duration("retry.last"),
		Age: c.Duration("retry.age"), CampaignAge: c.Duration("retry.campaign_age"),
	}
}
