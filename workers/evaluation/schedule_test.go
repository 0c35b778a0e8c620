package evaluation_test

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"usher"
	"usher/internal/rules"
	"usher/workers/evaluation"
	"usher/workers/internal/workertest"
)

// memoryTicks is evaluation.Ticks in memory. It publishes a tick once.
type memoryTicks struct {
	mu        sync.Mutex
	last      map[string]usher.Tick
	published []time.Time
	broken    error
}

func (l *memoryTicks) PublishTick(_ context.Context, file, rule string, at time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken == nil && !slices.ContainsFunc(l.published, at.Equal) {
		l.published = append(l.published, at.UTC())
		l.last[file+"/"+rule] = usher.Tick{File: file, Rule: rule, At: at, Evaluation: "e", Schedule: l.last[file+"/"+rule].Schedule}
	}
	return l.broken
}

func (l *memoryTicks) LastTick(_ context.Context, file, rule string) (usher.Tick, bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t, found := l.last[file+"/"+rule]
	return t, found, nil
}

func (l *memoryTicks) RecordTick(_ context.Context, t usher.Tick) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch v, found := l.last[t.File+"/"+t.Rule]; {
	case found && v.Schedule == "":
		v.Schedule = t.Schedule
		l.last[t.File+"/"+t.Rule] = v
	case !found || v.Schedule != t.Schedule:
		l.last[t.File+"/"+t.Rule] = t
	}
	return nil
}

func (l *memoryTicks) ForgetTicks(_ context.Context, file string, scheduled func(rule string) bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	maps.DeleteFunc(l.last, func(_ string, t usher.Tick) bool { return t.File == file && !scheduled(t.Rule) })
	return nil
}

// run runs the schedulers of n workers for some virtual time.
func (l *memoryTicks) run(t *testing.T, n int, schedule string, while time.Duration, begin time.Time) {
	t.Helper()
	l.runFiles(t, n, workertest.RuleSets{scheduled(t, schedule)}, while, begin)
}

// scheduled returns a file whose rule has a schedule, or none.
func scheduled(t *testing.T, schedule string) *rules.Set {
	t.Helper()
	if schedule == "" {
		return load(t, "budgets", budgets)
	}
	return load(t, "budgets", budgets+"    schedule: \""+schedule+"\"\n")
}

// runFiles is run with the given files.
func (l *memoryTicks) runFiles(t *testing.T, n int, files evaluation.RuleSets, while time.Duration, begin time.Time) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		offset := time.Until(begin) // the clock of a bubble starts in 2000
		ctx, stop := context.WithTimeout(t.Context(), while)
		defer stop()
		var running sync.WaitGroup
		for range n {
			s := &evaluation.Scheduler{Rules: files, Ticks: l, Logger: slog.New(slog.DiscardHandler), Now: func() time.Time { return time.Now().Add(offset) }}
			running.Go(func() { s.Run(ctx) })
		}
		running.Wait()
	})
}

func (l *memoryTicks) want(t *testing.T, times ...string) {
	t.Helper()
	var got []string
	for _, at := range l.published {
		got = append(got, at.Format(time.RFC3339))
	}
	if !slices.Equal(got, times) {
		t.Errorf("published %v, not %v", got, times)
	}
}

func at(t *testing.T, text string) time.Time {
	t.Helper()
	moment, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return moment
}

func TestScheduleOfManyWorkers(t *testing.T) {
	t.Parallel()
	l := &memoryTicks{last: map[string]usher.Tick{}}
	l.run(t, 3, "*/15 * * * *", time.Hour, at(t, "2026-11-21T10:01:00Z"))
	l.want(t, "2026-11-21T10:15:00Z", "2026-11-21T10:30:00Z", "2026-11-21T10:45:00Z", "2026-11-21T11:00:00Z")
}

// After a time without workers, the newest missed tick is published, once. A new
// rule waits for its first tick.
func TestScheduleAfterAPause(t *testing.T) {
	t.Parallel()
	l := &memoryTicks{last: map[string]usher.Tick{}}
	l.run(t, 1, "0 7 * * *", time.Minute, at(t, "2026-11-21T10:00:00Z"))
	l.want(t)
	l.run(t, 2, "0 7 * * *", time.Minute, at(t, "2026-11-25T09:00:00Z"))
	l.want(t, "2026-11-25T07:00:00Z")
	l.run(t, 1, "0 7 * * *", time.Minute, at(t, "2026-11-25T09:30:00Z"))
	l.want(t, "2026-11-25T07:00:00Z")
	l = &memoryTicks{last: map[string]usher.Tick{}}
	l.run(t, 1, "* * * * *", time.Second, at(t, "2026-11-25T09:30:10Z"))
	l.run(t, 1, "* * * * *", time.Second, at(t, "2027-11-25T09:30:10Z")) // a year of minutes
	l.want(t, "2027-11-25T09:30:00Z")
}

