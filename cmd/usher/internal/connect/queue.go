package connect

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/pipeline"
	"usher/queues"
	"usher/queues/store"
)

// WithQueue connects to the configured NATS and calls use with the queue of jobs.
func WithQueue(cmd *cobra.Command, use func(ctx context.Context, q *queues.Queue) error) error {
	c, err := config.Load(cmd, os.LookupEnv)
	if err != nil {
		return err
	}
	logger, err := NewLogger(c, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	nc, err := DialNATS(c, logger)
	if err != nil {
		return err
	}
	defer Drain(nc)
	var q *queues.Queue
	err = UnlessRefused(cmd.Context(), nc, logger, func(ctx context.Context) (err error) {
		q, err = OpenQueue(ctx, nc, c, logger, nil)
		return err
	})
	if errors.Is(err, nats.ErrPermissionViolation) {
		return fmt.Errorf("%w: usher's commands need the login of an operator, such as the user ops of deploy/nats.conf; a publisher's login may only publish jobs", err)
	}
	if err == nil {
		err = use(cmd.Context(), q)
	}
	return explainSilence(err)
}

// explainSilence adds to an error what to do if no response came in time. NATS's own error
// does not say that its cluster has lost its quorum, or that its disk is full.
func explainSilence(err error) error {
	const doctor = "`usher doctor` shows whether NATS has lost its quorum or takes no writes"
	switch {
	case errors.Is(err, queues.ErrNotPublished): // usher submit explains that
		return err
	case store.NoResponse(err):
		return fmt.Errorf("%w: no response came in time; %s", err, doctor)
	case errors.Is(err, jetstream.ErrNoStreamResponse):
		return fmt.Errorf("%w; %s", err, doctor)
	}
	return err
}

// AddQueueFlags adds the flags that WithQueue reads.
func AddQueueFlags(cmd *cobra.Command) { config.AddFlags(cmd, "nats", "namespace") }

// Queue is the session of commands that work with the queue of jobs. more are further flags of the
// configuration that they take.
func Queue(more ...string) command.Session[*queues.Queue] {
	return command.Session[*queues.Queue]{
		Flags: func(cmd *cobra.Command) { config.AddFlags(cmd, append(more, "nats", "namespace")...) },
		Open:  WithQueue,
	}
}

// OpenQueue opens the queue of jobs. It registers its metrics if registry is not nil.
func OpenQueue(ctx context.Context, nc *nats.Conn, c config.Config, logger *slog.Logger, registry prometheus.Registerer) (*queues.Queue, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	o := QueueOptions(c, logger)
	o.Metrics = registry
	return queues.Open(ctx, nc, o)
}

// AwaitQueue is like OpenQueue, but waits as awaitJetStream does.
func AwaitQueue(ctx context.Context, nc *nats.Conn, c config.Config, logger *slog.Logger, registry prometheus.Registerer) (queue *queues.Queue, err error) {
	err = awaitJetStream(ctx, nc, logger, func(ctx context.Context) (err error) {
		if err := mayTakeJobs(ctx, nc, c.String("namespace")); err != nil {
			return err
		}
		queue, err = OpenQueue(ctx, nc, c, logger, registry)
		return err
	})
	return queue, err
}

// awaitJetStream repeats a request of a worker at its start until it succeeds or ctx ends, and
// logs that, because a worker may start while the cluster of NATS has no quorum. It does not
// wait if `usher migrate` must run first, or if the login lacks a permission.
func awaitJetStream(ctx context.Context, nc *nats.Conn, logger *slog.Logger, request func(context.Context) error) error {
	for {
		err := UnlessRefused(ctx, nc, logger, request)
		if errors.Is(err, nats.ErrPermissionViolation) {
			return fmt.Errorf("%w: `usher run` needs the login of a worker, such as the user worker of deploy/nats.conf", err)
		}
		if err == nil || errors.Is(err, queues.ErrMigrate) {
			return err
		}
		logger.Warn("waiting for JetStream: NATS is connected, but usher's buckets cannot be used: check whether the cluster has lost its quorum, whether a disk of NATS is full, and whether this login may use them", "error", err)
		if usher.Sleep(ctx, waitInterval) != nil {
			return err
		}
	}
}

// QueueOptions returns the configured options of the queue.
func QueueOptions(c config.Config, logger *slog.Logger) queues.Options {
	return queues.Options{
		Namespace: c.String("namespace"), Replicas: c.Int("nats.replicas"), MaxBytes: c.Int64("nats.max_bytes"),
		AckWait: c.Duration("nats.ack_wait"), Age: c.Duration("retry.age"), Worker: WorkerName(c), Host: hostName(),
		HashInline: pipeline.HashInline, MergeSketch: pipeline.MergeSketch, Distinct: pipeline.Distinct, Logger: logger,
	}
}
