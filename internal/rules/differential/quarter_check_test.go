package differential_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
)

// step is what happened at one time of a quarter.
type step struct {
	*quarter
	at      time.Time
	owners  map[string]string // of creatives, before the step
	since   int               // the number of changes before the step
	last    map[string]*act   // the last changes of creatives, of those that rules made
	before  map[string]string // statuses of creatives before these
	reports []stepReport
}

// stepReport is a run of a step.
type stepReport struct {
	runReport
	id       string
	file     *file
	approved bool
	edited   bool // the file was, before the approval
}

// judge approves or rejects a held run, or leaves it. Some files are edited before.
func (s *step) judge(report *stepReport) {
	switch s.IntN(4) {
	case 0:
		s.must("rules", "reject", report.id)
	case 1:
		n := slices.IndexFunc(s.files, func(f *file) bool { return f.name == report.file.name })
		if f := s.valid(report.file.name); f != nil {
			s.files[n] = f
			s.edits++
			report.edited = true
		}
		fallthrough
	case 2:
		s.must("rules", "approve", report.id, "--yes")
		s.runsApproved++
		report.approved = !report.edited
		report.runReport = s.ended(report.id)
	}
}

// act is a change that a run decided.
type act struct {
	*printed
	*stepReport
	action string
}

// acts returns the changes that the runs of the step decided.
func (s *step) acts() []*act {
	var list []*act
	for n := range s.reports {
		r := &s.reports[n]
		for k := range r.Decisions {
			d := &r.Decisions[k]
			switch {
			case d.Action == "pause" || d.Action == "resume":
				list = append(list, &act{d, r, d.Action})
			case r.approved && d.Action == "held" && (d.Guard == "cap" || d.Guard == "approval"):
				list = append(list, &act{d, r, d.Wants})
			}
		}
	}
	return list
}

// check fails the test unless each change on the platform was decided by a run of the step,
// each decision was right by the evaluator and within its limits, and each was carried out
// or has a reason why not.
func (s *step) check() {
	s.state.at, s.state.day = s.at, s.day
	acts := s.acts()
	for _, a := range acts {
		s.checkDecision(a)
	}
	s.checkCaps()
	made := map[*act]bool{}
	for _, change := range s.platform.changes(s.since) {
		if change.byPerson {
			s.state.status[change.creative] = change.status
			delete(s.state.owner, change.creative)
			delete(s.last, change.creative)
			continue
		}
		a := s.decided(change, acts)
		if a == nil || made[a] {
			s.t.Errorf("at %s, %s was set %s, and no run decided it", s.at, change.creative, change.status)
			continue
		}
		made[a] = true
		s.last[a.Creative], s.before[a.Creative] = a, change.before
		s.record(a)
	}
	for _, a := range acts {
		another := slices.ContainsFunc(acts, func(other *act) bool { return made[other] && other.Creative == a.Creative && other.action == a.action })
		if !another && !s.touched[a.Creative] && !s.hasReason(a) {
			s.t.Errorf("%s decided to %s %s, which did not happen: %+v", a.id, a.action, a.Creative, a.Jobs)
		}
	}
	for creative, status := range s.state.status {
		if now := s.platform.statusOf(creative); now != status {
			s.t.Errorf("at %s, %s is %s, not %s", s.at, creative, now, status)
			s.state.status[creative] = now
		}
	}
}

// decided returns the act that made a change. Several runs may have decided the same: then
// the history of the creative names the one that was first.
func (s *step) decided(change statusChange, acts []*act) *act {
	var list []*act
	for _, a := range acts {
		if a.Creative == change.creative && map[string]string{"pause": "INACTIVE", "resume": "ACTIVE"}[a.action] == change.status {
			list = append(list, a)
		}
	}
	if len(list) < 2 {
		return append(list, nil)[0]
	}
	var story struct{ Changes []struct{ Evaluation string } }
	if stderr, ok := s.run(&story, "rules", "why", change.creative, "--json"); !ok {
		s.t.Fatalf("why %s: %s", change.creative, stderr)
	}
	for _, c := range slices.Backward(story.Changes) {
		if n := slices.IndexFunc(list, func(a *act) bool { return a.id == c.Evaluation }); n >= 0 {
			return list[n]
		}
	}
	return nil
}

// record records a change that a run made.
func (s *step) record(a *act) {
	s.changes++
	key := a.file.name + "/" + a.Rule
	if a.action == "pause" {
		s.state.status[a.Creative], s.state.owner[a.Creative] = "INACTIVE", key
	} else {
		s.resumes++
		s.state.status[a.Creative] = "ACTIVE"
		delete(s.state.owner, a.Creative)
	}
	s.state.changed[key+" "+a.Creative] = s.at
	s.state.flips[s.state.flipKey(key, a.Creative)]++
}

// hasReason reports whether the job of a decision says why it changed less than it was to.
func (s *step) hasReason(a *act) bool {
	return slices.ContainsFunc(a.Jobs, func(j job) bool {
		return strings.Contains(j.ID, "."+a.Campaign+".") && len(j.Warnings) > 0
	})
}

