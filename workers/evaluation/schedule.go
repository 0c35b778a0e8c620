package evaluation

import (
	"context"
	"log/slog"
	"time"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/calendar"
)

// Ticks keeps the schedules of rules.
type Ticks interface {
	// PublishTick publishes the job of a tick. It runs once, however often it is published.
	PublishTick(ctx context.Context, file, rule string, at time.Time) error
	// LastTick returns the last tick that was recorded. A new rule has none.
	LastTick(ctx context.Context, file, rule string) (t usher.Tick, found bool, err error)
	// RecordTick records a tick. A tick without an evaluation is the start of a new
	// rule.
	RecordTick(ctx context.Context, t usher.Tick) error
}

// Scheduler publishes the ticks of all rules. The leader of the workers runs it. The id of a tick's
// job consists of file, rule and time, so that two leaders in succession make one run.
//
// If there was no leader at a tick, the next one publishes the newest missed tick, and only that.
// A new rule waits for its next tick.
type Scheduler struct {
	Rules  RuleSets
	Ticks  Ticks
	Logger *slog.Logger
	Now    func() time.Time // default time.Now

	last map[string]time.Time // by file and rule: the last tick that was published or evaluated
}

const (
	// maxWait is the longest time between two checks of the schedules. It is short,
	// because clocks are set, machines sleep, and rule files change.
	maxWait = 30 * time.Second
	// retryWait is the time until a tick that could not be published is retried.
	retryWait = time.Second
)

// Run publishes ticks until ctx ends.
func (s *Scheduler) Run(ctx context.Context) {
	if s.Now == nil {
		s.Now = time.Now
	}
	s.last = map[string]time.Time{}
	for ctx.Err() == nil {
		_ = usher.Sleep(ctx, s.publishDue(ctx)) // the loop sees the end of ctx
	}
}

// publishDue publishes the ticks that are due and returns the time until the
// next one.
func (s *Scheduler) publishDue(ctx context.Context) time.Duration {
	now := s.Now()
	wait := maxWait
	for _, set := range s.Rules.All() {
		for _, rule := range set.Rules {
			if rule.Schedule == nil {
				continue
			}
			if err := s.publish(ctx, set, rule, now); err != nil && ctx.Err() == nil {
				s.Logger.Warn("publishing a tick of a rule failed, trying again", "file", set.Name, "rule", rule.Name, "error", err)
				wait = min(wait, retryWait)
			}
			if next := rule.Schedule.Next(now); !next.IsZero() {
				wait = min(wait, next.Sub(now))
			}
		}
	}
	return max(wait, time.Millisecond)
}

// publish publishes the newest tick of a rule unless it was published before.
func (s *Scheduler) publish(ctx context.Context, set *rules.Set, rule *rules.Rule, now time.Time) error {
	last, err := s.lastTick(ctx, set, rule, now)
	if err != nil {
		return err
	}
	due := newestTick(rule.Schedule, last, now)
	if due.IsZero() {
		return nil
	}
	if err := s.Ticks.PublishTick(ctx, set.Name, rule.Name, due); err != nil {
		return err
	}
	s.last[set.Key(rule.Name)] = due
	return nil
}

// lastTick returns the last tick of a rule. The schedule of a new rule starts
// now.
func (s *Scheduler) lastTick(ctx context.Context, set *rules.Set, rule *rules.Rule, now time.Time) (time.Time, error) {
	key := set.Key(rule.Name)
	if last, known := s.last[key]; known {
		return last, nil
	}
	tick, found, err := s.Ticks.LastTick(ctx, set.Name, rule.Name)
	if err != nil {
		return time.Time{}, err
	}
	if !found {
		tick = usher.Tick{File: set.Name, Rule: rule.Name, At: now}
		if err := s.Ticks.RecordTick(ctx, tick); err != nil {
			return time.Time{}, err
		}
	}
	s.last[key] = tick.At
	return tick.At, nil
}

// newestTick returns the last time of a schedule that is after one time and not after
// another, or the zero time.
func newestTick(schedule *calendar.Schedule, after, until time.Time) time.Time {
	// Start close to until: if no worker ran for a month, a schedule of every minute
	// would otherwise take 43,200 steps.
	for _, back := range []time.Duration{time.Hour, 24 * time.Hour, 32 * 24 * time.Hour} {
		if from := until.Add(-back); from.After(after) {
			if first := schedule.Next(from); !first.IsZero() && !first.After(until) {
				after = from
				break
			}
		}
	}
	var last time.Time
	for {
		next := schedule.Next(after)
		if next.IsZero() || next.After(until) {
			return last
		}
		last, after = next, next
	}
}
