package campaign_test

import (
	"slices"
	"testing"

	"usher"
	"usher/internal/rtb"
	"usher/internal/sandbox"
	"usher/workers/workertest"
)

// ruled is a pause of SANDBOX1-spring by rules that saw its creatives as they
// are now.
func (b *bench) ruled(action usher.Action, creatives ...string) *workertest.Lease {
	b.T.Helper()
	s := pause(creatives...)
	s.Piece.Job.Evaluation, s.Piece.Job.Actor = "tick", "rules/budgets"
	if action == usher.Resume {
		s.Piece.Kind = usher.CampaignResume
	}
	for _, row := range b.Creatives("SANDBOX1-spring") {
		s.Decisions = append(s.Decisions, usher.Ruling{
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
	s := b.Run(b.ruled(usher.Pause, "spring-1", "spring-2"))
	s.Want(t, "done")
	b.WantCalls(t, posts, 1)
	if len(s.Audits) != 2 || len(s.Remembered) != 2 {
		t.Fatalf("audits %+v, remembered %+v", s.Audits, s.Remembered)
	}
	left := map[string]string{}
	for _, row := range b.Creatives("SANDBOX1-spring") {
		left[row.CreativeCode] = row.LatestUpdate
	}
	for _, a := range s.Audits {
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
				b.SetStatus("SANDBOX1-spring", "spring-1", rtb.Inactive)
				b.SetStatus("SANDBOX1-spring", "spring-2", rtb.Inactive)
			}
			s, saw := b.ruled(c.action), b.seen("spring-1")
			for b.seen("spring-1") == saw { // again where all fell into one millisecond of the platform's
				for _, status := range c.human {
					b.SetStatus("SANDBOX1-spring", "spring-1", status)
				}
			}
			before := len(b.Calls(posts))
			b.Run(s).Want(t, "done")
			b.WantCalls(t, posts, before+1)
			if got := b.Statuses("SANDBOX1-spring"); got["spring-1"] != c.before || got["spring-2"] == c.before {
				t.Errorf("statuses are %v", got)
			}
			if !s.HasWarning("changed_meanwhile") || len(s.Audits) != 1 || s.Audits[0].Creative != "spring-2" {
				t.Errorf("warnings %+v, audits %+v", s.Piece.Progress.Warnings, s.Audits)
			}
		})
	}
}

// A job that names an evaluation does what that has decided, and nothing else.
func TestRuleThatDecidedNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		alter func(*workertest.Lease)
		want  string
	}{
		{"no such evaluation", func(s *workertest.Lease) { s.Decisions = nil }, "failed invalid_job"},
		{"the other way", func(s *workertest.Lease) { s.Piece.Kind = usher.CampaignResume }, "failed invalid_job"},
		{"other creatives", func(s *workertest.Lease) { s.Piece.Job.Creatives = []string{"nobody"} }, "failed invalid_job"},
		{"held", func(s *workertest.Lease) { hold(s, usher.GuardCap) }, "failed invalid_job"},
		{"held and approved", func(s *workertest.Lease) { hold(s, usher.GuardCap); s.Approved = true }, "done"},
		{"held by what nobody approves", func(s *workertest.Lease) { hold(s, usher.GuardHandsOff); s.Approved = true }, "failed invalid_job"},
		{"a creative that is gone", func(s *workertest.Lease) {
			s.Decisions = slices.Insert(s.Decisions, 0, s.Decisions[0])
			s.Decisions[0].Creative = "spring-0"
		}, "done"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, sandbox.Options{})
			s := b.ruled(usher.Pause)
			c.alter(s)
			b.Run(s).Want(t, c.want)
			if want := map[bool]int{true: 1}[c.want == "done"]; len(b.Calls(posts)) != want {
				t.Errorf("it posts %v", b.Calls(posts))
			}
		})
	}
}

func hold(s *workertest.Lease, guard usher.Guard) {
	for i := range s.Decisions {
		s.Decisions[i].Action, s.Decisions[i].Wants, s.Decisions[i].Guard = usher.Held, usher.Pause, guard
	}
}
