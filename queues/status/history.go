package status

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/records"
	"usher/queues/store"
)

// maxHistory limits the events of a job, because a job that often waits has many.
const maxHistory = 500

// History returns the changes of a job's state, oldest first, at most the first
// maxHistory.
func (r *Reader) History(ctx context.Context, id string) ([]usher.Event, error) {
	if !usher.ValidID(id) {
		return nil, fmt.Errorf("job %q: %w", id, ErrNoJob)
	}
	events := []usher.Event{}
	known := map[string]bool{}
	err := store.EachStored(ctx, r.store.Leader(r.store.EventsStream()), r.store.Event(id), 1, func(m *jetstream.RawStreamMsg) bool {
		var e usher.Event
		if json.Unmarshal(m.Data, &e) == nil && e.Valid() && !known[records.EventID(&e)] {
			known[records.EventID(&e)] = true
			events = append(events, e)
		}
		return len(events) < maxHistory
	})
	return events, err
}

// PartState is the state of a part of a cut job.
type PartState struct {
	Part     int
	State    usher.State
	Tally    usher.Tally
	Attempts int
}

// Parts returns the parts of a cut job that were taken so far, in order, including
// unchanged parts that ended in an earlier run.
func (r *Reader) Parts(ctx context.Context, id string) ([]PartState, error) {
	if !usher.ValidID(id) {
		return nil, fmt.Errorf("job %q: %w", id, ErrNoJob)
	}
	j, _, found, err := r.records.Job(ctx, id)
	if err != nil || !found {
		return []PartState{}, err
	}
	parts := []PartState{}
	err = r.records.EachPart(ctx, id, func(n int, p *records.Part) {
		if p.Sum == j.Sum && p.Cut == j.Cut {
			parts = append(parts, PartState{Part: n, State: p.State, Tally: p.Progress.Checkpoint.Tally, Attempts: p.Attempts})
		}
	})
	slices.SortFunc(parts, func(a, b PartState) int { return a.Part - b.Part })
	return parts, err
}
