package queues

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"usher"
	"usher/queues/status"
)

// PulseEvery is how often a worker writes to NATS to prove that NATS takes writes, and how
// long a write may take.
const PulseEvery = 3 * time.Second

// pulseAgain is how long after a failed write the next one follows.
const pulseAgain = time.Second

// Pulse proves that NATS takes writes: it writes a heartbeat and notes when NATS last took
// one.
type Pulse struct {
	queue *Queue
	wrote atomic.Pointer[time.Time] // when the last heartbeat was written, by this machine's clock
}

func newPulse(q *Queue) *Pulse {
	p := &Pulse{queue: q}
	p.wrote.Store(new(q.options.Now()))
	return p
}

// Pulse returns the pulse of this process.
func (q *Queue) Pulse() *Pulse { return q.pulse }

// Run writes to NATS every PulseEvery until ctx ends, and compares the clocks. A NATS
// whose disk is full, or whose cluster has lost its quorum, is connected and may answer
// reads, but no job can be taken or ended.
func (p *Pulse) Run(ctx context.Context) {
	logger, failing := p.queue.logger, false
	for {
		err := p.Beat(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil && !failing:
			logger.Error("NATS takes no writes: no job can be taken or ended; "+status.WritesAgain, "error", err)
		case err == nil && failing:
			logger.Info("NATS takes writes again")
		}
		failing = err != nil
		if err := p.queue.compareClocks(ctx); err != nil && ctx.Err() == nil {
			logger.Debug("reading NATS's time failed, trying again", "error", err)
		}
		next := PulseEvery
		if failing {
			next = pulseAgain
		}
		if usher.Sleep(ctx, next) != nil {
			return
		}
	}
}

// Beat writes one heartbeat.
func (p *Pulse) Beat(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, PulseEvery)
	defer cancel()
	err := p.queue.state.Put(ctx, status.PulseKey, status.NewHeartbeat(p.queue.options.Worker, p.queue.now().UTC()))
	if err == nil {
		p.wrote.Store(new(p.queue.options.Now()))
	}
	return err
}

func (q *Queue) compareClocks(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, PulseEvery)
	defer cancel()
	return q.clock.compare(ctx, q.ServerTime)
}

// sinceWrite returns how long ago NATS last took a heartbeat or, before the first one, how
// long ago the queue was opened.
func (p *Pulse) sinceWrite() time.Duration {
	return max(0, p.queue.options.Now().Sub(*p.wrote.Load()))
}

// CheckWrites returns an error if NATS takes no writes.
func (p *Pulse) CheckWrites() error {
	if since := p.sinceWrite(); since > status.PulseLate {
		return errors.New(status.NoWrites(since))
	}
	return nil
}
