package campaign_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/internal/sandbox"
	"usher/workers/internal/workertest"
)

// byRule returns a job by which a rule pauses or resumes SANDBOX1-spring, with
// decisions about its creatives as they are now.
func (b *bench) byRule(action usher.Action, creatives ...string) *workertest.Lease {
	b.T.Helper()
	s := pause(creatives...)
	s.Piece.Job.Evaluation, s.Piece.Job.Actor = "tick", "rules/budgets"
	if action == usher.Resume {
		s.Piece.Kind = usher.CampaignResume
	}
	for _, row := range b.Creatives("SANDBOX1-spring") {
		s.Decisions = append(s.Decisions, usher.StoredDecision{
			Decision: usher.Decision{
				Campaign: "SANDBOX1-spring", Creative: row.CreativeCode, Rule: "stop", Action: action,
				Cause: usher.CauseCondition, Reason: "spent 12 of 10", Metrics: map[string]float64{"spent": 12},
				Values: []usher.Value{{Expression: "spent >= 10", Result: "true"}},
			},
			Seen: usher.CreativeState{Status: row.ApprovalStatus, LatestUpdate: row.LatestUpdate},
		})
	}
	return s
}

func TestPauseByARule(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	s := b.Run(b.byRule(usher.Pause, "spring-1", "spring-2"))
	s.Want(t, "done")
	b.WantCalls(t, posts, 1)
	if len(s.Audits) != 2 || len(s.Remembered) != 2 {
		t.Fatalf("audits %+v, remembered %+v", s.Audits, s.Remembered)
	}
	latestUpdate := map[string]string{}
	for _, row := range b.Creatives("SANDBOX1-spring") {
		latestUpdate[row.CreativeCode] = row.LatestUpdate
	}
	for _, a := range s.Audits {
		if a.Rule != "stop" || a.Reason != "spent 12 of 10" || a.Metrics["spent"] != 12 || len(a.Values) != 1 || a.Cause != usher.CauseCondition ||
			a.Evaluation != "tick" || a.Actor != "rules/budgets" || a.LatestUpdate != latestUpdate[a.Creative] || a.Before != rtb.Active || a.After != rtb.Inactive {
			t.Errorf("audit %+v", a)
		}
	}
}

// A pause by a rule whose decisions a read has missed is tried again: its evaluation was stored before it
// was published, so the read was old.
func TestDecisionsMissedByAnOldRead(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	s := b.byRule(usher.Pause, "spring-1")
	s.Missed = errors.New("another writer changed it in between")
	b.Run(s).Want(t, "retry, counted")
	b.WantCalls(t, posts, 0)
	s.Missed, s.Decisions = nil, nil
	b.Run(s).Want(t, "failed "+string(usher.InvalidJob))
}

