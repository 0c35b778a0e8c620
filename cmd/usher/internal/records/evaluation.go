package records

import (
	"fmt"
	"strings"

	"usher"
)

// Summary is what an evaluation decided, in a line.
func Summary(e *usher.Evaluation) string {
	var said []string
	for _, action := range []usher.Action{usher.Pause, usher.Resume, usher.Held, usher.Unknown} {
		if n := e.Counts[action]; n > 0 {
			said = append(said, fmt.Sprintf("%d %s", n, action))
		}
	}
	if len(said) == 0 {
		said = []string{"nothing to do"}
	}
	if e.State != usher.EvaluationDone {
		said = append(said, string(e.State))
	}
	return strings.Join(said, ", ")
}

// RulesOf names the rules of a run: a file, or one rule of it.
func RulesOf(e *usher.Evaluation) string {
	switch {
	case e.UndoOf != "":
		return "undo"
	case e.Rule != "":
		return e.File + "/" + e.Rule
	}
	return e.File
}
