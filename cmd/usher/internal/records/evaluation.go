package records

import (
	"fmt"
	"strings"

	"usher"
)

// Summary formats the decisions of an evaluation in one line.
func Summary(e *usher.Evaluation) string {
	var words []string
	for _, action := range usher.Actions() {
		if n := e.Counts[action]; n > 0 && action != usher.None {
			words = append(words, fmt.Sprintf("%d %s", n, action))
		}
	}
	if len(words) == 0 {
		words = []string{"nothing to do"}
	}
	switch e.State {
	case usher.EvaluationDone:
	case usher.EvaluationHeld:
		words = append(words, "waits for approval")
	case usher.EvaluationApproved, usher.EvaluationRejected:
		words = append(words, string(e.State))
	}
	return strings.Join(words, ", ")
}

// RulesOf names the rules of a run: a file, or a single rule of it.
func RulesOf(e *usher.Evaluation) string {
	switch {
	case e.UndoOf != "":
		return "undo"
	case e.Rule != "":
		return e.File + "/" + e.Rule
	}
	return e.File
}