// checkDecision checks a decision by itself.
func (s *step) checkDecision(a *act) {
	wrong := func(format string, args ...any) {
		s.t.Errorf("%s at %s, %s %s by %s: %s\n%s\n%+v", a.id, s.at, a.action, a.Creative, a.Rule, fmt.Sprintf(format, args...), a.file, *a.printed)
	}
	r := *s.state
	r.file = a.file
	by := a.file.rules[slices.IndexFunc(a.file.rules, func(by *rule) bool { return by.name == a.Rule })]
	if !r.has(by, a.Campaign, a.Creative) {
		wrong("it is not in scope")
		return
	}
	if vote := r.vote(by, a.Campaign, a.Creative); vote != a.action {
		wrong("the figures say %q", vote)
	}
	if !by.enabled() || by.mode == "approve" && a.Action != "held" {
		wrong("its mode is %s", by.mode)
	}
	isTouched := s.touched[a.Creative]
	if r.undone[a.Creative] && !isTouched {
		wrong("it was undone")
	}
	if a.action == "resume" && s.owners[a.Creative] != by.key() {
		wrong("%q paused it", s.owners[a.Creative])
	}
	last, known := r.changed[by.key()+" "+a.Creative]
	if known && r.isInCooldown(by, last) {
		wrong("its last change was at %s", last)
	}
	if n := r.flips[r.flipKey(by.key(), a.Creative)]; by.maxFlips > 0 && n >= by.maxFlips {
		wrong("it has changed %d times that day", n)
	}
	if a.Reason == "" {
		wrong("it has no reason")
	}
	s.checkMetrics(a, &r, by, wrong)
}

// checkMetrics compares the numbers of a decision with those that the platform served.
func (s *step) checkMetrics(a *act, r *run, by *rule, wrong func(string, ...any)) {
	if r.isOutside(by, s.at) || by.hasOnlyHours() {
		return // hours decided
	}
	scene := &scene{run: r, rule: by, campaign: a.Campaign, entity: a.Campaign, window: by.window, day: r.day}
	if by.creativeLevel {
		scene.entity = a.Creative
	}
	if newest := dateOf(scene.sum(scene.entity, by.window).newest); newest != a.Report {
		wrong("its newest report is of %s", newest)
	}
	for _, x := range append(by.pause.metrics(), by.resume.metrics()...) {
		want, got := scene.metric(x).only(), math.NaN()
		if v, known := a.Metrics[x.String()]; known {
			got = v
		}
		if !(math.Abs(want-got) <= 1e-9*math.Abs(want)) && !(math.IsNaN(want) && math.IsNaN(got)) {
			wrong("%s is %g", x, want)
		}
	}
}

// metrics returns the metrics in an expression.
func (x *expr) metrics() []*expr {
	if x == nil {
		return nil
	}
	if x.op == "metric" {
		return []*expr{x}
	}
	var list []*expr
	for _, arg := range x.args {
		list = append(list, arg.metrics()...)
	}
	return list
}

// checkCaps checks that no rule changed more in a run than it may without approval.
func (s *step) checkCaps() {
	for n := range s.reports {
		report := &s.reports[n]
		r := *s.state
		r.file = report.file
		for _, by := range report.file.rules {
			creatives, campaigns := 0, map[string]bool{}
			for _, d := range report.Decisions {
				if d.Rule == by.name && (d.Action == "pause" || d.Action == "resume") {
					creatives++
					campaigns[d.Campaign] = true
				}
			}
			size := (&table{run: &r}).inScope(by)
			if by.maxCreatives > 0 && creatives > by.maxCreatives || by.maxCampaigns > 0 && len(campaigns) > by.maxCampaigns || by.maxShare > 0 && 100*creatives > by.maxShare*size {
				s.t.Errorf("%s: rule %s changes %d creatives of %d in %d campaigns\n%s", report.id, by.name, creatives, size, len(campaigns), report.file)
			}
		}
	}
}

// undo undoes a run of the step, and checks that the creatives that it changed are as they
// were, and no other one is changed.
func (s *step) undo(report stepReport) {
	expected := maps.Clone(s.state.status)
	for creative, a := range s.last {
		if a.id == report.id {
			expected[creative], s.state.undone[creative] = s.before[creative], true
			delete(s.state.owner, creative)
		}
	}
	var undo struct{ Run struct{ ID string } }
	if stderr, ok := s.run(&undo, "rules", "undo", report.id, "--yes", "--json"); !ok {
		s.t.Fatalf("undo %s: %s", report.id, stderr)
	}
	if undo.Run.ID != "" {
		s.ended(undo.Run.ID)
		s.runsUndone++
	}
	for creative, status := range expected {
		if now := s.platform.statusOf(creative); now != status {
			s.t.Errorf("after the undo of %s, %s is %s, not %s", report.id, creative, now, status)
		}
		s.state.status[creative] = s.platform.statusOf(creative)
	}
	for _, creative := range slices.Sorted(maps.Keys(s.state.undone)) {
		if s.chance(2) {
			s.must("rules", "release", creative)
			delete(s.state.undone, creative)
		}
	}
}
