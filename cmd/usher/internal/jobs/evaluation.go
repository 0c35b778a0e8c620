package jobs

import (
	"fmt"
	"strings"

	"usher"
)

// Summary formats the decisions of an evaluation in one line.
func Summary(e *usher.Evaluation) string {
	var words []string
	judgement, some := judgementOf(e)
	for _, action := range usher.Actions() {
		n := e.Counts[action]
		if n == 0 || action == usher.None {
			continue
		}
		word := fmt.Sprintf("%d %s", n, action)
		if action == usher.Held && some {
			word += " (" + judgement + ")"
		}
		words = append(words, word)
	}
	if len(words) == 0 {
		words = []string{"nothing to do"}
	}
	if judgement != "" && !some {
		words = append(words, judgement)
	}
	if e.IsStopped() {
		words = append(words, "held back by the stop switch")
	}
	return strings.Join(words, ", ")
}

// judgementOf says what has become of the held decisions of an evaluation that a person approves
// or rejects, otherwise nothing. It gives numbers, and some is true, if the approval does not
// carry out all of them, or if other decisions needed none.
func judgementOf(e *usher.Evaluation) (text string, some bool) {
	text, judged := map[usher.EvaluationState]string{
		usher.EvaluationHeld: "waits for approval", usher.EvaluationApproved: "approved", usher.EvaluationRejected: "rejected",
	}[e.State]
	dropped := len(e.LeftOut)
	n := e.CountApprovable() - dropped
	moved := e.Counts[usher.Pause] + e.Counts[usher.Resume] + e.Counts[usher.Decrease] + e.Counts[usher.Increase]
	if !judged || n == e.Counts[usher.Held] && (n == 0 || moved == 0) {
		return text, false
	}
	if e.State == usher.EvaluationHeld && n != 1 {
		text = "wait for approval"
	}
	text = fmt.Sprintf("%d %s", n, text)
	if dropped > 0 {
		text += fmt.Sprintf(", %d dropped", dropped)
	}
	return text, true
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
