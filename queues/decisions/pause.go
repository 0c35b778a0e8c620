package decisions

import (
	"context"
	"errors"
	"fmt"

	"usher"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/store"
)

// ErrNotPaused means that a rule is not paused.
var ErrNotPaused = errors.New("it is not paused")

// RulePauses are the rules that people have paused. A paused rule takes no decisions.
type RulePauses struct{ queue *queues.Queue }

// NewRulePauses returns the paused rules of a queue's workers.
func NewRulePauses(q *queues.Queue) *RulePauses { return &RulePauses{q} }

func pauseKey(file, rule string) string {
	return "paused." + store.Token(file) + "." + store.Token(rule)
}

// Pause pauses a rule. If it is paused already, the new pause replaces the old one.
func (p *RulePauses) Pause(ctx context.Context, file, rule string, act audit.Act) error {
	act = act.Masked()
	pause := usher.RulePause{File: file, Rule: rule, By: act.Actor, Reason: act.Reason, At: p.queue.Now().UTC()}
	before := "running"
	err := store.Change(ctx, p.queue.Store().Rules, pauseKey(file, rule), func(v *usher.RulePause, found bool) bool {
		if before = "running"; found {
			before = v.String()
		}
		*v = pause
		return true
	})
	if err != nil {
		return fmt.Errorf("pause rule %s/%s: %w", file, rule, err)
	}
	return p.audit(ctx, &pause, act, before, "paused")
}

// Resume lets a paused rule decide again, from its next run. The error wraps ErrNotPaused if the
// rule is not paused.
func (p *RulePauses) Resume(ctx context.Context, file, rule string, act audit.Act) error {
	act = act.Masked()
	e, err := p.queue.Store().Rules.Find(ctx, pauseKey(file, rule))
	if err == nil && e == nil {
		err = ErrNotPaused
	}
	if err == nil {
		err = p.queue.Store().Rules.Delete(ctx, pauseKey(file, rule))
	}
	if err != nil {
		return fmt.Errorf("resume rule %s/%s: %w", file, rule, err)
	}
	return p.audit(ctx, &usher.RulePause{File: file, Rule: rule, At: p.queue.Now().UTC()}, act, "paused", "running")
}

func (p *RulePauses) audit(ctx context.Context, pause *usher.RulePause, act audit.Act, before, after string) error {
	what := "rule " + pause.File + "/" + pause.Rule + " "
	return p.queue.Audit().Changed(ctx, usher.Audit{
		At: pause.At, Actor: act.Actor, Reason: act.Reason, Rule: pause.Rule,
		Before: what + before, Wanted: what + after, After: what + after,
	})
}

// List returns the pauses by the rule's key, <file>/<rule>.
func (p *RulePauses) List(ctx context.Context) (map[string]usher.RulePause, error) {
	pauses := map[string]usher.RulePause{}
	err := store.EachValue(ctx, p.queue.Store().Rules, "paused.*.*", func(_ *store.Entry, pause *usher.RulePause) {
		pauses[pause.File+"/"+pause.Rule] = *pause
	})
	if err != nil {
		return nil, fmt.Errorf("read which rules are paused: %w", err)
	}
	return pauses, nil
}
