package alerts

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"time"

	"usher/queues"
	"usher/queues/decisions"
	"usher/queues/letters"
	"usher/queues/presence"
	"usher/queues/store"
)

// Options configures when to alert, and what alerts say. A zero field means its default.
type Options struct {
	Every   time.Duration                 // the minimum time between two messages about new dead letters, or about rules with notify: digest; default 5 min
	Console string                        // address of the console, for links; "": messages name commands instead
	Stalled time.Duration                 // how long the oldest job of a lane may wait before the lane counts as stalled; default 15 min
	Quiet   *Quiet                        // hours in which only faults are sent; nil: none
	Zone    *time.Location                // of the times in messages; default UTC
	Outages func(context.Context) Outages // what workers cannot use; nil: not known
}

// Outages is what workers cannot use.
type Outages struct {
	Known      bool   // otherwise it is not known whether there are any of the first six
	Platform   Outage // it is down
	Login      Outage // the platform refuses it
	Redis      Outage // it does not respond
	RedisLogin Outage // Redis refuses it
	// Failing are operations of the platform that fail, although it responds to others.
	Failing []presence.Failing
	Slow    []presence.SlowJob // running jobs whose sources deliver too slowly

	Away      []string // NATS servers whose copies of the stream of jobs are away, although it takes jobs
	AwayKnown bool     // otherwise it is not known whether there are any
}

// Outage is what a worker cannot use, of several workers the first one; zero: all can.
type Outage struct {
	Since  time.Time
	Worker string
	How    string // how the platform is down: "answers with status 503"; "": it does not respond
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

// New returns Alerts that send to channels.
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

// pollInterval is how often a worker checks whether there is something to report. With what a worker needs
// to notice a loss, and with the patiences of detect.go, people know within a minute.
const pollInterval = 10 * time.Second

// Enabled reports whether there are channels.
func (a *Alerts) Enabled() bool { return len(a.channels) > 0 }

// Run sends messages until ctx ends. The leader of the workers runs it.
func (a *Alerts) Run(ctx context.Context) {
	tick := time.NewTicker(min(pollInterval, max(a.Every, time.Second)))
	defer tick.Stop()
	for a.deliverOrLog(ctx); ctx.Err() == nil; {
		select {
		case <-ctx.Done():
		case <-tick.C:
			a.deliverOrLog(ctx)
		}
	}
}

// WatchWrites sends a message when NATS takes no writes from this worker, and when it takes them
// again, until ctx ends. Every worker runs it.
func (a *Alerts) WatchWrites(ctx context.Context) {
	if !a.Enabled() {
		return
	}
	tick := time.NewTicker(presence.BeatEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		a.reportWrites(ctx, a.detector.queue.Presence().CheckWrites())
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}

func (a *Alerts) deliverOrLog(ctx context.Context) {
	if err := a.deliver(ctx); err != nil && ctx.Err() == nil {
		a.logger.Warn("send alerts", "error", err)
	}
}

// writesState is what this worker has reported about writes to NATS.
type writesState struct {
	opened *Message        // since NATS takes no writes; nil while it takes them
	told   map[string]bool // the channels that were told so
}

// reportWrites sends a message when NATS no longer takes writes, which err says, and another one
// when it takes them again. Other messages are sent by the leader and recorded in NATS before; while
// NATS takes no writes, there is no leader and nothing can be recorded, so every worker sends it.
func (a *Alerts) reportWrites(ctx context.Context, err error) {
	if err != nil && a.writes.opened == nil {
		a.writes = writesState{opened: a.writesLost(err), told: map[string]bool{}}
	}
	if a.writes.opened == nil {
		return
	}
	m := *a.writes.opened
	if err == nil {
		m = m.solved(a.detector.queue.Now(), "")
	}
	for _, name := range a.names() {
		if a.writes.told[name] == (err != nil) {
			continue
		}
		if sendErr := a.channels[name].send(ctx, &m); sendErr != nil {
			a.logger.Warn("send alert", "error", sendErr)
			continue
		}
		a.writes.told[name] = err != nil
	}
	if err == nil && !a.writes.anyTold() {
		a.writes = writesState{}
	}
}

func (w *writesState) anyTold() bool {
	for _, told := range w.told {
		if told {
			return true
		}
	}
	return false
}

func (a *Alerts) writesLost(err error) *Message {
	q := a.detector.queue
	worker, since := q.Worker(), q.Now().Add(-q.Presence().SinceWrite()).Truncate(time.Second)
	m := newMessage(Writes, worker, "NATS takes no writes from worker "+worker, since)
	m.Details = []string{err.Error()}
	m.Action = "Until then no job runs or ends, and none is lost. Run usher doctor; a full disk of a NATS server is the usual cause."
	switch err := store.Disconnected(q.Store().Conn); {
	case errors.Is(err, store.ErrLogin):
		m.Title, m.Details = "NATS refuses the login of worker "+worker, nil
		m.Action = "Until then no job runs or ends there, and none is lost. Check user and password in nats.url, or in the file of USHER_NATS_URL_FILE; usher doctor tests them."
	case err != nil:
		m.Title, m.Details = "Worker "+worker+" is not connected to NATS", nil
		m.Action = "Until then no job runs or ends there, and none is lost. Check that the NATS servers are up, and the network between them and the worker; usher doctor says more."
	}
	m.Link = a.detector.page("/")
	return &m
}
