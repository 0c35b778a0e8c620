package rules

import (
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"usher"
	"usher/internal/rules/document"
)

// notice reads the key notify.
func (r *reader) notice(n ast.Node) usher.Notice {
	if text, _ := document.ScalarText(n); strings.ContainsAny(text, "@/") {
		r.Errorf(document.PlaceOf(n), "write digest or each: alerts.webhook in the configuration has the address", "unknown notify %q", text)
		return ""
	}
	return usher.Notice(r.word(n, "notify", string(usher.NoticeDigest), string(usher.NoticeEach)))
}

// completeNotify sets the notify of a rule in mode notify, and adds an error for one that
// only records. given are the places of the rule's keys.
func (r *reader) completeNotify(rule *Rule, given map[string]document.Place) {
	at, notifies := given["notify"]
	switch {
	case rule.Mode == Notify && !notifies:
		rule.Notify = usher.NoticeDigest
	case rule.Mode == Observe && notifies:
		r.Errorf(at, "write mode: notify, which changes nothing either, or remove notify", "notify reports decisions to people, and mode: observe only records them")
	}
}

// isReported reports whether a rule with notify reports decisions with an action.
func isReported(a usher.Action) bool {
	return a.Changes() || a == usher.Held || a == usher.Notify
}

// Notifies reports whether one of the due rules (nil: all) reports decisions on a campaign
// to people.
func (s *Set) Notifies(campaign string, due []string) bool {
	return slices.ContainsFunc(s.Rules, func(rule *Rule) bool {
		return rule.Notify != "" && rule.isDue(due) && rule.covers(campaign)
	})
}

// CompareFindings compares the decision of a run of the due rules (nil: all) on a creative
// with the known findings on it, and returns the findings that began or ended. It removes the
// notice of a decision that an earlier run has reported. For a creative that no due rule has
// in scope, d is the zero decision but for its campaign and creative.
//
// If a run is repeated, the findings that began in it begin again.
func (s *Set) CompareFindings(d *usher.Decision, due []string, known []usher.Finding, run string, at time.Time) []usher.FindingChange {
	var changes []usher.FindingChange
	began := d.Notice != ""
	for _, f := range known {
		switch {
		case f.File != s.Name:
		case d.Notice != "" && f.Rule == d.Rule:
			if isDecision(f, d) && f.Run != run {
				began, d.Notice = false, ""
			}
		case s.ends(f, d, due):
			changes = append(changes, usher.FindingChange{Creative: d.MemoryKey(), Finding: f, Ended: true})
		}
	}
	if began {
		changes = append(changes, usher.FindingChange{Creative: d.MemoryKey(), Finding: usher.Finding{
			File: s.Name, Rule: d.Rule, Action: d.Action, Wants: d.Wants, Guard: d.Guard, To: numberSet(d), Run: run, Since: at,
		}})
	}
	return changes
}

// ends reports whether a decision ends a finding.
func (s *Set) ends(f usher.Finding, d *usher.Decision, due []string) bool {
	at := slices.IndexFunc(s.Rules, func(rule *Rule) bool { return rule.Name == f.Rule })
	switch {
	case at < 0 || s.Rules[at].Notify == "":
		return true
	case !s.Rules[at].isDue(due):
		return false
	}
	unknown := d.Action == usher.Unknown && d.Rule == f.Rule || slices.ContainsFunc(d.Votes, func(v usher.Vote) bool {
		return v.Rule == f.Rule && v.Action == usher.Unknown
	})
	return !unknown
}

// isDecision reports whether a decision is the finding.
func isDecision(f usher.Finding, d *usher.Decision) bool {
	return f.Rule == d.Rule && f.Action == d.Action && f.Wants == d.Wants && f.Guard == d.Guard && f.To == numberSet(d)
}

// numberSet returns what a decision sets a budget or bid to, or 0. A rule that decreases a
// budget every day makes another change each day.
func numberSet(d *usher.Decision) float64 {
	if d.Bidding == nil || !d.Action.Changes() {
		return 0
	}
	return d.Bidding.To
}
