package records

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
// as unsent, and no message of the job is settled for good before NATS has what is unsent of its record.
// So a crash loses no event: the slot that gets the message again publishes it, and for a message that is
// not delivered any more the leader that looks for forgotten jobs. An event may be
// published twice, with the same Nats-Msg-Id, see EventID.

// EventID identifies an event. It is the Nats-Msg-Id of its messages.
func EventID(e *usher.Event) string {
	return fmt.Sprintf("%s/%d/%s/%d", e.ID, e.Run, e.State, e.At.UnixNano())
}

// addEvent adds the event of the record's state to those that are unsent.
func (j *Job) addEvent(at time.Time) {
	r := &j.Record
	j.Unsent = append(slices.Clip(j.Unsent), usher.Event{
		ID: r.ID, Run: r.Run, Kind: r.Kind, State: r.State, At: at, Tally: r.Tally.Clone(), Error: r.Error,
	})
	j.ownEvents++
}

// HasForeignUnsent reports whether events were unsent when the record of the job was read.
func (j *Job) HasForeignUnsent() bool { return len(j.Unsent) > j.ownEvents }

// Outbox publishes the unsent events of one job's record. It is safe for concurrent use.
type Outbox struct {
	mu       sync.Mutex
	recalled bool
	sent     map[string]jetstream.PubAckFuture // by EventID; nil when NATS has the event
}

// send publishes an event unless it is on its way, and does not wait for NATS to have it.
func (o *Outbox) send(s *store.Store, e *usher.Event) error {
	id := EventID(e)
	if future, sent := o.sent[id]; sent && !failed(future) {
		return nil
	}
	data, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("encode event %s: %w", id, err)
	}
	future, err := s.JS.PublishAsync(s.Event(e.ID), data, jetstream.WithMsgID(id), jetstream.WithRetryAttempts(0))
	if err != nil {
		return fmt.Errorf("publish event %s: %w", id, err)
	}
	if o.sent == nil {
		o.sent = map[string]jetstream.PubAckFuture{}
	}
	o.sent[id] = future
	return nil
}

// failed reports whether publishing an event failed. A nil future stands for an event that
// NATS has.
func failed(future jetstream.PubAckFuture) bool {
	if future == nil {
		return false
	}
	select {
	case err := <-future.Err():
		return err != nil
	default:
		return false
	}
}

// recall marks the unsent events that NATS has, if some may be there because they are
// foreign: of another lease. They were published in order, so one that is on the stream
// has those before it there too.
func (o *Outbox) recall(ctx context.Context, s *store.Store, unsent []usher.Event, foreign bool) error {
	if !foreign || o.recalled {
		return nil
	}
	last, err := s.Leader(s.EventsStream()).Last(ctx, s.Event(unsent[0].ID))
	if err != nil && !errors.Is(err, jetstream.ErrMsgNotFound) {
		return fmt.Errorf("read the last event: %w", err)
	}
	o.recalled = true
	if err != nil {
		return nil //nolint:nilerr // NATS has no event of the job
	}
	if o.sent == nil {
		o.sent = map[string]jetstream.PubAckFuture{}
	}
	known := slices.IndexFunc(unsent, func(e usher.Event) bool { return EventID(&e) == last.Header.Get(message.HeaderMsgID) })
	for i := range known + 1 {
		o.sent[EventID(&unsent[i])] = nil
	}
	return nil
}

// Publish publishes the unsent events that NATS does not have, in order: it publishes each
// event when NATS has the one before. It does not wait for NATS to have the last one.
func (o *Outbox) Publish(ctx context.Context, s *store.Store, unsent []usher.Event, foreign bool) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, store.CallTime)
	defer cancel()
	return o.publish(ctx, s, unsent, foreign)
}

func (o *Outbox) publish(ctx context.Context, s *store.Store, unsent []usher.Event, foreign bool) error {
	if err := o.recall(ctx, s, unsent, foreign); err != nil {
		return err
	}
	for i := range unsent {
		if i > 0 {
			if err := o.awaitStored(ctx, s, EventID(&unsent[i-1])); err != nil {
				return err
			}
		}
		if err := o.send(s, &unsent[i]); err != nil {
			return err
		}
	}
	return nil
}

// Flush publishes the unsent events of a job, in order, and returns when NATS has all of
// them.
func (o *Outbox) Flush(ctx context.Context, s *store.Store, j *Job) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return store.Retry(ctx, func(ctx context.Context) error {
		if err := o.publish(ctx, s, j.Unsent, j.HasForeignUnsent()); err != nil || len(j.Unsent) == 0 {
			return err
		}
		return o.awaitStored(ctx, s, EventID(&j.Unsent[len(j.Unsent)-1]))
	})
}

// awaitStored waits until NATS has an event that was sent.
func (o *Outbox) awaitStored(ctx context.Context, s *store.Store, id string) error {
	future := o.sent[id]
	if future == nil {
		return nil
	}
	if _, err := s.Await(ctx, future); err != nil {
		delete(o.sent, id) // its ack may never come
		return fmt.Errorf("publish event %s: %w", id, err)
	}
	o.sent[id] = nil
	return nil
}

// RemoveStored removes the events that NATS has from the unsent ones of the job. It does not
// wait for another call of the outbox.
func (o *Outbox) RemoveStored(j *Job) {
	if !o.mu.TryLock() {
		return
	}
	defer o.mu.Unlock()
	j.Unsent = slices.DeleteFunc(slices.Clone(j.Unsent), func(event usher.Event) bool {
		id := EventID(&event)
		future, sent := o.sent[id]
		if future == nil {
			return sent
		}
		select {
		case <-future.Ok():
			o.sent[id] = nil
			return true
		default:
			return false
		}
	})
}

// Announce publishes the unsent events of a job and does not wait for the last one. Events
// that do not arrive are published by the next slot that changes the record or settles the message.
func (r *Records) Announce(ctx context.Context, j *Job) {
	if err := new(Outbox).Publish(ctx, r.Store, j.Unsent, j.HasForeignUnsent()); err != nil {
		r.Logger.Warn("announcing the state of a job; it is announced later", "job", j.Record.ID, "error", err)
	}
}

// FlushEvents publishes the unsent events of a job and returns when NATS has them.
func (r *Records) FlushEvents(ctx context.Context, j *Job) error {
	return new(Outbox).Flush(ctx, r.Store, j)
}
