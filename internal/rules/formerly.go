package rules

import (
	"strings"

	"github.com/goccy/go-yaml/ast"

	"usher"
	"usher/internal/rules/document"
)

// formerly reads the name that a rule had, of this file or, with the file's name and a slash, of
// another one.
func (r *reader) formerly(n ast.Node) string {
	name, ok := r.Text(n, "formerly")
	if !ok {
		return ""
	}
	file, rule, slash := strings.Cut(name, "/")
	if !slash {
		file, rule = r.set.Name, name
	}
	if !nameForm().MatchString(file) || !nameForm().MatchString(rule) {
		r.Errorf(document.PlaceOf(n), "write the rule's former name, such as stop-at-daily-budget, or budgets/stop-at-daily-budget if it was in the file budgets.yaml", "%q is no name of a rule", name)
		return ""
	}
	return name
}

// lintFormerly finds rules that take over what another rule of the file still does, or what two
// of them take over. at has the places of the key by rule.
func (r *reader) lintFormerly() {
	for n, rule := range r.set.Rules {
		if rule.Formerly == "" {
			continue
		}
		at := r.formerlyAt[rule]
		for _, other := range r.set.Rules {
			if r.set.Key(other.Name) == r.set.formerKey(rule) {
				r.Rule = rule.Name
				r.Errorf(at, "remove formerly, or the rule "+other.Name, "formerly: the rule %s is still in the file, and owns what it did", other.Name)
			}
		}
		for _, other := range r.set.Rules[:n] {
			if other.Formerly != "" && r.set.formerKey(other) == r.set.formerKey(rule) {
				r.Rule = rule.Name
				r.Errorf(at, "keep it in one of them", "formerly: the rule %s takes over what %s did, too", other.Name, rule.Formerly)
			}
		}
	}
	r.Rule = ""
}

// formerKey returns the key that a rule of the set had in usher.CreativeMemory, or "".
func (s *Set) formerKey(rule *Rule) string {
	if rule.Formerly == "" || strings.Contains(rule.Formerly, "/") {
		return rule.Formerly
	}
	return s.Key(rule.Formerly)
}

// Owns reports whether a rule of the set owns what the rule with a key did: it has that key, or
// had it.
func (s *Set) Owns(rule *Rule, key string) bool {
	return key == s.Key(rule.Name) || key != "" && key == s.formerKey(rule)
}

// Owner returns the rule of the set that owns what the rule with a key did, or nil.
func (s *Set) Owner(key string) *Rule {
	for _, rule := range s.Rules {
		if s.Owns(rule, key) {
			return rule
		}
	}
	return nil
}

// lastChange returns the last change of the i-th creative by a rule, under its name or its former
// one, and reports whether there is one.
func (r *Run) lastChange(rule *Rule, i int) (usher.RuleMemory, bool) {
	memory := r.memory(i).Rules
	last, known := memory[r.set.Key(rule.Name)]
	former, had := memory[r.set.formerKey(rule)]
	if had && (!known || former.Changed.After(last.Changed)) {
		if known && former.Day == last.Day {
			former.Flips += last.Flips
		}
		return former, true
	}
	if had && former.Day == last.Day {
		last.Flips += former.Flips
	}
	return last, known
}
