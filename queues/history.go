package queues

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"usher"
)

// historyMost is how many of a job's events are read: those of a job that
// waits often are many.
const historyMost = 500

// History are the changes of a job's state, oldest first, the first of them
// where there are very many.
func (q *Queue) History(ctx context.Context, id string) ([]usher.Event, error) {
	if !usher.ValidID(id) {
		return nil, fmt.Errorf("job %q: %w", id, ErrNoJob)
	}
	stream, err := q.js.Stream(ctx, q.names.EventsStream())
	if err != nil {
		return nil, fmt.Errorf("read events of job %s: %w", id, err)
	}
	events := []usher.Event{}
	err = eachMessage(ctx, stream, q.names.Event(id), 1, func(m *rawMessage) bool {
		var e usher.Event
		if json.Unmarshal(m.Data, &e) == nil {
			events = append(events, e)
		}
		return len(events) < historyMost
	})
	return events, err
}

// PartState is how far a part of a cut job is.
type PartState struct {
	Part     int
	State    usher.State
	Tally    usher.Tally
	Attempts int
}

// Parts are the parts of a cut job that were taken so far, in order. A part that
// ended in an earlier run, unchanged, is among them.
func (q *Queue) Parts(ctx context.Context, id string) ([]PartState, error) {
	if !usher.ValidID(id) {
		return nil, fmt.Errorf("job %q: %w", id, ErrNoJob)
	}
	var e jobEntry
	if _, found, err := q.state.Get(ctx, jobKey(id), &e); err != nil || !found {
		return []PartState{}, err
	}
	parts := []PartState{}
	err := q.eachPart(ctx, id, func(n int, p *partEntry) {
		if p.Sum == e.Sum && p.Cut == e.Cut {
			parts = append(parts, PartState{Part: n, State: p.State, Tally: p.Progress.Checkpoint.Tally, Attempts: p.Attempts})
		}
	})
	slices.SortFunc(parts, func(a, b PartState) int { return a.Part - b.Part })
	return parts, err
}
