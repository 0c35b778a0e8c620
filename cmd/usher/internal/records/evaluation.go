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
	return strings.Join(append(words, judgement(e)...), ", ")
}

// judgement says what has become of the held decisions of an evaluation that a person approves
// or rejects. It gives numbers if it does not hold for all of them, because an approval cannot
// carry some out, or leaves some out.
func judgement(e *usher.Evaluation) []string {
	words := map[usher.EvaluationState]string{
		usher.EvaluationHeld: "waits for approval", usher.EvaluationApproved: "approved", usher.EvaluationRejected: "rejected",
	}
	word, judged := words[e.State]
	if !judged {
		return nil
	}
	dropped := len(e.LeftOut)
	count := e.CountApprovable() - dropped
	if count == e.Counts[usher.Held] {
		return []string{word}
	}
	if e.State == usher.EvaluationHeld && count != 1 {
		word = "wait for approval"
	}
	list := []string{fmt.Sprintf("%d of them %s", count, word)}
	if dropped > 0 {
		list = append(list, fmt.Sprintf("%d dropped", dropped))
	}
	return list
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
