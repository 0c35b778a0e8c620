package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/cobra"

	"usher"
	"usher/internal/exports"
	"usher/internal/fleet"
	"usher/internal/platform"
	"usher/pipeline"
	"usher/queues"
	"usher/workers"
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
		Args: none,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := loadConfig(cmd, os.LookupEnv)
			if err != nil {
				return err
			}
			logger, err := newLogger(c, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			for _, stray := range strayVariables(os.Environ()) {
				logger.Warn(stray)
			}
			collectOften()
			fetch, work, stop := signals(cmd.Context(), logger)
			defer stop()
			return run(fetch, work, c, logger, nil)
		},
	}
	addConfigFlags(cmd, "nats", "redis", "platform", "username", "advertiser", "namespace", "log-level", "log-format")
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
func run(fetch, work context.Context, c config, logger *slog.Logger, ready chan<- addresses) error {
	nc, err := connect(c, logger)
	if err != nil {
		return err
	}
	defer drain(nc)
	registry := newRegistry()
	tracer, flush, err := newTracer(fetch, c, os.LookupEnv, logger)
	if err != nil {
		return err
	}
	defer flush()
	queue, err := openQueue(fetch, nc, c, logger, registry)
	if err != nil {
		return err
	}
	rdb, err := fleet.Dial(c.String("redis.url"))
	if err != nil {
		return fmt.Errorf("read redis.url: %w", err)
	}
	defer func() { _ = rdb.Close() }()
	fleet := fleet.New(rdb, fleet.Options{Namespace: c.String("namespace"), Worker: workerName(c), Logger: logger, Metrics: registry})
	defer fleet.Close()

	platform := newPlatform(c, fleet, registry, logger)
	registry.MustRegister(queue.Standing())
	access, err := openAccess(c)
	if err != nil {
		return err
	}
	defer access.Close()
	opener := exports.New(access, exportOptions(c))
	suppressed, err := loadSuppression(c)
	if err != nil {
		return err
	}
	rules, err := newRuleFiles(c.Strings("rules.files"), logger)
	if err != nil {
		return err
	}
	console, err := openConsole(fetch, c, parts{nc: nc, queue: queue, rdb: rdb, fleet: fleet, platform: platform, rules: rules, registry: registry}, logger, ready != nil)
	if err != nil {
		return err
	}
	defer console.stop()

	// What runs beside the worker ends before the connections that it uses: it
	// would take their end for an outage.
	background, stop := context.WithCancel(context.WithoutCancel(work))
	var beside sync.WaitGroup
	defer beside.Wait()
	defer stop()
	beside.Go(func() { platform.Breaker.Run(background) })
	beside.Go(func() { console.run(background) })
	beside.Go(func() { _ = queue.WatchEndings(background) }) // ends with background only
	beside.Go(func() { newAlerts(c, queue, logger).run(background) })
	beside.Go(func() {
		queue.WatchLimits(background, func(limits []queues.Limit) { platform.SetRates(ratesOf(limits)) })
	})
	beside.Go(func() {
		if err := queue.ServeSubmit(background, version()); err != nil {
			logger.Error("usher.submit is not served; jobs by plain publish are", "error", err)
		}
	})
	beside.Go(func() { rules.announce(background, queue) })
	beside.Go(func() { (&workers.Scheduler{Rules: rules, Ticks: queue, Logger: logger}).Run(background) })
	if ready != nil {
		if err := platform.AwaitUp(fetch, 200*time.Millisecond); err != nil {
			return err
		}
		ready <- addresses{NATS: c.String("nats.url"), Redis: c.String("redis.url"), Platform: c.String("platform.url"), Console: console.url, link: console.link}
	}
	worker := configured(c)
	worker.Lanes, worker.Exports, worker.Suppressed, worker.Tracer, worker.Logger = lanes(c, queue), opener, suppressed, tracer, logger
	worker.Platform, worker.Breaker, worker.Lock = platform.Client, platform.Breaker, fleet.Lock
	worker.Stopped, worker.Rulebook, worker.Rules, worker.Evaluations = queue.Stopped, queue, rules, queue
	leave, err := queue.AnswerRollCalls(presence(fetch, c, platform.Breaker))
	if err != nil {
		return err
	}
	defer leave()
	return worker.Run(fetch, work)
}

// configured is a worker as the configuration has it, without what it works with.
func configured(c config) *workers.Worker {
	return &workers.Worker{
		Limits: limits(c), KeepDuplicates: !c.Bool("upload.dedupe"), MaxRejectPercent: c.Float64("upload.max_reject_percent"),
		BatchIDs: c.Int("upload.batch_ids"), InFlight: c.Int("upload.in_flight"),
	}
}

