package alerts

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"time"

	"usher/queues"
	"usher/queues/decisions"
	"usher/queues/letters"
	"usher/queues/presence"
)

// Options configures when to alert, and what alerts say. A zero field means its default.
type Options struct {
	Every   time.Duration                 // the minimum time between two messages about new dead letters, or about rules with notify: digest; default 5 min
	Console string                        // address of the console, for links; "": messages name commands instead
	Stalled time.Duration                 // how long the oldest job of a lane may wait before the lane counts as stalled; default 15 min
	Quiet   *Quiet                        // hours in which only faults are sent; nil: none
	Zone    *time.Location                // of the times in messages; default UTC
	Outages func(context.Context) Outages // what this worker cannot use; nil: not known
}

// Outages is what a worker cannot use, and since when; zero: it can.
type Outages struct {
	Platform time.Time // it does not respond
	Login    time.Time // the platform refuses it
	Redis    time.Time

	Away      []string // NATS servers whose copies of the stream of jobs are away, although it takes jobs
	AwayKnown bool     // otherwise it is not known whether there are any
}

func (o Options) withDefaults() Options {
	if o.Every <= 0 {
		o.Every = 5 * time.Minute
	}
	if o.Stalled <= 0 {
		o.Stalled = 15 * time.Minute
	}
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	return o
}

// Channel is a way to reach people: a webhook or mail.
type Channel interface {
	// name is its key of the configuration.
	name() string
	// send sends a message, with backoff. Its errors contain no secret.
	send(ctx context.Context, m *Message) error
}

// Alerts sends messages about incidents to channels.
type Alerts struct {
	Options
	detector detector
	channels map[string]Channel
	logger   *slog.Logger

	writes writesState
}

// New returns Alerts that send to channels. Without channels, Run does nothing.
func New(q *queues.Queue, r *decisions.Store, channels []Channel, o Options, logger *slog.Logger) *Alerts {
	o = o.withDefaults()
	a := &Alerts{
		Options:  o,
		detector: detector{Options: o, queue: q, letters: letters.New(q), decisions: r, notices: decisions.NewNotices(q)},
		channels: map[string]Channel{}, logger: logger,
	}
	for _, c := range channels {
		a.channels[c.name()] = c
	}
	return a
}

// names returns the names of the channels, in order.
func (a *Alerts) names() []string { return slices.Sorted(maps.Keys(a.channels)) }

// pollInterval is how often a worker checks whether there is something to report.
const pollInterval = 15 * time.Second

// Run sends messages until ctx ends. Without channels it returns immediately.
func (a *Alerts) Run(ctx context.Context) {
	if len(a.channels) == 0 {
		return
	}
	tick := time.NewTicker(min(pollInterval, max(a.Every, time.Second)))
	defer tick.Stop()
	writes := time.NewTicker(presence.BeatEvery)
	defer writes.Stop()
	a.reportWrites(ctx, a.detector.queue.Presence().CheckWrites())
	a.deliverOrLog(ctx)
	for {
		select {
		case <-ctx.Done():
			return
		case <-writes.C:
			a.reportWrites(ctx, a.detector.queue.Presence().CheckWrites())
		case <-tick.C:
			a.deliverOrLog(ctx)
		}
	}
}

func (a *Alerts) deliverOrLog(ctx context.Context) {
	if err := a.deliver(ctx); err != nil && ctx.Err() == nil {
		a.logger.Warn("send alerts", "error", err)
	}
}
