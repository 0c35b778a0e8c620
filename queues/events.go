package queues

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/message"
	"usher/queues/store"
)

// Each change of a job's state, and each further take after a crash, is an event on
// usher.events.<job>. The write of the record that makes the change also lists the event
// as owed, and no message of the job is acknowledged before NATS has what the record owes.
// So a crash loses no event: whoever reads the record next publishes it. An event may be
// published twice, with the same Nats-Msg-Id, see eventID.

// eventID identifies an event. It is the Nats-Msg-Id of its messages.
func eventID(e *usher.Event) string {
	return fmt.Sprintf("%s/%d/%s/%d", e.ID, e.Run, e.State, e.At.UnixNano())
}

// owe lists the event of the entry's state as owed.
func (e *jobEntry) owe(at time.Time) {
	r := &e.Record
	e.Owed = append(slices.Clip(e.Owed), usher.Event{
		ID: r.ID, Run: r.Run, Kind: r.Kind, State: r.State, At: at, Tally: r.Tally.Clone(), Error: r.Error,
	})
	e.ownEvents++
}

// announcement publishes the events that a record owes.
type announcement struct {
	mu       sync.Mutex
	recalled bool
	sent     map[string]jetstream.PubAckFuture // by eventID; nil when NATS has the event
}

// send publishes the events that are not yet on their way, and does not wait for NATS to
// have them.
func (a *announcement) send(q *Queue, owed []usher.Event) error {
	if a.sent == nil {
		a.sent = map[string]jetstream.PubAckFuture{}
	}
	for i := range owed {
		id := eventID(&owed[i])
		if _, sent := a.sent[id]; sent {
			continue
		}
		data, err := json.Marshal(owed[i])
		if err != nil {
			return fmt.Errorf("encode event %s: %w", id, err)
		}
		future, err := q.js.PublishAsync(q.names.Event(owed[i].ID), data, jetstream.WithMsgID(id), jetstream.WithRetryAttempts(0))
		if err != nil {
			return fmt.Errorf("publish event %s: %w", id, err)
		}
		a.sent[id] = future
	}
	return nil
}

// recall marks the owed events that NATS has, if some may be there because they are
// foreign: of another lease. They were published in order, so one that is on the stream
// has those before it there too.
func (a *announcement) recall(ctx context.Context, q *Queue, owed []usher.Event, foreign bool) error {
	if !foreign || a.recalled {
		return nil
	}
	stream, err := q.js.Stream(ctx, q.names.EventsStream())
	if err != nil {
		return fmt.Errorf("read the last event: %w", err)
	}
	last, err := stream.GetLastMsgForSubject(ctx, q.names.Event(owed[0].ID))
	if err != nil && !errors.Is(err, jetstream.ErrMsgNotFound) {
		return fmt.Errorf("read the last event: %w", err)
	}
	a.recalled = true
	if err != nil {
		return nil //nolint:nilerr // NATS has no event of the job
	}
	if a.sent == nil {
		a.sent = map[string]jetstream.PubAckFuture{}
	}
	known := slices.IndexFunc(owed, func(e usher.Event) bool { return eventID(&e) == last.Header.Get(message.HeaderMsgID) })
	for i := range known + 1 {
		a.sent[eventID(&owed[i])] = nil
	}
	return nil
}

// publish publishes the owed events that NATS does not have, and does not wait for it to
// have them.
func (a *announcement) publish(ctx context.Context, q *Queue, owed []usher.Event, foreign bool) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.recall(ctx, q, owed, foreign); err != nil {
		return err
	}
	return a.send(q, owed)
}

// await publishes the owed events, one after the other, and returns when NATS has all of
// them.
func (a *announcement) await(ctx context.Context, q *Queue, e *jobEntry) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return store.Insist(ctx, func(ctx context.Context) error {
		if err := a.recall(ctx, q, e.Owed, e.owesForeign()); err != nil {
			return err
		}
		for i := range e.Owed {
			if err := a.send(q, e.Owed[:i+1]); err != nil {
				return err
			}
			if err := a.stored(ctx, eventID(&e.Owed[i])); err != nil {
				return err
			}
		}
		return nil
	})
}

// stored waits until NATS has an event that was sent.
func (a *announcement) stored(ctx context.Context, id string) error {
	future := a.sent[id]
	if future == nil {
		return nil
	}
	select {
	case <-future.Ok():
		a.sent[id] = nil
		return nil
	case err := <-future.Err():
		delete(a.sent, id)
		return fmt.Errorf("publish event %s: %w", id, err)
	case <-ctx.Done():
		return fmt.Errorf("publish event %s: %w", id, context.Cause(ctx))
	}
}

// strike removes the events that NATS has from those that the entry owes. It does not wait
// for a call of send.
func (a *announcement) strike(e *jobEntry) {
	if !a.mu.TryLock() {
		return
	}
	defer a.mu.Unlock()
	e.Owed = slices.DeleteFunc(slices.Clone(e.Owed), func(event usher.Event) bool {
		id := eventID(&event)
		future, sent := a.sent[id]
		if future == nil {
			return sent
		}
		select {
		case <-future.Ok():
			a.sent[id] = nil
			return true
		default:
			return false
		}
	})
}

// owesForeign reports whether the entry owes events that it owed when it was read.
func (e *jobEntry) owesForeign() bool { return len(e.Owed) > e.ownEvents }

// announce publishes what a record owes and does not wait. What does not arrive is
// published by who next reads the record.
func (q *Queue) announce(ctx context.Context, e *jobEntry) {
	if err := new(announcement).publish(ctx, q, e.Owed, e.owesForeign()); err != nil {
		q.logger.Warn("announcing the state of a job; it is announced later", "job", e.Record.ID, "error", err)
	}
}

// announced publishes what a record owes and returns when NATS has it.
func (q *Queue) announced(ctx context.Context, e *jobEntry) error {
	return new(announcement).await(ctx, q, e)
}

// announce publishes what the job's record owes and does not wait for NATS to have it.
func (l *Lease) announce(ctx context.Context) {
	l.mu.Lock()
	owed, foreign := slices.Clone(l.job.Owed), l.job.owesForeign()
	l.mu.Unlock()
	if err := l.events.publish(ctx, l.q, owed, foreign); err != nil && l.held.Err() == nil { // its end announces it
		l.q.logger.Warn("announcing the state of a job; it is announced later", "job", owed[0].ID, "error", err)
	}
}

// announceBeside is announce, beside the work if NATS must first be asked what it has.
func (l *Lease) announceBeside(ctx context.Context) {
	if !l.job.owesForeign() {
		l.announce(ctx)
		return
	}
	l.beating.Go(func() {
		ctx, cancel := context.WithTimeout(l.held, store.CallTime)
		defer cancel()
		l.announce(ctx)
	})
}
