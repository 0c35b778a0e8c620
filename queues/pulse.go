package queues

import (
	"context"
	"errors"
	"time"

	"usher"
	"usher/queues/status"
)

// PulseEvery is how often a worker writes to NATS to prove that NATS takes writes.
const PulseEvery = 3 * time.Second

// Pulse writes to NATS every PulseEvery until ctx ends, and compares the clocks. A NATS
// whose disk is full, or whose cluster has lost its quorum, is connected and may answer
// reads, but no job can be taken or ended.
func (q *Queue) Pulse(ctx context.Context) {
	failing := false
	for {
		err := q.Beat(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil && !failing:
			q.logger.Error("NATS takes no writes: no job can be taken or ended; "+status.WritesAgain, "error", err)
		case err == nil && failing:
			q.logger.Info("NATS takes writes again")
		}
		failing = err != nil
		if err := q.compareClocks(ctx); err != nil && ctx.Err() == nil {
			q.logger.Debug("NATS's time was not read, trying again", "error", err)
		}
		if usher.Sleep(ctx, PulseEvery) != nil {
			return
		}
	}
}

// Beat writes the pulse once.
func (q *Queue) Beat(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, PulseEvery)
	defer cancel()
	err := q.state.Put(ctx, status.PulseKey, status.Heartbeat{Worker: q.options.Worker, At: q.now().UTC()})
	if err == nil {
		q.wrote.Store(new(q.options.Now()))
	}
	return err
}

func (q *Queue) compareClocks(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, PulseEvery)
	defer cancel()
	return q.clock.compare(ctx, q.ServerTime)
}

// SinceWrite returns how long ago the last write of Pulse succeeded or, before the first
// one, how long ago the queue was opened.
func (q *Queue) SinceWrite() time.Duration {
	return max(0, q.options.Now().Sub(*q.wrote.Load()))
}

// CheckWrites returns an error if NATS takes no writes.
func (q *Queue) CheckWrites() error {
	if since := q.SinceWrite(); since > status.PulseLate {
		return errors.New(status.NoWrites(since))
	}
	return nil
}
