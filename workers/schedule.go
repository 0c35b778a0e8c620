package workers

import (
	"context"
	"log/slog"
	"time"

	"usher"
	"usher/internal/rules"
)

// Ticks are what a schedule has done, fleet-wide.
type Ticks interface {
	// PublishTick publishes the job of a tick: one, however many workers do.
	PublishTick(ctx context.Context, file, rule string, at time.Time) error
	// LastTick is the last one that was evaluated; found is false of a rule
	// that is new.
	LastTick(ctx context.Context, file, rule string) (t usher.Tick, found bool, err error)
	// Ticked notes a tick; one without an evaluation is where a new rule begins.
	Ticked(ctx context.Context, t usher.Tick) error
	// ForgetEvaluations removes old ones.
	ForgetEvaluations(ctx context.Context) (int, error)
}

// Scheduler publishes the ticks of all rules. Every worker has one; a tick is a
// job whose id is made of file, rule and time, so that many make one run.
//
// A tick that nobody was there for is published by the first one that comes, if
// no later tick has come by then: the newest only. A rule that is new waits for
// its next tick.
type Scheduler struct {
	Rules  RuleSets
	Ticks  Ticks
	Logger *slog.Logger
	Now    func() time.Time // default time.Now

	last map[string]time.Time // by file and rule: the last tick that was published, or evaluated
}

const (
	// lookEvery bounds how long a look at the schedules is put off: clocks are
	// set, machines sleep, and rule files change.
	lookEvery = 30 * time.Second
	// forgetEvery is how often old evaluations are looked for.
	forgetEvery = time.Hour
)

// Run publishes ticks until ctx ends.
func (s *Scheduler) Run(ctx context.Context) {
	if s.Now == nil {
		s.Now = time.Now
	}
	s.last = map[string]time.Time{}
	forgot := s.Now()
	for ctx.Err() == nil {
		wait := s.look(ctx)
		if s.Now().Sub(forgot) > forgetEvery {
			forgot = s.Now()
			if _, err := s.Ticks.ForgetEvaluations(ctx); err != nil && ctx.Err() == nil {
				s.Logger.Warn("forgetting old evaluations, trying again in an hour", "error", err)
			}
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
		case <-timer.C:
		}
	}
}

// look publishes what is due and returns how long nothing else is.
func (s *Scheduler) look(ctx context.Context) time.Duration {
	now := s.Now()
	wait := lookEvery
	for _, set := range s.Rules.All() {
		for _, rule := range set.Rules {
			if rule.Schedule == nil {
				continue
			}
			if err := s.publish(ctx, set, rule, now); err != nil && ctx.Err() == nil {
				s.Logger.Warn("publishing a tick of a rule, trying again", "file", set.Name, "rule", rule.Name, "error", err)
				wait = min(wait, time.Second)
			}
			if next := rule.Schedule.Next(now); !next.IsZero() {
				wait = min(wait, next.Sub(now))
			}
		}
	}
	return max(wait, time.Millisecond)
}

// publish publishes the newest tick of a rule that nobody has yet.
func (s *Scheduler) publish(ctx context.Context, set *rules.Set, rule *rules.Rule, now time.Time) error {
	key := set.Key(rule.Name)
	last, known := s.last[key]
	if !known {
		tick, found, err := s.Ticks.LastTick(ctx, set.Name, rule.Name)
		if err != nil {
			return err
		}
		if !found {
			tick = usher.Tick{File: set.Name, Rule: rule.Name, At: now}
			if err := s.Ticks.Ticked(ctx, tick); err != nil {
				return err
			}
		}
		last = tick.At
		s.last[key] = last
	}
	due := newest(rule.Schedule, last, now)
	if due.IsZero() {
		return nil
	}
	if err := s.Ticks.PublishTick(ctx, set.Name, rule.Name, due); err != nil {
		return err
	}
	s.last[key] = due
	return nil
}

// newest is a schedule's last moment after one time and not after another; zero
// where there is none.
func newest(schedule *rules.Schedule, after, until time.Time) time.Time {
	// From ever further back, so that a rule of every minute is not followed
	// through a month in which nobody was there.
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
