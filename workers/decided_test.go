package workers_test

import (
	"slices"
	"testing"

	"usher"
	"usher/internal/rtb"
	"usher/internal/sandbox"
)

// ruled is a pause of SANDBOX1-spring by rules that saw its creatives as they
// are now.
func (b *bench) ruled(action usher.Action, creatives ...string) *slip {
	b.t.Helper()
	s := pause(creatives...)
	s.work.Job.Evaluation, s.work.Job.Actor = "tick", "rules/budgets"
	if action == usher.Resume {
		s.work.Kind = usher.CampaignResume
	}
	for _, row := range b.rows("SANDBOX1-spring") {
		s.decided = append(s.decided, usher.Ruling{
			Decision: usher.Decision{
				Campaign: "SANDBOX1-spring", Creative: row.CreativeCode, Rule: "stop", Action: action,
				Reason: "spent 12 of 10", Metrics: map[string]float64{"spent": 12},
				Values: []usher.Value{{Expression: "spent >= 10", Result: "true"}},
			},
			Seen: usher.Seen{Status: row.ApprovalStatus, LatestUpdate: row.LatestUpdate},
		})
	}
	return s
}

func TestPauseByARule(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	s := b.run(b.ruled(usher.Pause, "spring-1", "spring-2"))
	s.want(t, "done")
	b.wantCalls(t, posts, 1)
	if len(s.audits) != 2 || len(s.remembered) != 2 {
		t.Fatalf("audits %+v, remembered %+v", s.audits, s.remembered)
	}
	left := map[string]string{}
	for _, row := range b.rows("SANDBOX1-spring") {
		left[row.CreativeCode] = row.LatestUpdate
	}
	for _, a := range s.audits {
		if a.Rule != "stop" || a.Reason != "spent 12 of 10" || a.Metrics["spent"] != 12 || len(a.Values) != 1 ||
			a.Evaluation != "tick" || a.Actor != "rules/budgets" || a.LatestUpdate != left[a.Creative] || a.Before != rtb.Active || a.After != rtb.Inactive {
			t.Errorf("audit %+v", a)
		}
	}
}

// What somebody has touched after the rule saw it is left alone, even where he
// left it as it was.
func TestRuleMeetsSomebodyElse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		action usher.Action
		before string
		human  []string // sets spring-1 to, one after the other
	}{
		{"a resume of what was resumed and paused by hand", usher.Resume, rtb.Inactive, []string{rtb.Active, rtb.Inactive}},
		{"a pause of what was paused and resumed by hand", usher.Pause, rtb.Active, []string{rtb.Inactive, rtb.Active}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, sandbox.Options{})
			if c.before == rtb.Inactive {
				b.set("SANDBOX1-spring", "spring-1", rtb.Inactive)
				b.set("SANDBOX1-spring", "spring-2", rtb.Inactive)
			}
			s, saw := b.ruled(c.action), b.seen("spring-1")
			for b.seen("spring-1") == saw { // again where all fell into one millisecond of the platform's
				for _, status := range c.human {
					b.set("SANDBOX1-spring", "spring-1", status)
				}
			}
			before := len(b.calls(posts))
			b.run(s).want(t, "done")
			b.wantCalls(t, posts, before+1)
			if got := b.statuses("SANDBOX1-spring"); got["spring-1"] != c.before || got["spring-2"] == c.before {
				t.Errorf("statuses are %v", got)
			}
			if !s.warned("changed_meanwhile") || len(s.audits) != 1 || s.audits[0].Creative != "spring-2" {
				t.Errorf("warnings %+v, audits %+v", s.work.Progress.Warnings, s.audits)
			}
		})
	}
}

// A job that names an evaluation does what that has decided, and nothing else.
func TestRuleThatDecidedNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		alter func(*slip)
		want  string
	}{
		{"no such evaluation", func(s *slip) { s.decided = nil }, "failed invalid_job"},
		{"the other way", func(s *slip) { s.work.Kind = usher.CampaignResume }, "failed invalid_job"},
		{"other creatives", func(s *slip) { s.work.Job.Creatives = []string{"nobody"} }, "failed invalid_job"},
		{"held", func(s *slip) { hold(s, usher.GuardCap) }, "failed invalid_job"},
		{"held and approved", func(s *slip) { hold(s, usher.GuardCap); s.approved = true }, "done"},
		{"held by what nobody approves", func(s *slip) { hold(s, usher.GuardHandsOff); s.approved = true }, "failed invalid_job"},
		{"a creative that is gone", func(s *slip) {
			s.decided = slices.Insert(s.decided, 0, s.decided[0])
			s.decided[0].Creative = "spring-0"
		}, "done"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, sandbox.Options{})
			s := b.ruled(usher.Pause)
			c.alter(s)
			b.run(s).want(t, c.want)
			if want := map[bool]int{true: 1}[c.want == "done"]; len(b.calls(posts)) != want {
				t.Errorf("it posts %v", b.calls(posts))
			}
		})
	}
}

func hold(s *slip, guard usher.Guard) {
	for i := range s.decided {
		s.decided[i].Action, s.decided[i].Wants, s.decided[i].Guard = usher.Held, usher.Pause, guard
	}
}