// A creative that a person has changed since the decision is left as it is, even
// if the person has set it back to the same status.
func TestRuleLeavesChangedCreativesAlone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		action usher.Action
		before string
		person []string // the statuses that a person sets spring-1 to
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
			s, saw := b.byRule(c.action), b.seen("spring-1")
			for b.seen("spring-1") == saw { // again if all changes had the same time
				for _, status := range c.person {
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

// TestKeepActiveAfterAnotherRun checks that a rule pauses no creative that its keep_active holds by the
// statuses as they are when its job has the locks, and that the run says so.
func TestKeepActiveAfterAnotherRun(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		keep   map[string]int // by creative, of the rule that decided
		paused string         // by another run, after the decision
		want   []string       // the creatives that are paused then
	}{
		"nothing changed":          {map[string]int{"brand-1": 1, "brand-2": 1}, "", []string{"brand-1", "brand-2"}},
		"the last one":             {map[string]int{"brand-1": 1, "brand-2": 1}, "brand-3", []string{"brand-1", "brand-3"}},
		"without keep_active":      {map[string]int{"brand-1": 0, "brand-2": 0}, "brand-3", []string{"brand-1", "brand-2", "brand-3"}},
		"those without count":      {map[string]int{"brand-1": 1, "brand-2": 0}, "brand-3", []string{"brand-2", "brand-3"}},
		"the highest one is first": {map[string]int{"brand-1": 1, "brand-2": 2}, "", []string{"brand-1", "brand-2"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, sandbox.Options{})
			s := pause()
			s.Piece.Job.Campaign, s.Piece.Job.Evaluation, s.Piece.Job.Actor = "SANDBOX1-brand", "tick", "rules/budgets"
			for _, row := range b.Creatives("SANDBOX1-brand") {
				if keep, decided := c.keep[row.CreativeCode]; decided {
					s.Decisions = append(s.Decisions, usher.StoredDecision{
						Decision:   usher.Decision{Campaign: "SANDBOX1-brand", Creative: row.CreativeCode, Rule: "stop", Action: usher.Pause},
						Seen:       usher.CreativeState{Status: row.ApprovalStatus, LatestUpdate: row.LatestUpdate},
						KeepActive: keep,
					})
				}
			}
			if c.paused != "" {
				b.SetStatus("SANDBOX1-brand", c.paused, rtb.Inactive)
			}
			b.Run(s).Want(t, "done")
			var paused []string
			for code, status := range b.Statuses("SANDBOX1-brand") {
				if status == rtb.Inactive {
					paused = append(paused, code)
				}
			}
			slices.Sort(paused)
			left := 0
			for code := range c.keep {
				if !slices.Contains(c.want, code) {
					left++
				}
			}
			if !slices.Equal(paused, c.want) || len(s.RunWarnings) != left || s.HasWarning(usher.WarnKeepActive) != (left > 0) {
				t.Errorf("%v are paused, the run says %+v", paused, s.RunWarnings)
			}
		})
	}
}

// ruled returns what rules remember of a creative that a rule has paused.
func (b *bench) ruled(creative string) map[string][]usher.Change {
	b.T.Helper()
	seen := b.seen(creative)
	return map[string][]usher.Change{creative: {{
		At: time.Now(), Job: "tick.pause", Evaluation: "tick", File: "budgets", Rule: "stop", Pauses: true,
		Before: rtb.Active, After: seen.Status, LatestUpdate: seen.LatestUpdate,
	}}}
}

// A job that pauses what a rule has paused is on record, so that the rule does not resume it.
// A job of a rule, and one that pauses what nobody has paused before it, keep nothing.
func TestPauseOfWhatARulePaused(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.SetStatus("SANDBOX1-spring", "spring-1", rtb.Inactive)
	s := pause()
	s.ByCreative = b.ruled("spring-1")
	b.Run(s).Want(t, "done")
	if len(s.Audits) != 2 || len(s.Remembered) != 2 {
		t.Fatalf("audits %+v, remembered %+v", s.Audits, s.Remembered)
	}
	for _, a := range s.Audits {
		if a.Keeps != (a.Creative == "spring-1") || a.After != rtb.Inactive || a.Actor != "engine" {
			t.Errorf("audit %+v", a)
		}
	}
	again := pause()
	again.ByCreative = b.ruled("spring-1")
	again.ByCreative["spring-1"][0].Rule = "" // it is kept already
	if b.Run(again).Want(t, "done"); len(again.Audits) != 0 {
		t.Errorf("audits %+v", again.Audits)
	}
	touched := pause()
	touched.ByCreative = b.ruled("spring-1")
	touched.ByCreative["spring-1"][0].LatestUpdate = "earlier" // somebody else has changed it since
	if b.Run(touched).Want(t, "done"); len(touched.Audits) != 0 {
		t.Errorf("audits %+v", touched.Audits)
	}
}

// A rule does not resume what a job has paused, too, after the rule had decided.
func TestRuleLeavesKeptCreativesAlone(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	for _, creative := range []string{"spring-1", "spring-2"} {
		b.SetStatus("SANDBOX1-spring", creative, rtb.Inactive)
	}
	s := b.byRule(usher.Resume)
	s.ByCreative = b.ruled("spring-1")
	s.ByCreative["spring-1"] = append(s.ByCreative["spring-1"], usher.Change{At: time.Now(), Job: "by-hand", Before: rtb.Inactive, After: rtb.Inactive, Keeps: true})
	b.Run(s).Want(t, "done")
	if got := b.Statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Inactive || got["spring-2"] != rtb.Active || !s.HasWarning("changed_meanwhile") {
		t.Errorf("statuses are %v, warnings %+v", got, s.Piece.Progress.Warnings)
	}
}

