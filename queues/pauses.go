package queues

import (
	"context"
	"fmt"
	"time"

	"usher"
)

// Pause describes a paused lane: by whom, when and why.
type Pause struct {
	By     string    `json:"by"`
	Reason string    `json:"reason,omitempty"`
	At     time.Time `json:"at"`
}

// Valid reports whether the pause is one that usher writes.
func (p *Pause) Valid() bool { return !p.At.IsZero() }

func (p *Pause) why(lane Lane) string {
	why := fmt.Sprintf("lane %s is paused by %s", lane, p.By)
	if p.Reason != "" {
		why += ": " + p.Reason
	}
	return why
}

// forever is the duration of a pause that ends only with ResumeLane.
const forever = 100 * 365 * 24 * time.Hour

// PauseLane stops deliveries from a lane until ResumeLane; running work continues. NATS
// pauses the consumer; a key keeps who paused it.
func (q *Queue) PauseLane(ctx context.Context, lane Lane, act Act) error {
	act = act.Masked()
	if err := q.rules.Put(ctx, laneKey(lane), Pause{By: act.Actor, Reason: act.Reason, At: q.now().UTC()}); err != nil {
		return fmt.Errorf("pause lane %s: %w", lane, err)
	}
	stream, _ := laneOn(q.names, lane)
	if _, err := q.js.PauseConsumer(ctx, stream, string(lane), q.now().Add(forever)); err != nil {
		return fmt.Errorf("pause lane %s: %w", lane, err)
	}
	return q.auditSet(ctx, "lane "+string(lane), "running", "paused", act)
}

// ResumeLane resumes a lane. It does nothing if the lane is not paused.
func (q *Queue) ResumeLane(ctx context.Context, lane Lane, act Act) error {
	stream, _ := laneOn(q.names, lane)
	if _, err := q.js.ResumeConsumer(ctx, stream, string(lane)); err != nil {
		return fmt.Errorf("resume lane %s: %w", lane, err)
	}
	if err := q.rules.Delete(ctx, laneKey(lane)); err != nil {
		return fmt.Errorf("resume lane %s: %w", lane, err)
	}
	return q.auditSet(ctx, "lane "+string(lane), "paused", "running", act.Masked())
}

// auditSet audits a setting that was changed at run time.
func (q *Queue) auditSet(ctx context.Context, what, before, after string, act Act) error {
	return q.auditSetting(ctx, usher.Audit{
		At: q.now().UTC(), Actor: act.Actor, Reason: act.Reason,
		Before: what + " " + before, Wanted: what + " " + after, After: what + " " + after,
	})
}

// paused returns who paused a lane, when and why, or nil.
func (q *Queue) paused(ctx context.Context, lane Lane) (*Pause, error) {
	var p Pause
	_, found, err := q.rules.Get(ctx, laneKey(lane), &p)
	if err != nil || !found {
		return nil, err
	}
	return &p, nil
}
