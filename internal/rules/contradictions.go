package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"usher/internal/rules/analysis"
)

// Contradictions returns warnings about files that disagree: a rule of one would resume
// what a rule of another wants paused, rules of two files change the same number, or files of
// one account have different zones.
// Two files of the same name are an error, because a job names a file by it.
func Contradictions(sets []*Set) []Problem {
	var problems []Problem
	for n, a := range sets {
		for _, b := range sets[n+1:] {
			if a.Name == b.Name {
				problems = append(problems, Problem{
					File: b.File, Line: 1, Column: 1, Error: true, Message: fmt.Sprintf("%s has the same name: both are called %s in jobs, audit and memory", a.File, a.Name),
					Hint: "rename one of the files",
				})
			}
			if a.Account != b.Account {
				continue
			}
			if a.Zone.String() != b.Zone.String() {
				problems = append(problems, Problem{
					File: b.File, Line: 1, Column: 1, Message: fmt.Sprintf("account %s is in %s here, and in %s in %s", a.Account, b.Zone, a.Zone, a.File),
					Hint: "write the account's zone in both files",
				})
			}
			problems = append(problems, resumesOfPaused(a, b)...)
			problems = append(problems, resumesOfPaused(b, a)...)
			problems = append(problems, sharedNumbers(a, b)...)
		}
	}
	return problems
}

// sharedNumbers returns a warning for each rule of b that changes the same number as a rule
// of a.
func sharedNumbers(a, b *Set) []Problem {
	var problems []Problem
	for _, rule := range b.Rules {
		for _, other := range a.Rules {
			if rule.sharesNumber(other) {
				problems = append(problems, rule.problem(b, rule.shareText(other.Name+" of "+a.File), shareHint))
			}
		}
	}
	return problems
}

// problem returns a warning about the number that the rule changes.
func (rule *Rule) problem(s *Set, message, hint string) Problem {
	return Problem{File: s.File, Line: rule.Bidding.at.Line, Column: rule.Bidding.at.Column, Rule: rule.Name, Message: message, Hint: hint}
}

// Disabled returns a warning for each rule that changes a number which a configuration does
// not let rules change.
func (s *Set) Disabled(actions []string) []Problem {
	needed := slices.Clone(actions)
	for _, field := range s.Changes(nil) {
		if !slices.Contains(needed, field.Key()) {
			needed = append(needed, field.Key())
		}
	}
	hint := fmt.Sprintf("write actions: [%s] in the configuration of the workers, or set USHER_ACTIONS=%s", strings.Join(needed, ", "), strings.Join(needed, ","))
	var problems []Problem
	for _, rule := range s.Rules {
		if rule.Bidding != nil && !slices.Contains(actions, rule.Bidding.Field.Key()) {
			problems = append(problems, rule.problem(s, fmt.Sprintf("rule %s changes nothing: actions in this configuration does not have %s, so its decisions are held (disabled)",
				rule.Name, rule.Bidding.Field.Key()), hint))
		}
	}
	return problems
}

// Unheard returns a warning for each rule that reports to people, of whom a configuration without
// a webhook and mail has none.
func (s *Set) Unheard(hasChannel bool) []Problem {
	var problems []Problem
	for _, rule := range s.Rules {
		if rule.Notify != "" && !hasChannel {
			problems = append(problems, Problem{
				File: s.File, Line: rule.Line, Column: 1, Rule: rule.Name,
				Message: fmt.Sprintf("rule %s reports to nobody: this configuration has neither alerts.webhook nor alerts.smtp", rule.Name),
				Hint:    "write alerts: {webhook: URL} in the configuration of the workers, or look at its decisions with `usher rules runs ls`",
			})
		}
	}
	return problems
}

// resumesHint is what to do about a rule that resumes what another one wants paused.
const resumesHint = "choose thresholds with which resume_when of one and pause_when of the other never hold at once"

// resumesOfPaused returns a warning for each rule of a set that resumes what a rule of
// another set wants paused.
func resumesOfPaused(a, b *Set) []Problem {
	var problems []Problem
	for _, resumes := range a.Rules {
		for _, pauses := range b.Rules {
			if example := resumes.resumesWhatPauses(pauses); example != "" {
				problems = append(problems, Problem{
					File: a.File, Line: resumes.Line, Column: 1, Rule: resumes.Name,
					Message: fmt.Sprintf("with %s, rule %s would resume what rule %s of %s wants paused: the pause wins, and the creative stays paused", example, resumes.Name, pauses.Name, b.File),
					Hint:    resumesHint,
				})
			}
		}
	}
	return problems
}

// resumesWhatPauses returns values with which the rule would resume a creative that
// another rule wants paused, or nothing if there are none.
func (rule *Rule) resumesWhatPauses(other *Rule) string {
	switch {
	case rule.Bidding != nil || other.Bidding != nil || rule.Resume == nil || !rule.enabled() || !other.enabled() || other.Pause == nil:
	case rule.Scope.Level != other.Scope.Level || rule.Window != other.Window || !rule.Scope.overlaps(other.Scope):
	default:
		if overlap := analysis.FindOverlap(other.Pause.Root, rule.Resume.Root); overlap.Shared {
			return overlap.Example
		}
	}
	return ""
}

// overlaps reports whether two scopes may have a creative in common. It does not look at
// labels.
func (s Scope) overlaps(other Scope) bool {
	for _, pair := range [][2][]string{{s.Creatives, other.Creatives}, {s.Types, other.Types}} {
		if len(pair[0]) > 0 && len(pair[1]) > 0 && !anyOverlap(pair[0], pair[1]) {
			return false
		}
	}
	excluded := func(glob string) bool {
		return slices.ContainsFunc(slices.Concat(s.Exclude, other.Exclude), func(exclude string) bool {
			all, _ := path.Match(exclude, glob) // if glob is a pattern, it is matched as text
			return exclude == glob || all && (!strings.ContainsAny(glob, `*?[\`) || !strings.ContainsAny(exclude, `?[\`))
		})
	}
	for _, a := range s.Campaigns {
		for _, b := range other.Campaigns {
			if globsOverlap(a, b) && !excluded(a) && !excluded(b) {
				return true
			}
		}
	}
	return false
}

// globsOverlap reports whether there may be a code that two patterns match. It takes a
// class such as [a-c] for any character.
func globsOverlap(a, b string) bool {
	first, second := globParts(a), globParts(b)
	overlap := make([]bool, len(second)+1) // by j: whether first[i:] and second[j:] overlap
	for i := len(first); i >= 0; i-- {
		shorter := overlap // for first[i+1:]
		overlap = make([]bool, len(second)+1)
		for j := len(second); j >= 0; j-- {
			switch {
			case i == len(first) && j == len(second):
				overlap[j] = true
			case i < len(first) && first[i] == "*":
				overlap[j] = shorter[j] || j < len(second) && overlap[j+1]
			case j < len(second) && second[j] == "*":
				overlap[j] = overlap[j+1] || i < len(first) && shorter[j]
			case i < len(first) && j < len(second):
				overlap[j] = shorter[j+1] && (first[i] == "?" || second[j] == "?" || first[i] == second[j])
			}
		}
	}
	return overlap[0]
}

// globParts returns the parts of a pattern: characters, * and ?, which also stands for
// classes.
func globParts(glob string) []string {
	var parts []string
	for glob != "" {
		part, length := glob[:1], 1
		switch end := strings.IndexByte(glob, ']'); {
		case part == "[" && end > 0:
			part, length = "?", end+1
		case part == `\` && len(glob) > 1:
			part, length = "?", 2
		}
		parts, glob = append(parts, part), glob[length:]
	}
	return parts
}