// A job that names an evaluation carries out its decisions, and changes nothing else.
func TestEvaluationWithoutDecision(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		alter func(*workertest.Lease)
		want  string
	}{
		{"no such evaluation", func(s *workertest.Lease) { s.Decisions = nil }, "failed invalid_job"},
		{"the opposite", func(s *workertest.Lease) { s.Piece.Kind = usher.CampaignResume }, "failed invalid_job"},
		{"other creatives", func(s *workertest.Lease) { s.Piece.Job.Creatives = []string{"nobody"} }, "failed invalid_job"},
		{"held", func(s *workertest.Lease) { holdFor(s, usher.GuardCap) }, "failed invalid_job"},
		{"held and approved", func(s *workertest.Lease) { holdFor(s, usher.GuardCap); s.Approved = true }, "done"},
		{"held by a guard that cannot be approved", func(s *workertest.Lease) { holdFor(s, usher.GuardHandsOff); s.Approved = true }, "failed invalid_job"},
		{"a creative that no longer exists", func(s *workertest.Lease) {
			s.Decisions = slices.Insert(s.Decisions, 0, s.Decisions[0])
			s.Decisions[0].Creative = "spring-0"
		}, "done"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, sandbox.Options{})
			s := b.byRule(usher.Pause)
			c.alter(s)
			b.Run(s).Want(t, c.want)
			isGone, want := c.name == "a creative that no longer exists", map[bool]int{true: 1}[c.want == "done"]
			if isGone {
				want = 2 // the answer may lack a creative, which a POST for the campaign would change as well
			}
			if len(b.Calls(posts)) != want {
				t.Errorf("it posts %v", b.Calls(posts))
			}
			if s.HasWarning(usher.WarnChangedMeanwhile) != isGone {
				t.Errorf("warnings are %+v", s.Piece.Progress.Warnings)
			}
		})
	}
}

func holdFor(s *workertest.Lease, guard usher.Guard) {
	for i := range s.Decisions {
		s.Decisions[i].Action, s.Decisions[i].Wants, s.Decisions[i].Guard = usher.Held, usher.Pause, guard
	}
}

// A decision is dropped if its rule file was changed before the job ran.
func TestRuleChangedAfterDecision(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, version string
		known         bool
		posts         int
	}{{"the same version", "one", true, 1}, {"another version", "two", true, 0}, {"the file is gone", "", true, 0}, {"a worker without files", "", false, 1}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, sandbox.Options{})
			b.Campaign.RuleVersion = func(string) (string, bool) { return c.version, c.known }
			s := b.byRule(usher.Pause)
			s.Version = "one"
			b.Run(s).Want(t, "done")
			b.WantCalls(t, posts, c.posts)
			if s.HasWarning("rule_changed") != (c.posts == 0) {
				t.Errorf("warnings are %+v", s.Piece.Progress.Warnings)
			}
		})
	}
}

// A decision that is older than the release of the stop switch is dropped, unless a person
// approved it after the release. What a person approved or rejected of the other decisions of its run counts
// for those only.
func TestDecisionsBeforeReleaseOfStopSwitch(t *testing.T) {
	t.Parallel()
	started := time.Date(2026, 5, 20, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name           string
		decided, judge time.Duration // after the release; 0: nobody judged the run
		held           bool
		posts          int
	}{
		{"decided before", -time.Minute, 0, false, 0},
		{"decided after", time.Minute, 0, false, 1},
		{"approved after", -time.Minute, time.Minute, true, 1},
		{"approved before", -time.Hour, -time.Minute, true, 0},
		{"others approved after", -time.Minute, time.Minute, false, 0},
		{"decided after, others approved", time.Minute, time.Hour, false, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, sandbox.Options{})
			b.Campaign.Released = func(context.Context) (time.Time, error) { return started, nil }
			s := b.byRule(usher.Pause)
			s.DecidedAt = started.Add(c.decided)
			if c.judge != 0 {
				s.JudgedAt, s.Approved = new(started.Add(c.judge)), true
			}
			if c.held {
				holdFor(s, usher.GuardCap)
			}
			b.Run(s).Want(t, "done")
			b.WantCalls(t, posts, c.posts)
			if s.HasWarning("stopped") != (c.posts == 0) {
				t.Errorf("warnings are %+v", s.Piece.Progress.Warnings)
			}
		})
	}
}

