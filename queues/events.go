package queues

import (
	"context"
	"encoding/json"
	"fmt"
	"usher/queues/store"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
)

// publishEvent publishes the event of a job's new state. Events are for watchers: a
// job does not wait for them, and its record is authoritative.
func (q *Queue) publishEvent(e *jobEntry, state usher.State) {
	r := &e.Record
	event := usher.Event{ID: r.ID, Run: e.Run, Kind: r.Kind, State: state, At: q.now().UTC(), Tally: r.Tally, Error: r.Error}
	data, err := json.Marshal(event)
	if err != nil {
		q.logger.Error("encoding an event", "job", r.ID, "error", err)
		return
	}
	id := fmt.Sprintf("%s/%d/%s/%d", r.ID, e.Run, state, e.Attempts)
	if !state.Ended() {
		id = "" // a job may run and wait repeatedly
	}
	_, err = q.js.PublishAsync(q.names.Event(r.ID), data, withID(id)...)
	if err != nil {
		q.logger.Warn("publishing an event", "job", r.ID, "state", state, "error", err)
	}
}

func withID(id string) []jetstream.PublishOpt {
	if id == "" {
		return nil
	}
	return []jetstream.PublishOpt{jetstream.WithMsgID(id)}
}

// Audit stores an audit entry about a creative, once for each run and creative.
func (l *Lease) Audit(ctx context.Context, a usher.Audit) error {
	id := fmt.Sprintf("%s/%d/%s", a.Job, a.Run, a.Creative)
	switch { // entries in addition to the one of the job's own change
	case a.Restores != "":
		id += "/restores/" + a.Restores
	case a.Late:
		id += "/late"
	}
	return store.Insist(ctx, func(ctx context.Context) error { return l.q.Audit().Append(ctx, a.Campaign, a, id) })
}
