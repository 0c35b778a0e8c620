package queues

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"usher"
)

// historyMost limits the events of a job, because a job that often waits has many.
const historyMost = 500

// History returns the changes of a job's state, oldest first, at most the first
// historyMost.
func (q *Queue) History(ctx context.Context, id string) ([]usher.Event, error) {
	if !usher.ValidID(id) {
		return nil, fmt.Errorf("job %q: %w", id, ErrNoJob)
	}
	stream, err := q.js.Stream(ctx, q.names.EventsStream())
	if err != nil {
		return nil, fmt.Errorf("read events of job %s: %w", id, err)
	}
	events := []usher.Event{}
	known := map[string]bool{}
	err = eachMessage(ctx, stream, q.names.Event(id), 1, func(m *rawMessage) bool {
		var e usher.Event
		if json.Unmarshal(m.Data, &e) == nil && !known[eventID(&e)] {
			known[eventID(&e)] = true
			events = append(events, e)
		}
		return len(events) < historyMost
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