// A rule's decision about what a person keeps rules from is not carried out; a person's job is.
func TestKeptFromRules(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		byRule bool
		paused string
	}{{"a rule's job", true, rtb.Active}, {"a person's job", false, rtb.Inactive}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, sandbox.Options{})
			b.Campaign.Kept = func(context.Context) (map[string]usher.Setting, error) {
				return map[string]usher.Setting{"spring-1": {Kind: usher.RuleKeep, Name: "spring-1", By: "ada"}}, nil
			}
			s := pause("spring-1", "spring-2")
			if c.byRule {
				s = b.byRule(usher.Pause, "spring-1", "spring-2")
			}
			b.Run(s).Want(t, "done")
			if got := b.Statuses("SANDBOX1-spring"); got["spring-1"] != c.paused || got["spring-2"] != rtb.Inactive || s.HasWarning("kept") != c.byRule {
				t.Errorf("statuses are %v, warnings %+v", got, s.Piece.Progress.Warnings)
			}
		})
	}
}

// A rule's job that has begun, and finds on a redelivery that what it has not yet changed may not be changed
// any more, drops that, and records what it has changed.
func TestIntentThatMayNotGoOn(t *testing.T) {
	t.Parallel()
	released := time.Date(2026, 5, 20, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name  string
		alter func(*bench, *workertest.Lease)
		code  usher.WarningCode // "": it goes on
	}{
		{"nothing was changed", func(*bench, *workertest.Lease) {}, ""},
		{"the switch was released before the decision", func(_ *bench, s *workertest.Lease) { s.DecidedAt = released.Add(time.Second) }, ""},
		{"the switch was released after it", func(_ *bench, s *workertest.Lease) { s.DecidedAt = released.Add(-time.Second) }, usher.WarnStopped},
		{"the rule file was changed", func(_ *bench, s *workertest.Lease) { s.Version = "one" }, usher.WarnRuleChanged},
		{"a person keeps it", func(b *bench, _ *workertest.Lease) { b.keep("spring-2") }, usher.WarnKept},
		{"a person keeps what was changed", func(b *bench, _ *workertest.Lease) { b.keep("spring-1") }, ""},
		{"an undo of what is kept", func(b *bench, s *workertest.Lease) { b.keep("spring-2"); s.UndoOf = "earlier" }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, sandbox.Options{})
			b.Campaign.Released = func(context.Context) (time.Time, error) { return released, nil }
			b.Campaign.RuleVersion = func(string) (string, bool) { return "two", true }
			s := b.byRule(usher.Pause)
			s.Version, s.DecidedAt = "two", released.Add(time.Hour)
			s.Piece.Progress.Intent = intended(rtb.Active, "spring-1", "spring-2").Piece.Progress.Intent
			b.SetStatus("SANDBOX1-spring", "spring-1", rtb.Inactive)
			before := len(b.Calls(posts))
			c.alter(b, s)
			b.Run(s).Want(t, "done")
			audits, want := 1, rtb.Active
			if c.code == "" {
				audits, want = 2, rtb.Inactive
			}
			if got := b.Statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Inactive || got["spring-2"] != want || len(b.Calls(posts)) != before+audits-1 {
				t.Errorf("statuses are %v, calls %v", got, b.Calls(posts))
			}
			if len(s.Audits) != audits || len(s.Remembered) != audits || s.Audits[0].Creative != "spring-1" {
				t.Errorf("audits %+v", s.Audits)
			}
			if w := s.Piece.Progress.Warnings; c.code == "" && len(w) > 0 || c.code != "" && (len(w) != 1 || w[0].Code != c.code) {
				t.Errorf("warnings %+v", w)
			}
		})
	}
}

