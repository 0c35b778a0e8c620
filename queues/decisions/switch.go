package decisions

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"usher"
	"usher/queues"
	"usher/queues/audit"
)

// Switch is the state of the stop switch of campaign actions. While it is thrown,
// no job sets a creative's status.
type Switch struct {
	Stopped bool       `json:"stopped"`
	Reason  string     `json:"reason,omitempty"`
	By      string     `json:"by,omitempty"`
	At      *time.Time `json:"at,omitempty"` // when it was thrown; nil if the key was written by hand
}

// StopSwitch is the stop switch of campaign actions.
type StopSwitch struct{ queue *queues.Queue }

// NewStopSwitch returns the stop switch of a queue's workers.
func NewStopSwitch(q *queues.Queue) *StopSwitch { return &StopSwitch{q} }

// stopKey exists while the switch is thrown.
const stopKey = "stop"

// startKey has the time of the last release.
const startKey = "started"

// Read reads the switch. A switch that cannot be read is an error and counts as
// thrown.
func (s *StopSwitch) Read(ctx context.Context) (Switch, error) {
	e, err := s.queue.Store().Rules.Find(ctx, stopKey)
	if err != nil {
		return Switch{Stopped: true}, fmt.Errorf("read the stop switch: %w", err)
	}
	if e == nil {
		return Switch{}, nil
	}
	var state Switch
	if json.Unmarshal(e.Value, &state) != nil {
		state = Switch{Reason: string(e.Value)} // written by hand: `nats kv put usher_rules stop 'incident 12'`
	}
	state.Stopped = true
	return state, nil
}

// Stopped reports whether the switch is thrown, and why. After an error the caller
// must take it for thrown.
func (s *StopSwitch) Stopped(ctx context.Context) (reason string, stopped bool, err error) {
	state, err := s.Read(ctx)
	return state.Reason, state.Stopped, err
}

// Stop throws the switch. Running jobs make no further call that changes a
// creative. by is the person who throws it, for the audit.
func (s *StopSwitch) Stop(ctx context.Context, reason, by string) error {
	now, act := s.queue.Now().UTC(), audit.Act{Actor: by, Reason: reason}.Masked()
	before, err := s.Read(ctx)
	if err != nil {
		return err
	}
	if err := s.queue.Store().Rules.Put(ctx, stopKey, Switch{Stopped: true, Reason: act.Reason, By: act.Actor, At: &now}); err != nil {
		return fmt.Errorf("throw the stop switch: %w", err)
	}
	return s.audit(ctx, usher.Audit{At: now, Actor: act.Actor, Reason: act.Reason, Before: before.word(), Wanted: "stopped", After: "stopped"})
}

// Started returns when the switch was released last; zero if it never was, or if the
// time cannot be read. Nothing that rules decided before is carried out.
func (s *StopSwitch) Started(ctx context.Context) (time.Time, error) {
	e, err := s.queue.Store().Rules.Find(ctx, startKey)
	if err != nil {
		return time.Time{}, fmt.Errorf("read when the stop switch was released: %w", err)
	}
	var state struct {
		At time.Time `json:"at"`
	}
	if e != nil && json.Unmarshal(e.Value, &state) != nil {
		state.At = time.Time{}
	}
	return state.At, nil
}

// Start releases the switch. It fires nothing: a job that found it thrown has ended, and
// what rules decided before is dropped.
func (s *StopSwitch) Start(ctx context.Context, by string) error {
	before, err := s.Read(ctx)
	if err != nil {
		return err
	}
	now, actor := s.queue.Now().UTC(), audit.Act{Actor: by}.Masked().Actor
	if before.Stopped {
		if err := s.queue.Store().Rules.Put(ctx, startKey, Switch{By: actor, At: &now}); err != nil {
			return fmt.Errorf("release the stop switch: %w", err)
		}
	}
	if err := s.queue.Store().Rules.Delete(ctx, stopKey); err != nil {
		return fmt.Errorf("release the stop switch: %w", err)
	}
	return s.audit(ctx, usher.Audit{At: now, Actor: actor, Before: before.word(), Wanted: "started", After: "started"})
}

func (s *StopSwitch) audit(ctx context.Context, a usher.Audit) error {
	if err := s.queue.Audit().Append(ctx, audit.Settings, a, ""); err != nil {
		return fmt.Errorf("the stop switch is set, but: %w", err)
	}
	return nil
}

func (s Switch) word() string {
	if s.Stopped {
		return "stopped"
	}
	return "started"
}
