package evaluation

import (
	"context"
	"log/slog"
	"strings"
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
	// RecordTick records a tick. A tick without an evaluation is the start of a schedule that
	// is new, or differs from the recorded one.
	RecordTick(ctx context.Context, t usher.Tick) error
	// ForgetTicks removes what is recorded of the rules of a file that have no schedule any more.
	ForgetTicks(ctx context.Context, file string, scheduled func(rule string) bool) error
}

// Scheduler publishes the ticks of all rules. The leader of the workers runs it. The id of a tick's
// job consists of file, rule and time, so that two leaders in succession make one run.
//
// If there was no leader at a tick, the next one publishes the newest missed tick, and only that.
// A new rule waits for its next tick, and so does one with another schedule than before, and one that was
// not in the file, or had no schedule, in between.
type Scheduler struct {
	Rules  RuleSets
	Ticks  Ticks
	Logger *slog.Logger
	Now    func() time.Time // default time.Now

	last  map[string]started // by file and rule
	swept map[string]string  // by file: the version whose rules without a schedule are forgotten
}

// started is the last tick that was published or evaluated, of this schedule.
type started struct {
	schedule string
	last     time.Time
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
	s.last, s.swept = map[string]started{}, map[string]string{}
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
		if err := s.forget(ctx, set); err != nil && ctx.Err() == nil {
			s.Logger.Warn("forgetting the ticks of rules without a schedule failed, trying again", "file", set.Name, "error", err)
			wait = min(wait, retryWait)
		}
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

// forget forgets the ticks of the rules of a file that have no schedule, once for each version of it.
func (s *Scheduler) forget(ctx context.Context, set *rules.Set) error {
	if s.swept[set.Name] == set.Version {
		return nil
	}
	isScheduled := func(name string) bool { rule := set.Find(name); return rule != nil && rule.Schedule != nil }
	for key := range s.last {
		if name, of := strings.CutPrefix(key, set.Key("")); of && !isScheduled(name) {
			delete(s.last, key)
		}
	}
	err := s.Ticks.ForgetTicks(ctx, set.Name, isScheduled)
	if err == nil {
		s.swept[set.Name] = set.Version
	}
	return err
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
	s.last[set.Key(rule.Name)] = started{scheduleText(set, rule), due}
	return nil
}

// scheduleText returns the schedule of a rule with its zone; "": it has none.
func scheduleText(set *rules.Set, rule *rules.Rule) string {
	if rule.Schedule == nil {
		return ""
	}
	return rule.Schedule.String() + " " + set.Zone.String()
}

// lastTick returns the last tick of a rule. A new schedule starts now.
func (s *Scheduler) lastTick(ctx context.Context, set *rules.Set, rule *rules.Rule, now time.Time) (time.Time, error) {
	key, schedule := set.Key(rule.Name), scheduleText(set, rule)
	if known := s.last[key]; known.schedule == schedule {
		return known.last, nil
	}
	tick, found, err := s.Ticks.LastTick(ctx, set.Name, rule.Name)
	if err == nil && (!found || tick.Schedule != schedule) {
		start := usher.Tick{File: set.Name, Rule: rule.Name, At: now, Schedule: schedule}
		if err = s.Ticks.RecordTick(ctx, start); err == nil {
			tick, _, err = s.Ticks.LastTick(ctx, set.Name, rule.Name)
		}
	}
	if err != nil {
		return time.Time{}, err
	}
	s.last[key] = started{schedule, tick.At}
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