// What a POST whose response was lost may still change is not dropped before the POST cannot arrive any more,
// so that it is recorded if it does.
func TestLostIntentThatMayNotGoOn(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	now := time.Now()
	b.Worker.Now = func() time.Time { return now }
	s := b.byRule(usher.Pause, "spring-1", "spring-2")
	s.Piece.Progress.Intent = intended(rtb.Active, "spring-1", "spring-2").Piece.Progress.Intent
	s.Piece.Progress.Intent.Lost = now.Add(-time.Second)
	b.keep("spring-1", "spring-2")
	b.Run(s).Want(t, "retry")
	b.SetStatus("SANDBOX1-spring", "spring-1", rtb.Inactive) // it arrives for one of them
	before := len(b.Calls(posts))
	now = now.Add(10 * time.Second)
	b.Run(s).Want(t, "done")
	b.WantCalls(t, posts, before)
	if len(s.Audits) != 1 || s.Audits[0].Creative != "spring-1" || !s.HasWarning(usher.WarnKept) {
		t.Errorf("audits %+v, warnings %+v", s.Audits, s.Piece.Progress.Warnings)
	}
}

// keep keeps rules from creatives.
func (b *bench) keep(creatives ...string) {
	b.Campaign.Kept = func(context.Context) (map[string]usher.Setting, error) {
		kept := map[string]usher.Setting{}
		for _, code := range creatives {
			kept[code] = usher.Setting{Kind: usher.RuleKeep, Name: code, By: "ada"}
		}
		return kept, nil
	}
}

// What a rule pauses again although somebody has resumed it on the platform is in the audit, if it was
// carried out; what a job has resumed is not, and what was resumed long ago.
func TestRuleTakesBack(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		alter func(*bench, *workertest.Lease)
		want  string
	}{
		{"a person resumed it", func(*bench, *workertest.Lease) {}, "INACTIVE → ACTIVE"},
		{"a job resumed it", func(b *bench, s *workertest.Lease) {
			s.Piece.Order = 5
			s.Newest = map[string]usher.CreativeEntry{"spring-1": {Order: 1, Wanted: rtb.Active, Job: "by-hand", ChangedOrder: 1, Left: b.seen("spring-1")}}
		}, ""},
		{"no rule had paused it", func(_ *bench, s *workertest.Lease) { s.ByCreative = nil }, ""},
		{"an undo resumed it", func(_ *bench, s *workertest.Lease) {
			s.ByCreative["spring-1"] = append(s.ByCreative["spring-1"], usher.Change{Evaluation: "undo", Before: rtb.Inactive, After: rtb.Active})
		}, ""},
		{"the stop switch is on", func(b *bench, _ *workertest.Lease) {
			b.Campaign.Stopped = func(context.Context) (string, bool, error) { return "incident 12", true, nil }
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, sandbox.Options{})
			b.SetStatus("SANDBOX1-spring", "spring-1", rtb.Inactive)
			before := b.ruled("spring-1")
			b.SetStatus("SANDBOX1-spring", "spring-1", rtb.Active)
			s := b.byRule(usher.Pause, "spring-1")
			s.ByCreative = before
			c.alter(b, s)
			b.Run(s).Want(t, "done")
			got := ""
			for _, a := range s.Audits {
				got += a.TakesBack
			}
			if got != c.want {
				t.Errorf("audits are %+v", s.Audits)
			}
		})
	}
}

