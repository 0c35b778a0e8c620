package rules

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/jobs"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/internal/rules"
	"usher/queues"
)

// shownRule is a rule with all of its keys, as printed by --json.
type shownRule struct {
	activeRule
	Keys []rules.Key `json:"keys"`
}

func rulesShow() *cobra.Command {
	return command.View[*queues.Queue, shownRule]{
		About: command.About{
			Use:   "show RULE",
			Short: "Show a rule that workers use, with all of its keys",
			Long: `Show a rule that workers use: its keys as workers read them, when it is due next, its
last run, and the run that waits for approval. RULE is the name of a rule, or FILE/RULE
if several files have a rule with that name. Keys with their default value are omitted.`,
			Example: `  usher rules show stop-overspend
  usher rules show budgets/stop-overspend --json`,
			Args: command.ExactArgs("RULE"),
			JSON: "the rule as JSON",
		},
		On: connect.Queue(),
		Load: func(ctx context.Context, c *command.Call, q *queues.Queue) (shownRule, error) {
			found, err := readWorkersRules(ctx, q)
			if err != nil {
				return shownRule{}, err
			}
			a, err := findActiveRule(found.list, c.Args[0])
			if err != nil {
				return shownRule{}, err
			}
			return shownRule{a, a.rule.Keys()}, nil
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
	return t
}
