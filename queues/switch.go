package queues

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"usher"
)

// Switch is the stop switch of campaign actions: while it is thrown, no job
// sets a creative's status, whoever asked for it.
type Switch struct {
	Stopped bool       `json:"stopped"`
	Reason  string     `json:"reason,omitempty"`
	By      string     `json:"by,omitempty"`
	At      *time.Time `json:"at,omitempty"` // since when; nil where the key was written by hand
}

// Switch reads the stop switch. One that cannot be read is an error, and
// counts as thrown.
func (q *Queue) Switch(ctx context.Context) (Switch, error) {
	e, err := q.rules.Find(ctx, stopKey)
	if err != nil {
		return Switch{Stopped: true}, fmt.Errorf("read the stop switch: %w", err)
	}
	if e == nil {
		return Switch{}, nil
	}
	var s Switch
	if json.Unmarshal(e.Value, &s) != nil {
		s = Switch{Reason: string(e.Value)} // written by hand: `nats kv put usher_rules stop 'incident 12'`
	}
	s.Stopped = true
	return s, nil
}

// Stopped reports whether the stop switch of campaign actions is thrown, and
// why. A switch that cannot be read is an error, and the caller must take it
// for thrown.
func (q *Queue) Stopped(ctx context.Context) (reason string, stopped bool, err error) {
	s, err := q.Switch(ctx)
	return s.Reason, s.Stopped, err
}

// Stop throws the stop switch: what is under way makes no further call that
// changes something. By is who wants it, for the audit.
func (q *Queue) Stop(ctx context.Context, reason, by string) error {
	now := q.now().UTC()
	was, err := q.Switch(ctx)
	if err != nil {
		return err
	}
	if err := q.rules.Put(ctx, stopKey, Switch{Stopped: true, Reason: reason, By: by, At: &now}); err != nil {
		return fmt.Errorf("throw the stop switch: %w", err)
	}
	return q.auditSetting(ctx, usher.Audit{At: now, Actor: by, Reason: reason, Before: was.word(), Wanted: "stopped", After: "stopped"})
}

// Start releases the stop switch: what waited for it goes on.
func (q *Queue) Start(ctx context.Context, by string) error {
	was, err := q.Switch(ctx)
	if err != nil {
		return err
	}
	if err := q.rules.Delete(ctx, stopKey); err != nil {
		return fmt.Errorf("release the stop switch: %w", err)
	}
	return q.auditSetting(ctx, usher.Audit{At: q.now().UTC(), Actor: by, Reason: was.Reason, Before: was.word(), Wanted: "started", After: "started"})
}

func (s Switch) word() string {
	if s.Stopped {
		return "stopped"
	}
	return "started"
}

// auditSetting records who changed a setting at run time.
func (q *Queue) auditSetting(ctx context.Context, a usher.Audit) error {
	if err := q.Audit().Append(ctx, AuditOfSettings, a, ""); err != nil {
		return fmt.Errorf("it is set, but: %w", err)
	}
	return nil
}