// lanes are the queue's, with the configured slots.
func lanes(c config, queue *queues.Queue) []workers.Lane {
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
func presence(fetch context.Context, c config, breaker *platform.Breaker) func() queues.Presence {
	slots := map[queues.Lane]int{}
	for _, lane := range queues.Lanes() {
		slots[lane] = c.Int("lanes." + string(lane))
	}
	return func() queues.Presence {
		if fetch.Err() != nil {
			return queues.Presence{Worker: workerName(c)}
		}
		return queues.Presence{Worker: workerName(c), Slots: slots, Down: breaker.Since()}
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

func limits(c config) workers.Limits {
	return workers.Limits{
		Attempts: c.Int("retry.attempts"), FirstRetry: c.Duration("retry.first"), LastRetry: c.Duration("retry.last"),
		Age: c.Duration("retry.age"), CampaignAge: c.Duration("retry.campaign_age"),
	}
}

func loadSuppression(c config) (*pipeline.Suppression, error) {
	path := c.String("upload.suppression")
	if path == "" {
		return nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read upload.suppression: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	list, err := pipeline.LoadSuppression(f)
	if err != nil {
		return nil, fmt.Errorf("read upload.suppression %s: %w", path, err)
	}
	return list, nil
}

// connect returns a connection to NATS that reconnects for ever.
func connect(c config, logger *slog.Logger) (*nats.Conn, error) {
	options := []nats.Option{
		nats.Name("usher " + workerName(c)), nats.MaxReconnects(-1), nats.ReconnectWait(time.Second),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				logger.Warn("NATS is away, reconnecting", "error", err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { logger.Info("NATS is back") }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { logger.Warn("NATS", "error", err) }),
	}
	if path := c.String("nats.credentials"); path != "" {
		options = append(options, nats.UserCredentials(path))
	}
	nc, err := nats.Connect(c.String("nats.url"), options...)
	if err != nil {
		return nil, fmt.Errorf("connect to NATS at %s: %w; is it running? `usher dev` brings its own", hideLogin(c.String("nats.url")), err)
	}
	return nc, nil
}

// drain sends what is still to be sent and waits until the connection is
// closed.
func drain(nc *nats.Conn) {
	closed := make(chan struct{})
	nc.SetClosedHandler(func(*nats.Conn) { close(closed) })
	if nc.Drain() != nil {
		nc.Close()
		return
	}
	select {
	case <-closed:
	case <-time.After(5 * time.Second):
		nc.Close()
	}
}

func queueOptions(c config, logger *slog.Logger) queues.Options {
	return queues.Options{
		Namespace: c.String("namespace"), Replicas: c.Int("nats.replicas"), MaxBytes: c.Int64("nats.max_bytes"), AckWait: c.Duration("nats.ack_wait"), Age: c.Duration("retry.age"),
		Worker: workerName(c), Seal: pipeline.Seal, MergeSketch: pipeline.MergeSketch, Distinct: pipeline.Distinct, Logger: logger,
	}
}

// openQueue opens the jobs; registry, if any, gets what is counted of them.
func openQueue(ctx context.Context, nc *nats.Conn, c config, logger *slog.Logger, registry prometheus.Registerer) (*queues.Queue, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	o := queueOptions(c, logger)
	o.Metrics = registry
	return queues.Open(ctx, nc, o)
}

func workerName(c config) string {
	if name := c.String("worker"); name != "" {
		return name
	}
	host, err := os.Hostname()
	if err != nil {
		host = "host"
	}
	return fmt.Sprintf("%s-%d", host, os.Getpid())
}

// grace is how long running jobs may go on after the first signal. With what
// settling takes, a deploy is through within 25 s.
const grace = 10 * time.Second

// signals are the two contexts of a worker: the first signal ends fetch; the
// second, or the end of the grace, ends work with usher.ErrShutdown.
func signals(parent context.Context, logger *slog.Logger) (fetch, work context.Context, stop func()) {
	fetch, endFetch := context.WithCancelCause(parent)
	work, endWork := context.WithCancelCause(context.WithoutCancel(parent))
	heard := make(chan os.Signal, 2)
	signal.Notify(heard, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		defer endWork(usher.ErrShutdown)
		select {
		case s := <-heard:
			logger.Info("stopping: no more jobs are taken; those that run have ten seconds, a second signal gives them back at once", "signal", s.String())
		case <-parent.Done():
		case <-done:
		}
		endFetch(usher.ErrShutdown)
		select {
		case <-heard:
		case <-time.After(grace):
		case <-done:
		}
	}()
	var once sync.Once
	return fetch, work, func() {
		once.Do(func() { signal.Stop(heard); close(done) })
	}
}

// isStopped reports whether an error only says that we were told to stop.
func isStopped(err error) bool {
	return errors.Is(err, usher.ErrShutdown) || errors.Is(err, context.Canceled)
}
