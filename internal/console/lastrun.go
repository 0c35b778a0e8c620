package console

import (
	"context"
	"time"

	"usher"
	"usher/internal/rules"
)

// ruleRuns has the runs on record, as far as pages show them.
type ruleRuns struct {
	newest []usher.Evaluation   // at most maxRuns
	byFile map[string][]ruleRun // of rules, newest first
}

// ruleRun is a run of the rules of a file, of whatever origin.
type ruleRun struct {
	rule  string // the only one; "": all
	event bool   // only the rules that take events
	at    time.Time
}

// loadRuns reads all runs, from which it keeps little.
func (c *Console) loadRuns(ctx context.Context) (ruleRuns, error) {
	all, err := c.options.Runs.Evaluations(ctx, 0)
	return newRuleRuns(all), err
}

// newRuleRuns sorts out runs, newest first. An undo evaluates no rule, and neither does an event
// whose metrics were refused or of whose campaign no rule has a creative.
func newRuleRuns(all []usher.Evaluation) ruleRuns {
	runs := ruleRuns{newest: append([]usher.Evaluation{}, all[:min(len(all), maxRuns)]...), byFile: map[string][]ruleRun{}}
	for i := range all {
		e := &all[i]
		if e.UndoOf != "" || e.Event && len(e.Counts) == 0 {
			continue
		}
		runs.byFile[e.File] = append(runs.byFile[e.File], ruleRun{e.Rule, e.Event, e.At})
	}
	return runs
}

// last returns when a rule ran last, or the zero time. A paused rule takes no part in runs.
func (r ruleRuns) last(file string, rule *rules.Rule, pause *usher.Setting) time.Time {
	for _, run := range r.byFile[file] {
		takesPart := (run.rule == "" || run.rule == rule.Name) && (!run.event || rule.TakesEvents())
		if takesPart && (pause == nil || run.at.Before(pause.At)) {
			return run.at
		}
	}
	return time.Time{}
}
