package rules

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/jobs"
	"usher/cmd/usher/internal/review"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/internal/rules"
	"usher/internal/rules/backtest"
	"usher/queues"
	"usher/queues/decisions"
)

// shownRule is a rule with all of its keys, as printed by --json.
type shownRule struct {
	activeRule
	Keys []rules.Key `json:"keys"`
	Week ruleWeek    `json:"week"`
}

// ruleWeek is what a rule has done in the last days.
type ruleWeek struct {
	decisions.Changes
	Earlier    int              `json:"earlier"`              // its pauses that began before these days and lasted into them
	Saved      *backtest.Saving `json:"saved"`                // an estimate; null: it has paused nothing, or SavedError
	SavedError string           `json:"savedError,omitempty"` // why it is not known what its pauses have saved
}

// weekDays are the days of a ruleWeek.
const weekDays = 7

// readWeek returns what a rule has done in the last days. It reads reports only if the rule has paused
// something.
func readWeek(ctx context.Context, c *command.Call, q *queues.Queue, rule string) (week ruleWeek, err error) {
	activity, err := decisions.New(q, nil).Activity(ctx, q.Now().AddDate(0, 0, -weekDays))
	if err != nil {
		return week, err
	}
	week.Changes, week.Earlier = activity.Rules[rule], activity.Earlier()[rule]
	if week.Pauses+week.Earlier == 0 {
		return week, nil
	}
	reviewer, err := review.Open(ctx, c.Cmd, q)
	if err != nil {
		return week, err
	}
	saved, failed := reviewer.Saved(ctx, &activity, func(of string) bool { return of == rule })
	if failed != nil {
		week.SavedError = failed.Error() // the rest is known without the platform
	}
	week.Saved = saved[rule]
	return week, nil
}

func rulesShow() *cobra.Command {
	return command.View[*queues.Queue, shownRule]{
		About: command.About{
			Use:   "show RULE",
			Short: "Show a rule that workers use, with all of its keys",
			Long: `Show a rule that workers use: its keys as workers read them, when it is due next, its
last run, and the run that waits for approval. RULE is the name of a rule, or FILE/RULE
if several files have a rule with that name. Keys with their default value are omitted.

It also shows what the rule did in the last 7 days, and what its pauses saved, which is an
estimate. For each day of a pause it counts what the creative had spent on the last complete
day before the pause, from the read-back of the pause until the creative was resumed, or until
now; what the creative spent on whole days of the pause all the same is subtracted. If the
report lacks that, it is not known, and the command says why. Pauses that began before these
days, and changes of budgets and bids, are not counted. This needs the login of the platform;
without it, the rest is shown.`,
			Example: `  usher rules show stop-overspend
  usher rules show budgets/stop-overspend --json`,
			Args: command.ExactArgs("RULE"),
			JSON: "the rule as JSON",
		},
		On: connect.Queue("platform", "username"),
		Load: func(ctx context.Context, c *command.Call, q *queues.Queue) (shownRule, error) {
			found, err := readWorkersRules(ctx, q)
			if err != nil {
				return shownRule{}, err
			}
			a, err := findActiveRule(found.list, c.Args[0])
			if err != nil {
				return shownRule{}, err
			}
			week, err := readWeek(ctx, c, q, a.File+"/"+a.Rule)
			return shownRule{a, a.rule.Keys(), week}, err
		},
		Print: func(c *command.Call, r shownRule) error { return ruleFacts(r).Write(c.Out()) },
	}.Command()
}

// findActiveRule returns the rule with a name, which is RULE or FILE/RULE.
func findActiveRule(list []activeRule, name string) (activeRule, error) {
	var found []activeRule
	for _, a := range list {
		if a.rule != nil && (a.Rule == name || a.File+"/"+a.Rule == name) {
			found = append(found, a)
		}
	}
	switch len(found) {
	case 0:
		return activeRule{}, fmt.Errorf("workers use no rule %q: 'usher rules ls' lists the rules that they use", name)
	case 1:
		return found[0], nil
	}
	return activeRule{}, fmt.Errorf("%d files have a rule %s: name the file as well, such as %s/%s", len(found), name, found[0].File, name)
}

func ruleFacts(a shownRule) *terminal.Table {
	t := &terminal.Table{}
	t.Add("rule", a.File+"/"+a.Rule)
	t.Add("path", readable.Printable(a.Path))
	for _, k := range a.Keys {
		t.Add(k.Name, readable.Printable(k.Value))
	}
	switch {
	case a.Unused:
		t.Add("next", unusedNow)
	case a.Next != nil:
		t.Add("next", readable.Time(*a.Next))
	}
	if a.Last != nil {
		t.Add("last", readable.Time(a.Last.At)+": "+jobs.Summary(a.Last))
	}
	if a.Paused != nil {
		t.Add("paused", describePause(a.Paused, func(at time.Time) string { return "since " + readable.Time(at) }))
	}
	for _, run := range a.Held {
		t.Add("waits for approval", run)
	}
	did := []string{readable.Count(a.Week.Pauses, "pause"), readable.Count(a.Week.Resumes, "resume"), readable.Count(a.Week.Numbers, "change") + " of budgets and bids"}
	if a.Week.Earlier > 0 {
		did = append(did, readable.Count(a.Week.Earlier, "pause")+" of before")
	}
	t.Add("last 7 days", strings.Join(did, ", "))
	for i, line := range savedLines(&a.Week) {
		t.Add([]string{"saved", ""}[min(i, 1)], line)
	}
	return t
}

// savedLines say what the pauses of a rule have saved, and of which that is not known.
func savedLines(w *ruleWeek) (lines []string) {
	if w.SavedError != "" {
		return []string{"not known: " + readable.Printable(w.SavedError)}
	}
	if w.Saved == nil {
		return nil
	}
	if w.Saved.Pauses > 0 {
		lines = append(lines, fmt.Sprintf("about %s by %s, an estimate from the last complete day before each", amountsText(w.Saved.Gross), readable.Count(w.Saved.Pauses, "pause")))
	}
	for _, n := range w.Saved.NotKnown {
		lines = append(lines, fmt.Sprintf("not known of %s: %s", readable.Count(n.Pauses, "pause"), n.Why))
	}
	return lines
}
