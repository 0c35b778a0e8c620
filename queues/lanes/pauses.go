package lanes

import (
	"context"
	"fmt"
	"time"

	"usher/queues/audit"
)

// Pause describes a paused lane: by whom, when and why.
type Pause struct {
	By     string    `json:"by"`
	Reason string    `json:"reason,omitempty"`
	At     time.Time `json:"at"`
}

// Valid reports whether usher can have written the pause.
func (p *Pause) Valid() bool { return !p.At.IsZero() }

// Why says that the lane is paused, by whom and why.
func (p *Pause) Why(lane Lane) string {
	why := fmt.Sprintf("lane %s is paused by %s", lane, p.By)
	if p.Reason != "" {
		why += ": " + p.Reason
	}
	return why
}

func key(l Lane) string { return "lanes." + string(l) }

// forever is the duration of a pause that ends only with Resume.
const forever = 100 * 365 * 24 * time.Hour

// Pause stops deliveries from a lane until Resume; running work continues. NATS
// pauses the consumer; a key keeps who paused it.
func (ls *Lanes) Pause(ctx context.Context, lane Lane, act audit.Act) error {
	act = act.Masked()
	if err := ls.store.Rules.Put(ctx, key(lane), Pause{By: act.Actor, Reason: act.Reason, At: ls.now().UTC()}); err != nil {
		return fmt.Errorf("pause lane %s: %w", lane, err)
	}
	stream, _ := lane.On(ls.store.Names)
	if _, err := ls.store.JS.PauseConsumer(ctx, stream, string(lane), ls.now().Add(forever)); err != nil {
		return fmt.Errorf("pause lane %s: %w", lane, err)
	}
	return ls.audit.Setting(ctx, ls.now(), "lane "+string(lane), "running", "paused", act)
}

// PauseAgain stops deliveries from a lane whose consumer was declared anew, if the lane was
// paused. It reports whether it was.
func (ls *Lanes) PauseAgain(ctx context.Context, lane Lane) (paused bool, err error) {
	p, err := ls.Paused(ctx, lane)
	if err != nil || p == nil {
		return false, err
	}
	stream, _ := lane.On(ls.store.Names)
	if _, err := ls.store.JS.PauseConsumer(ctx, stream, string(lane), ls.now().Add(forever)); err != nil {
		return false, fmt.Errorf("pause lane %s: %w", lane, err)
	}
	return true, nil
}

// Resume resumes a lane. A lane that is not paused stays as it is; the audit has the call.
func (ls *Lanes) Resume(ctx context.Context, lane Lane, act audit.Act) error {
	stream, _ := lane.On(ls.store.Names)
	if _, err := ls.store.JS.ResumeConsumer(ctx, stream, string(lane)); err != nil {
		return fmt.Errorf("resume lane %s: %w", lane, err)
	}
	if err := ls.store.Rules.Delete(ctx, key(lane)); err != nil {
		return fmt.Errorf("resume lane %s: %w", lane, err)
	}
	return ls.audit.Setting(ctx, ls.now(), "lane "+string(lane), "paused", "running", act)
}

// Paused returns who paused a lane, when and why, or nil.
func (ls *Lanes) Paused(ctx context.Context, lane Lane) (*Pause, error) {
	var p Pause
	_, found, err := ls.store.Rules.Get(ctx, key(lane), &p)
	if err != nil || !found {
		return nil, err
	}
	return &p, nil
}
