package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"go.opentelemetry.io/otel/trace"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/console"
	"usher/cmd/usher/internal/dev"
	"usher/cmd/usher/internal/intake"
	"usher/cmd/usher/internal/reload"
	"usher/cmd/usher/internal/shutdown"
	"usher/internal/alerts"
	"usher/internal/exports"
	"usher/internal/exports/places"
	"usher/internal/feeds"
	"usher/internal/fleet"
	"usher/internal/ledger"
	"usher/internal/rtb"
	"usher/internal/rules/files"
	"usher/queues"
	"usher/queues/backups"
	"usher/queues/decisions"
	"usher/queues/heads"
	"usher/queues/letters"
	"usher/queues/outcomes"
	"usher/queues/presence"
	"usher/workers"
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

Logins, certificates, users and tokens are read again when their files change; SIGHUP
reads all of them again, and the configuration. The log says what was read.

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
			return runWorker(fetch, work, c, logger, nil)
		},
	}
	config.AddFlags(cmd, "nats", "redis", "platform", "username", "advertiser", "namespace", "log-level", "log-format")
	return cmd
}

// runWorker connects a worker to NATS and Redis and runs it. The worker takes jobs until
// fetch ends, and returns running jobs to NATS when work ends. runWorker returns when
// everything has ended. In usher dev and usher demo there is a session, which receives the
// addresses once all parts respond.
func runWorker(fetch, work context.Context, c config.Config, logger *slog.Logger, session *dev.Session) error {
	hangup := make(chan os.Signal, 1)
	if session == nil {
		signal.Notify(hangup, syscall.SIGHUP) // caught while NATS is awaited, too
		defer signal.Stop(hangup)
	}
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
	rdb, err := connect.DialRedis(c)
	if err != nil {
		return err
	}
	defer func() { _ = rdb.Close() }()
	fleet := fleet.New(rdb, fleet.Options{
		Namespace: c.String("namespace"), Worker: connect.WorkerName(c), Workers: queue.Presence().Count, Logger: logger, Metrics: registry,
	})
	defer fleet.Close()
	registry.MustRegister(queues.NewCollector(queue, letters.New(queue).Count))
	named := &advertisers{config: c, workers: queue.Presence().Workers}
	clients, err := newPlatform(c, fleet, named, registry, queue.Now, logger)
	if err != nil {
		return err
	}
	p := &process{config: c, advertisers: named, logger: logger, tracer: tracer, hangup: hangup, Parts: console.Parts{
		Queue: queue, Decisions: decisions.New(queue, registry), Fleet: fleet, Platform: clients, Registry: registry,
	}}
	return cmp.Or(p.run(fetch, work, session), lost())
}

// process is a worker process: its connections, and the parts that share them.
type process struct {
	console.Parts
	config config.Config

	advertisers *advertisers

	logger *slog.Logger
	tracer trace.Tracer
	hangup <-chan os.Signal // SIGHUP
}