// eachDay are rule files of which each is in use for a day.
type eachDay struct {
	sets  []*rules.Set
	began time.Time
}

func (f *eachDay) All() []*rules.Set {
	if f.began.IsZero() {
		f.began = time.Now()
	}
	return f.sets[int(time.Since(f.began)/(24*time.Hour)):][:1]
}

// A rule that comes back after it was removed, or that has another schedule than before, waits for its
// next tick, whether one leader sees both or not. Of a schedule that has not changed, the newest missed
// tick is published, also if 1.0.0 has recorded the last one, without the schedule.
func TestScheduleBeginsAnew(t *testing.T) {
	t.Parallel()
	const friday, at7, at10 = "0 18 * * 5", "0 7 * * *", "0 10 * * *"
	begin := at(t, "2026-11-26T12:00:00Z") // a Thursday
	for name, c := range map[string]struct {
		recorded  string   // schedule of the tick before; "-": there is none
		schedules []string // each for a day
		want      []string
	}{
		"removed":  {friday + " Europe/London", []string{friday, "", friday, friday}, nil},
		"changed":  {at7 + " Europe/London", []string{at7, at10}, []string{"2026-11-26T07:00:00Z", "2026-11-27T07:00:00Z", "2026-11-28T10:00:00Z"}},
		"the same": {at7 + " Europe/London", []string{at7}, []string{"2026-11-26T07:00:00Z", "2026-11-27T07:00:00Z"}},
		"of 1.0.0": {"", []string{at7, at10}, []string{"2026-11-26T07:00:00Z", "2026-11-27T07:00:00Z", "2026-11-28T10:00:00Z"}},
		"new":      {"-", []string{"", friday}, []string{"2026-11-27T18:00:00Z"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, leaders := range []int{1, len(c.schedules)} {
				l := &memoryTicks{last: map[string]usher.Tick{}}
				if c.recorded != "-" {
					l.last["budgets/stop"] = usher.Tick{File: "budgets", Rule: "stop", At: at(t, "2026-11-25T18:00:00Z"), Evaluation: "e", Schedule: c.recorded}
				}
				files := &eachDay{}
				for _, schedule := range c.schedules {
					files.sets = append(files.sets, scheduled(t, schedule))
				}
				if leaders == 1 {
					l.runFiles(t, 1, files, time.Duration(len(c.schedules))*24*time.Hour-time.Minute, begin)
				} else {
					for i, set := range files.sets {
						l.runFiles(t, 1, workertest.RuleSets{set}, 24*time.Hour-time.Minute, begin.AddDate(0, 0, i))
					}
				}
				l.want(t, c.want...)
			}
		})
	}
}

// When the clocks in London change, no tick is published twice and none is missed.
func TestScheduleWhenClocksChange(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, schedule, begin string
		want                  []string
	}{
		{"forward, in the gap", "30 1 * * *", "2027-03-27T12:00:00Z", []string{"2027-03-28T01:00:00Z", "2027-03-29T00:30:00Z"}},
		{"forward, outside the gap", "0 7 * * *", "2027-03-27T12:00:00Z", []string{"2027-03-28T06:00:00Z", "2027-03-29T06:00:00Z"}},
		{"back, in the repeated hour", "30 1 * * *", "2027-10-30T12:00:00Z", []string{"2027-10-31T00:30:00Z", "2027-11-01T01:30:00Z"}},
		{"back, outside the repeated hour", "0 7 * * *", "2027-10-30T12:00:00Z", []string{"2027-10-31T07:00:00Z", "2027-11-01T07:00:00Z"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l := &memoryTicks{last: map[string]usher.Tick{}}
			l.run(t, 2, c.schedule, 48*time.Hour-time.Minute, at(t, c.begin))
			l.want(t, c.want...)
		})
	}
}

// An outage of NATS loses no tick.
func TestScheduleWithoutNATS(t *testing.T) {
	t.Parallel()
	l := &memoryTicks{last: map[string]usher.Tick{}, broken: errors.New("NATS is away")}
	l.run(t, 1, "0 * * * *", 2*time.Minute, at(t, "2026-11-21T10:59:00Z"))
	l.want(t)
	l.broken = nil
	l.run(t, 1, "0 * * * *", time.Minute, at(t, "2026-11-21T11:02:00Z"))
	l.want(t, "2026-11-21T11:00:00Z")
}
