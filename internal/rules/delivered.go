package rules

import (
	"slices"

	"usher/internal/rules/expression"
	"usher/internal/rules/figures"
)

// Undelivered returns a warning for each number from outside that a rule reads and nobody has ever
// delivered. delivered are the names that were.
func (s *Set) Undelivered(delivered []string) []Problem {
	var problems []Problem
	for _, rule := range s.Rules {
		var known []string // that have a warning
		for _, x := range rule.expressions() {
			for _, column := range x.Columns() {
				name := column.Source.FieldName()
				if !column.Source.Field.IsOutcome() || slices.Contains(known, name) || slices.Contains(delivered, name[len(figures.OutcomePrefix):]) {
					continue
				}
				known = append(known, name)
				problems = append(problems, Problem{
					File: s.File, Line: rule.Line, Column: 1, Rule: rule.Name,
					Message: "in rule " + rule.Name + ", " + expression.NeverDelivered(name, delivered),
					Hint:    "write a name that `usher outcomes ls` lists, or deliver it with `usher outcomes put`",
				})
			}
		}
	}
	return problems
}