// An undo keeps rules from what it takes back, and not from what somebody has changed since. Whom
// somebody else keeps stays kept.
func TestUndoKeepsOnlyWhatItTakesBack(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, status, reason string
		withdrawn            bool
	}{
		{"nobody has changed it", "", "spent 12 of 10", false},
		{"a person has resumed it", rtb.Active, "spent 12 of 10", true},
		{"a person has paused it again", rtb.Inactive, "spent 12 of 10", true},
		{"and somebody keeps it", rtb.Active, "on television tonight", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, sandbox.Options{})
			b.SetStatus("SANDBOX1-spring", "spring-1", rtb.Inactive)
			s := b.byRule(usher.Resume, "spring-1")
			s.UndoOf = "tick"
			b.Campaign.Kept = func(context.Context) (map[string]usher.Setting, error) {
				return map[string]usher.Setting{"spring-1": {Kind: usher.RuleKeep, Name: "spring-1", By: "ada", Reason: c.reason}}, nil
			}
			var withdrawn []string
			b.Campaign.Withdraw = func(_ context.Context, kept *usher.Setting, _ string) error {
				withdrawn = append(withdrawn, kept.Name)
				return nil
			}
			for saw := b.seen("spring-1"); c.status != "" && b.seen("spring-1") == saw; { // again if all changes had the same time
				b.SetStatus("SANDBOX1-spring", "spring-1", rtb.Active)
				b.SetStatus("SANDBOX1-spring", "spring-1", c.status)
			}
			b.Run(s).Want(t, "done")
			if got := b.Statuses("SANDBOX1-spring")["spring-1"]; got != cmp.Or(c.status, rtb.Active) || slices.Contains(withdrawn, "spring-1") != c.withdrawn {
				t.Errorf("it is %s; withdrawn are %v", got, withdrawn)
			}
		})
	}
}

// A rule's job that finds the stop switch on says so in the run as well.
func TestStoppedJobWarnsItsRun(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	b.Campaign.Stopped = func(context.Context) (string, bool, error) { return "incident 12", true, nil }
	s := b.byRule(usher.Pause, "spring-1")
	b.Run(s).Want(t, "done")
	if len(s.RunWarnings) != 1 || s.RunWarnings[0].Code != usher.WarnStopped {
		t.Errorf("the run has %+v", s.RunWarnings)
	}
	b.WantCalls(t, posts, 0)
}

// TestApprovedJobWithoutNames has a person approve so many pauses that their job names no creatives: it carries out
// these, and not what an earlier job of the run has not changed because the stop switch was on.
func TestApprovedJobWithoutNames(t *testing.T) {
	t.Parallel()
	for name, heldFirst := range map[string]bool{"held ones first": true, "held ones last": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testApprovedJobWithoutNames(t, heldFirst)
		})
	}
}

func testApprovedJobWithoutNames(t *testing.T, heldFirst bool) {
	t.Helper()
	q := workertest.NewRuleQueue(t)
	seen := map[string]usher.CreativeState{}
	for _, row := range q.Creatives(spring) {
		seen[row.CreativeCode] = usher.CreativeState{Status: row.ApprovalStatus, LatestUpdate: row.LatestUpdate}
	}
	decided := func(creative string, action usher.Action) usher.StoredDecision {
		return usher.StoredDecision{Seen: seen[creative], Decision: usher.Decision{Campaign: spring, Creative: creative, Rule: "stop", Action: action}}
	}
	all := []usher.StoredDecision{decided("spring-2", usher.Held)}
	for n := range 1000 {
		all = append(all, decided(fmt.Sprintf("a-%04d", n), usher.Held))
	}
	for i := range all {
		all[i].Wants, all[i].Guard = usher.Pause, usher.GuardApproval
	}
	at := 0
	if heldFirst {
		at = len(all)
	}
	all = slices.Insert(all, at, decided("spring-1", usher.Pause))

	on, released := true, time.Time{}
	q.Campaign.Stopped = func(context.Context) (string, bool, error) { return "audit", on, nil }
	q.Campaign.Released = func(context.Context) (time.Time, error) { return released, nil }
	e, err := q.Decisions.StoreAndEnact(t.Context(), usher.Evaluation{ID: "tick", File: "budgets", Account: "SANDBOX1", At: time.Now().Add(-time.Hour), State: usher.EvaluationHeld}, all)
	if err != nil || len(e.Jobs) != 1 {
		t.Fatalf("the run is %+v, %v", e, err)
	}
	_, stop := q.Start()
	q.Done(e.Jobs...)
	stop()
	on, released = false, time.Now().Add(-time.Minute)
	if e, err = q.Decisions.Interventions().Approve(t.Context(), "tick", "ann", "", nil); err != nil || len(e.Jobs) != 2 {
		t.Fatalf("the approved run is %+v, %v", e, err)
	}
	q.Start()
	q.Done(e.Jobs...)
	if got := q.Statuses(spring); got["spring-1"] != rtb.Active || got["spring-2"] != rtb.Inactive {
		t.Errorf("statuses are %v", got)
	}
}
