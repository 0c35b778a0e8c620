package rules

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/records"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/internal/rules"
	"usher/queues"
	"usher/queues/rulings"
)

// actingRule is a rule that workers act by.
type actingRule struct {
	File     string            `json:"file"`
	Rule     string            `json:"rule"`
	Mode     rules.Mode        `json:"mode"`
	Level    rules.Level       `json:"level"`
	Window   string            `json:"window"`
	Schedule string            `json:"schedule,omitempty"`
	Next     *time.Time        `json:"next"` // null where it has no schedule
	Last     *usher.Evaluation `json:"last"` // of its schedule; null where there was none
	Held     []string          `json:"held"` // its runs that wait for approval
	Stopped  bool              `json:"stopped"`
	Wrong    string            `json:"wrong,omitempty"` // with a newer version of the file
	Path     string            `json:"path"`
}

func rulesList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "ls",
		Short: "List the rules that workers act by",
		Long: `Lists the rules that workers act by: rules.files of their configuration, or --rules
of 'usher dev'. A file that was changed counts from its next use on; where the
change is wrong, the version before it counts on, and this list says so.`,
		Example: `  usher rules ls
  usher rules ls --json`,
		Args: command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
				s, err := rulings.NewStopSwitch(q).Read(ctx)
				if err != nil {
					return err
				}
				list, err := actingRules(ctx, rulings.New(q, nil), s.Stopped, time.Now())
				if err != nil {
					return err
				}
				if asJSON {
					return terminal.WriteJSON(cmd.OutOrStdout(), list)
				}
				return writeRules(cmd, list, s)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print an array of rules")
	connect.AddQueueFlags(cmd)
	return cmd
}

// actingRules are the rules that workers act by, as they stand.
func actingRules(ctx context.Context, r *rulings.Rulings, stopped bool, now time.Time) ([]actingRule, error) {
	files, err := r.Announced(ctx)
	if err != nil {
		return nil, err
	}
	evaluations, err := r.Evaluations(ctx, 0)
	if err != nil {
		return nil, err
	}
	list := []actingRule{}
	for _, file := range files {
		set, _ := rules.Load(file.Path, []byte(file.Text))
		if set == nil {
			continue // of a newer version of usher
		}
		for _, rule := range set.Rules {
			a := actingRule{
				File: set.Name, Rule: rule.Name, Mode: rule.Mode, Level: rule.Scope.Level, Window: rule.Window.String(),
				Held: []string{}, Stopped: stopped, Wrong: file.Wrong, Path: file.Path,
			}
			if rule.Schedule != nil {
				next := rule.Schedule.Next(now).UTC()
				a.Schedule, a.Next = rule.Schedule.String(), &next
			}
			a.addRuns(evaluations)
			list = append(list, a)
		}
	}
	return list, nil
}

// addRuns sets the rule's last run and its held runs from all runs, newest first.
func (a *actingRule) addRuns(runs []usher.Evaluation) {
	for _, e := range runs {
		if e.File != a.File || e.UndoOf != "" || e.Rule != "" && e.Rule != a.Rule {
			continue
		}
		if a.Last == nil {
			a.Last = &e
		}
		if e.State == usher.EvaluationHeld {
			a.Held = append(a.Held, e.ID)
		}
	}
}

// ruleTable returns a row for each rule.
func ruleTable(list []actingRule) *terminal.Table {
	table := &terminal.Table{Header: []string{"FILE", "RULE", "MODE", "SCHEDULE", "NEXT", "LAST", "WHAT CAME OF IT"}}
	for _, a := range list {
		next, last, came := "–", "never", ""
		if a.Next != nil {
			next = readable.Time(*a.Next)
		}
		if a.Last != nil {
			last, came = readable.Time(a.Last.At), records.Summary(a.Last)
		}
		if len(a.Held) > 0 {
			came = "waits for approval: " + a.Held[0]
		}
		table.Add(a.File, a.Rule, string(a.Mode), orDash(a.Schedule), next, last, came)
	}
	return table
}

func writeRules(cmd *cobra.Command, list []actingRule, s rulings.Switch) error {
	out := cmd.OutOrStdout()
	if len(list) == 0 {
		fmt.Fprintln(cmd.ErrOrStderr(), "no worker acts by a rule: name files in rules.files, or start 'usher dev --rules FILE'; a running worker says within seconds which it has")
	} else if err := ruleTable(list).Write(out); err != nil {
		return err
	}
	var wrong []string
	for _, a := range list {
		if a.Wrong != "" && !slices.Contains(wrong, a.Wrong) {
			wrong = append(wrong, a.Wrong)
			fmt.Fprintf(out, "a newer version is wrong, and the one before it counts on: %s\n", a.Wrong)
		}
	}
	fmt.Fprintln(out, describeSwitch(s))
	return nil
}

func orDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}