// run opens what the configuration names and runs the worker.
func (p *process) run(fetch, work context.Context, session *dev.Session) error {
	c, queue := p.config, p.Queue
	stores, err := openStores(fetch, c, queue, p.logger)
	if err != nil {
		return err
	}
	defer stores.close()
	if p.Rules, err = files.Open(c.Strings("rules.files"), p.logger); err != nil {
		return err
	}
	opener := exports.New(stores.exports, connect.ExportOptions(c))
	allowed, err := places.Allow(c.Strings("sources.allow"))
	if err != nil {
		return fmt.Errorf("read sources.allow: %w", err)
	}
	watched, err := feeds.Open(c.Strings("feeds.files"), allowed, p.logger)
	if err != nil {
		return err
	}
	states := feeds.NewStates(queue)
	p.Ledger, p.Feeds = stores.ledger, states
	console, err := console.Open(fetch, c, p.Parts, p.logger, session != nil)
	if err != nil {
		return err
	}
	defer console.Stop()
	intake, err := intake.Open(fetch, c, queue, p.putOutcomes, p.Registry, p.logger, session.Listener())
	if err != nil {
		return err
	}
	defer intake.Stop()
	p.advertisers.files.Store(&namingFiles{rules: p.Rules, feeds: watched, tokens: intake})

	alerting, err := p.newAlerts()
	if err != nil {
		return err
	}

	// These tasks end before their connections are closed. Otherwise they would report
	// closed connections as outages.
	p.Registry.MustRegister(feeds.NewCollector(states, p.logger), decisions.NewBlindCollector(p.Decisions, p.logger), heads.NewCollector(heads.In(queue.Store()), p.logger), backups.NewCollector(queue.Store(), queue.Now, p.logger))
	watcher := &feeds.Watcher{
		Feeds: watched, States: states, Jobs: publisher{queue}, Places: stores.exports, Exports: opener,
		Outcomes: func(ctx context.Context, f *feeds.Feed, src *usher.Source) (string, error) {
			return p.feedOutcomes(ctx, opener, f, src)
		},
		Targets: func(ctx context.Context, advertiser string) (*feeds.Targets, error) {
			return feeds.ReadTargets(ctx, p.Platform.Client(advertiser, false))
		},
		Advertiser: c.String("platform.advertiser"),
		Logger:     p.logger, Now: queue.Now,
	}
	stop := background(work, append(p.tasks(alerting, watcher), console.Run)...)
	defer stop()
	if session != nil {
		if err := p.Platform.AwaitUp(fetch, 200*time.Millisecond); err != nil {
			return err
		}
		session.Ready <- dev.Addresses{NATS: c.String("nats.url"), Redis: c.String("redis.url"), Platform: c.String("platform.url"), Console: console.URL, Intake: intake.URL, Link: console.Link}
	}
	uploads := queue.Status().Uploads(p.Platform.LongestCall() + workers.LateTime)
	suppressed := workers.NewSuppressions(stores.suppressed, stores.ledger)
	suppressed.Arrived = uploads.AnnounceArrival
	leave, err := queue.AnswerPresence(p.answer(fetch, watched, suppressed))
	if err != nil {
		return err
	}
	defer leave()
	connect.LogStart(c, queue.Store().Conn, version(), console.URL, p.logger)
	worker := newWorker(c, queue, p.Fleet)
	worker.Exports, worker.Suppressed, worker.Ledger = opener, suppressed, stores.ledger
	worker.Jobs = publisher{queue}
	worker.Uploads, worker.Rate = uploads, p.Platform.Rate
	worker.Advertiser, worker.Tracer, worker.Logger = c.String("platform.advertiser"), p.tracer, p.logger
	worker.Named = func(ctx context.Context, advertiser string, segment *rtb.Segment) {
		if err := connect.NoteSegments(ctx, c, queue, advertiser, *segment); err != nil {
			p.logger.Debug("noting the name of a segment, which lists then lack", "segment", segment.ID, "error", err)
		}
	}
	worker.Platform, worker.Breaker = p.Platform.Client, p.Platform.Breaker
	worker.Handlers = handlers(p.Decisions, outcomes.New(queue), queue.Settings(), p.Rules, p.Fleet, p.Platform, enabledActions(c))
	return worker.Run(fetch, work)
}

// The tasks of leaders for which workers have files: those in rules.files and in feeds.files.
const (
	rulesTask = "rules"
	feedsTask = "feeds"
)

// configured reports whether this worker has files for a task.
func (p *process) configured(task string) bool { return len(p.config.Strings(task+".files")) > 0 }

// tasks returns what runs beside the worker. Each task ends when its context ends.
func (p *process) tasks(alerting *alerts.Alerts, watcher *feeds.Watcher) []func(context.Context) {
	queue := p.Queue
	led := []presence.Task{ // by one worker at a time, of those that are configured to
		{Name: "order", Run: queue.ReleaseForgotten},
		{Name: "evaluations", Run: func(ctx context.Context) { p.Decisions.RunForget(ctx, p.logger) }},
		{Name: "differences", Run: queue.Presence().WatchDifferences},
	}
	if p.configured(rulesTask) {
		scheduler := &evaluation.Scheduler{Rules: p.Rules, Ticks: p.Decisions, Logger: p.logger, Now: queue.Now}
		led = append(led, presence.Task{Name: rulesTask, Run: scheduler.Run})
	}
	if p.configured(feedsTask) {
		led = append(led, presence.Task{Name: feedsTask, Run: watcher.Run})
	}
	if p.config.String("ledger.url") != "" {
		known := heads.In(queue.Store())
		lapses := &ledger.LapseWatch{Store: p.Ledger, Saved: known.Lapsing, Save: known.SetLapsing, Logger: p.logger}
		led = append(led, presence.Task{Name: "lapses", Run: lapses.Run})
	}
	if alerting.Enabled() {
		led = append(led, presence.Task{Name: "alerts", Run: alerting.Run})
	}
	return []func(context.Context){
		p.Platform.Breaker.Run,
		func(ctx context.Context) { p.Platform.WatchOthers(ctx, p.worked) },
		reload.New(p.config, p.hangup, p.Platform.RetryLogins, p.logger).Run,
		func(ctx context.Context) { queue.Presence().Run(ctx, led...) },
		func(ctx context.Context) { _ = queue.WatchEndings(ctx) }, // it fails only because ctx has ended
		alerting.WatchWrites,
		func(ctx context.Context) {
			queue.Settings().Watch(ctx, usher.RateLimit, func(limits map[string]usher.Setting) { p.Platform.SetRates(ratesOf(limits)) })
		},
		func(ctx context.Context) { serveSubmit(ctx, queue, p.logger) },
		func(ctx context.Context) {
			p.Rules.Announce(ctx, decisions.NewFileRegistry(queue), decisions.AnnounceEvery)
		},
	}
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
