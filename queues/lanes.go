package queues

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// LaneState is what is in a lane, as `usher lanes ls --json` prints it.
type LaneState struct {
	Lane    Lane       `json:"lane"`
	Waiting int64      `json:"waiting"` // not yet taken
	Running int64      `json:"running"` // taken: running, or waiting for their next attempt
	Oldest  *time.Time `json:"oldest"`  // when the oldest of both was published; nil: there is none
	Paused  *Pause     `json:"paused"`
}

// LaneStates are those of all lanes.
func (q *Queue) LaneStates(ctx context.Context) ([]LaneState, error) {
	var states []LaneState
	for _, lane := range Lanes() {
		name, filters := q.names.lane(lane)
		consumer, err := q.js.Consumer(ctx, name, string(lane))
		if err != nil {
			return nil, fmt.Errorf("read lane %s: %w", lane, err)
		}
		info := consumer.CachedInfo()
		state := LaneState{Lane: lane, Waiting: int64(info.NumPending), Running: int64(info.NumAckPending)}
		if state.Waiting+state.Running > 0 {
			if state.Oldest, err = q.oldest(ctx, name, filters); err != nil {
				return nil, fmt.Errorf("read lane %s: %w", lane, err)
			}
		}
		if state.Paused, err = q.paused(ctx, lane); err != nil {
			return nil, err
		}
		states = append(states, state)
	}
	return states, nil
}

// oldest is when the first message under the subjects was published.
func (q *Queue) oldest(ctx context.Context, name string, subjects []string) (*time.Time, error) {
	stream, err := q.js.Stream(ctx, name)
	if err != nil {
		return nil, err
	}
	var first *time.Time
	for _, subject := range subjects {
		m, err := stream.GetMsg(ctx, 1, jetstream.WithGetMsgSubject(subject))
		switch {
		case errors.Is(err, jetstream.ErrMsgNotFound):
		case err != nil:
			return nil, err
		case first == nil || m.Time.Before(*first):
			first = &m.Time
		}
	}
	return first, nil
}
