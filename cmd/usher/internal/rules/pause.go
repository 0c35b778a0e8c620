package rules

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/settings"
)

func rulesPause() *cobra.Command {
	cmd := pauseCommand("paused", func(ctx context.Context, s *settings.Settings, rule string, act audit.Act) error {
		return s.Set(ctx, usher.Setting{Kind: usher.RulePause, Name: rule}, act)
	})
	cmd.Use = "pause FILE [RULE]"
	cmd.Short = "Pause a rule, or all rules of a file, which then take no decisions"
	cmd.Long = `Pause a rule, or all rules of a file. A paused rule takes no decisions, and takes no part
in those of other rules, until 'usher rules resume'. Creatives that it has paused stay
paused. What it decided before is carried out; 'usher stop-switch on' stops that, too. FILE is
the name of the rule file without .yaml. 'usher rules ls' and the console show who has
paused a rule, when and why.`
	cmd.Example = `  usher rules pause budgets stop-overspend --reason 'new budgets on Monday'
  usher rules pause budgets --reason 'incident 12'`
	return cmd
}

func rulesResume() *cobra.Command {
	cmd := pauseCommand("resumed", func(ctx context.Context, s *settings.Settings, rule string, act audit.Act) error {
		return s.TakeBack(ctx, usher.RulePause, rule, act)
	})
	cmd.Use = "resume FILE [RULE]"
	cmd.Short = "Let a paused rule, or all paused rules of a file, decide again"
	cmd.Long = `Let a paused rule, or all paused rules of a file, decide again. It is evaluated at its next
time, or by 'usher submit rules.evaluate'; nothing of the pause is made up for.`
	cmd.Example = `  usher rules resume budgets stop-overspend --reason 'budgets are set'
  usher rules resume budgets`
	return cmd
}

// pauseCommand returns a command that changes whether rules are paused.
func pauseCommand(verb string, change func(ctx context.Context, s *settings.Settings, rule string, act audit.Act) error) *cobra.Command {
	var who command.Actor
	var asJSON bool
	cmd := &cobra.Command{
		Args: command.RangeArgs(1, "FILE", "RULE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
				list, err := activeRules(ctx, q, false)
				if err != nil {
					return err
				}
				if list, err = rulesOf(list, args, verb == "resumed"); err != nil {
					return err
				}
				for i := range list {
					rule := list[i].File + "/" + list[i].Rule
					if err := change(ctx, q.Settings(), rule, who.Act()); errors.Is(err, settings.ErrNotSet) {
						return fmt.Errorf("rule %s is not paused", rule)
					} else if err != nil {
						return err
					}
				}
				return writePauses(ctx, cmd, q.Settings(), list, verb, asJSON)
			})
		},
	}
	who.AddFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print an array of the rules, each with its pause")
	connect.AddQueueFlags(cmd)
	return cmd
}

// rulesOf returns the rules that the arguments FILE and RULE name. If only those are wanted that are
// paused, a file stands for its paused rules.
func rulesOf(list []activeRule, args []string, paused bool) ([]activeRule, error) {
	var found []activeRule
	hasFile := false
	for _, a := range list {
		if a.rule == nil || a.File != args[0] {
			continue
		}
		hasFile = true
		if len(args) == 2 && a.Rule == args[1] || len(args) == 1 && (!paused || a.Paused != nil) {
			found = append(found, a)
		}
	}
	switch {
	case !hasFile:
		return nil, fmt.Errorf("workers use no rule file %q: 'usher rules ls' lists the files that they use", args[0])
	case len(found) == 0 && len(args) == 2:
		return nil, fmt.Errorf("rule file %s has no rule %q: 'usher rules ls' lists its rules", args[0], args[1])
	case len(found) == 0:
		return nil, fmt.Errorf("no rule of %s is paused", args[0])
	}
	return found, nil
}

// rulePause is a rule with its pause, as printed by --json.
type rulePause struct {
	File   string         `json:"file"`
	Rule   string         `json:"rule"`
	Paused *usher.Setting `json:"paused"` // null: it is not paused
}

func writePauses(ctx context.Context, cmd *cobra.Command, s *settings.Settings, list []activeRule, verb string, asJSON bool) error {
	pauses, err := s.List(ctx, usher.RulePause)
	if err != nil {
		return err
	}
	var rows []rulePause
	for i := range list {
		row := rulePause{File: list[i].File, Rule: list[i].Rule}
		if p, ok := pauses[row.File+"/"+row.Rule]; ok {
			row.Paused = &p
		}
		rows = append(rows, row)
		if !asJSON {
			fmt.Fprintf(cmd.OutOrStdout(), "%s %s/%s\n", verb, row.File, row.Rule)
		}
	}
	if asJSON {
		return terminal.WriteJSON(cmd.OutOrStdout(), rows)
	}
	return nil
}

// describePause says who has paused a rule, when and why.
func describePause(p *usher.Setting, when func(time.Time) string) string {
	return readable.Printable(p.String() + ", " + when(p.At))
}
