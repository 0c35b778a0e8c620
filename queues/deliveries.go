package queues

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/lanes"
)

// Deliveries is one slot's view of a lane. A slot that waits for work has one request at each
// consumer of the lane and takes the message that arrives first. A message that arrives while
// the slot works goes back at once, so that none waits in this process.
type Deliveries struct {
	q       *Queue
	lane    lanes.Lane
	sources []*source
	first   *source // of released jobs that go before all others; nil: the lane has none
	beside  *backgroundSettler
	behind  bool // many messages were not delivered yet

	mu      sync.Mutex
	waiting bool         // the slot waits for a message
	arrived chan arrival // while the slot waits; it has room for the answers of all requests
	asking  sync.WaitGroup

	// OnMessage, if not nil, is called when a message has arrived for a slot that waits, before the slot
	// knows: while uploads use all cores, the slot may be told some milliseconds later. It is not called
	// after Next has returned.
	OnMessage func()
}

// source is a consumer of a lane. It has at most one request of the slot.
type source struct {
	puller   puller
	released bool // its messages name jobs, see released.go
	asked    bool // guarded by Deliveries.mu
}

// arrival is the answer to a request: a message, nothing within PullTime, or an error.
type arrival struct {
	source *source
	msg    *nats.Msg // or nil
	since  time.Time // when it was requested
	err    error
}

// SettleInBackground makes End return as soon as the record of a job says how it has ended. What
// follows happens while the slot runs its next job, whose End waits for it.
func (d *Deliveries) SettleInBackground() { d.beside = newBackgroundSettler() }

// Deliveries opens a lane for one slot. While NATS does not answer, it waits. It returns
// ErrMigrate if there is no such lane.
func (q *Queue) Deliveries(ctx context.Context, lane lanes.Lane) (*Deliveries, error) {
	d := &Deliveries{q: q, lane: lane}
	for _, c := range lane.Consumers(q.names) {
		if err := q.awaitConsumer(ctx, c); err != nil {
			return nil, fmt.Errorf("open lane %s: %w", lane, err)
		}
		s := &source{puller: newPuller(q.nc, c.Stream, c.Name), released: c.Stream == q.names.ReleasedStream()}
		d.sources = append(d.sources, s)
		if s.released {
			d.first = s // lane.Consumers has them last
		}
	}
	d.arrived = make(chan arrival, 2*len(d.sources))
	return d, nil
}

// awaitConsumer waits until NATS says whether a consumer is declared.
func (q *Queue) awaitConsumer(ctx context.Context, c lanes.Consumer) error {
	for {
		_, err := q.js.Consumer(ctx, c.Stream, c.Name)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, jetstream.ErrConsumerNotFound), errors.Is(err, jetstream.ErrStreamNotFound):
			return fmt.Errorf("consumer %s of %s is not declared: %w", c.Name, c.Stream, ErrMigrate)
		}
		q.logger.Warn("opening a lane, trying again", "lane", c.Name, "error", err)
		if err := usher.Sleep(ctx, time.Second); err != nil {
			return err
		}
	}
}

// Next waits for work and takes it. It settles messages that need no work, such as invalid
// ones, second messages of a job, and those of jobs that must wait. Ending fetch ends the
// waiting; the lease's context derives from work. The only error that Next returns is that of
// fetch, and it does so after all leases that it returned before are settled.
func (d *Deliveries) Next(fetch, work context.Context) (*Lease, error) {
	for {
		if d.behind {
			if err := d.releaseArrived(fetch); err != nil && fetch.Err() == nil {
				d.q.logger.Warn("looking for jobs that need not wait", "lane", d.lane, "error", err)
			}
		}
		own, err := d.delivery(fetch)
		if err != nil {
			d.beside.wait()
			return nil, err
		}
		if own.released == 0 {
			d.behind = own.hasManyBehind()
		}
		lease, err := d.take(work, own)
		if err != nil {
			// NATS or its disk has failed. Whatever was written, the next delivery goes on from there.
			d.q.logger.Warn("taking a delivery failed; NATS redelivers it", "lane", d.lane, "seq", own.meta.Sequence.Stream, "error", err)
			_ = own.retry(time.Second)
			continue
		}
		if lease != nil {
			return lease, nil
		}
	}
}

