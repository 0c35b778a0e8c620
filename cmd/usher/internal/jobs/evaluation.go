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
		switch action {
		case usher.Held:
			word += heldBy(e, judgement, some)
		case usher.Unknown:
			word = fmt.Sprintf("cannot decide on %d", n)
		}
		words = append(words, word)
	}
	if judgement != "" && !some {
		words = append(words, judgement)
	}
	for _, left := range leftAlone {
		if n := e.Guards[left.guard]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, left.text))
		}
	}
	if e.IsStopped() && e.Guards[usher.GuardStop] == 0 { // of its jobs, after it had decided
		words = append(words, "held back by the stop switch")
	}
	if len(words) == 0 {
		return "nothing to do"
	}
	return strings.Join(words, ", ")
}

// holders name the guards of held decisions that an approval does not remove.
var holders = []guardText{
	{usher.GuardObserve, "mode: observe"}, {usher.GuardDisabled, "actions of the configuration"}, {usher.GuardCooldown, "cooldown"},
	{usher.GuardFlips, "max_flips_per_day"}, {usher.GuardKeepActive, "keep_active"}, {usher.GuardStop, "the stop switch"},
}

// leftAlone says why decisions that no one holds change nothing, by their guard.
var leftAlone = []guardText{
	{usher.GuardKept, "kept by people"}, {usher.GuardHandsOff, "left alone because others paused or changed them"}, {usher.GuardPending, "not approved by the platform"},
	{usher.GuardPauseWanted, "not resumed because of another rule"}, {usher.GuardDecreaseWanted, "not increased because of another rule"}, {usher.GuardBound, "at min or max"},
}

type guardText struct {
	guard usher.Guard
	text  string
}

// heldBy says what holds the held decisions of an evaluation: " by cooldown" if it is one guard,
// otherwise " (1 waits for approval, 2 by cooldown)". judgement and some are those of judgementOf.
func heldBy(e *usher.Evaluation, judgement string, some bool) string {
	var list []string
	if some {
		list = append(list, judgement)
	}
	for _, by := range holders {
		n := e.Guards[by.guard]
		if n > 0 && n == e.Counts[usher.Held] {
			return " by " + by.text
		}
		if n > 0 {
			list = append(list, fmt.Sprintf("%d by %s", n, by.text))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return " (" + strings.Join(list, ", ") + ")"
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