// delivery waits for a delivery. AckWait is counted from the time of the request, which is
// before the delivery: the time at which the message arrives would be too late in a process
// that was suspended. When ctx ends, delivery waits for the ends of the requests: a message
// that arrives at an abandoned one would be redelivered only after AckWait. So PullTime is
// short.
func (d *Deliveries) delivery(ctx context.Context) (*delivery, error) {
	d.startWaiting()
	if d.behind && d.first != nil {
		d.pullFirst()
	}
	for round := 0; ; round++ {
		if len(d.arrived) == 0 {
			d.ask(d.behind && round == 0)
		}
		select {
		case <-ctx.Done():
			d.stopWaiting()
			d.asking.Wait()
			return nil, context.Cause(ctx)
		case a := <-d.arrived:
			switch {
			case a.err != nil:
				d.q.warnReading(d.lane, a.err)
				_ = usher.Sleep(ctx, time.Second)
			case a.msg != nil && ctx.Err() != nil:
				giveBack(a.msg)
			case a.msg != nil:
				own, err := newDelivery(d, a)
				if err == nil {
					d.stopWaiting()
					return own, nil
				}
				d.q.logger.Error("message without JetStream metadata on lane", "lane", d.lane, "error", err)
			}
		}
	}
}

// pullFirst requests a job that goes before all others. If there is one, it is the next delivery.
func (d *Deliveries) pullFirst() {
	a := arrival{source: d.first, since: time.Now()}
	_ = a.source.puller.pull(pullRequest{Batch: 1, NoWait: true}, func(m *nats.Msg) { a.msg = m }) // ask reports the next error
	if a.msg != nil {
		d.tell(a)
	}
}

// ask requests a message of each source that has no request. With butFirst it requests no job that goes
// before all others. pullFirst has just found none; if one came while the slot works on another job, the
// slot would have to return it, which delays it.
func (d *Deliveries) ask(butFirst bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range d.sources {
		if s.asked || butFirst && s == d.first {
			continue
		}
		s.asked = true
		d.asking.Go(func() {
			a := arrival{source: s, since: time.Now()}
			a.err = s.puller.pull(pullRequest{Batch: 1, Expires: d.q.options.PullTime}, func(m *nats.Msg) { a.msg = m })
			d.answer(a)
		})
	}
}

// answer gives the slot the answer to a request, or returns its message if the slot works.
func (d *Deliveries) answer(a arrival) {
	d.mu.Lock()
	defer d.mu.Unlock()
	a.source.asked = false
	switch {
	case d.waiting:
		d.tell(a)
	case a.msg != nil:
		giveBack(a.msg)
	}
}

// tell gives the slot, which waits, the answer to a request.
func (d *Deliveries) tell(a arrival) {
	if a.msg != nil && d.OnMessage != nil {
		d.OnMessage()
	}
	d.arrived <- a
}

func (d *Deliveries) startWaiting() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.waiting = true
}

// stopWaiting returns the messages that have arrived meanwhile.
func (d *Deliveries) stopWaiting() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.waiting = false
	for {
		select {
		case a := <-d.arrived:
			if a.msg != nil {
				giveBack(a.msg)
			}
		default:
			return
		}
	}
}

// warnInterval is the time between two log lines about a lane that cannot be read.
const warnInterval = time.Minute

// warnReading logs that a lane cannot be read: once for all its slots, which try again every
// second, and again after a while.
func (q *Queue) warnReading(lane lanes.Lane, err error) {
	now := time.Now()
	last, logged := q.failing.LoadOrStore(lane, now)
	if logged {
		if at, ok := last.(time.Time); ok && now.Sub(at) < warnInterval || !q.failing.CompareAndSwap(lane, last, now) {
			return
		}
	}
	q.logger.Warn("reading a lane, trying again every second", "lane", lane, "error", err)
}
