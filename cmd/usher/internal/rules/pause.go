package rules

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/internal/readable"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/settings"
)

func rulesPause() *cobra.Command {
	return changePause("paused", func(ctx context.Context, s *settings.Settings, rule string, act audit.Act) error {
		return s.Set(ctx, usher.Setting{Kind: usher.RulePause, Name: rule}, act)
	}, command.About{
		Use: "pause FILE [RULE]", Short: "Pause a rule, or all rules of a file, which then take no decisions",
		Long: `Pause a rule, or all rules of a file. A paused rule takes no decisions, and takes no part
in those of other rules, until 'usher rules resume'. Creatives that it has paused stay
paused. What it decided before is carried out, unless it waits for approval: that stays held.
'usher stop-switch on' stops both. FILE is the name of the rule file without .yaml.
'usher rules ls' and the console show who has paused a rule, when and why.`,
		Example: `  usher rules pause budgets stop-overspend --reason 'new budgets on Monday'
  usher rules pause budgets --reason 'incident 12'`,
	})
}

func rulesResume() *cobra.Command {
	return changePause("resumed", func(ctx context.Context, s *settings.Settings, rule string, act audit.Act) error {
		return s.TakeBack(ctx, usher.RulePause, rule, act)
	}, command.About{
		Use: "resume FILE [RULE]", Short: "Let a paused rule, or all paused rules of a file, decide again",
		Long: `Let a paused rule, or all paused rules of a file, decide again. It is evaluated at its next
time, or by 'usher submit rules.evaluate'; nothing of the pause is made up for.`,
		Example: `  usher rules resume budgets stop-overspend --reason 'budgets are set'
  usher rules resume budgets`,
	})
}

// changePause returns an act that changes whether rules are paused.
func changePause(done string, change func(ctx context.Context, s *settings.Settings, rule string, act audit.Act) error, about command.About) *cobra.Command {
	about.Args, about.JSON = command.RangeArgs(1, "FILE", "RULE"), "an array of the rules, each with its pause"
	return command.Act[*queues.Queue, []rulePause]{
		About: about,
		On:    connect.Queue(),
		Do: func(ctx context.Context, c *command.Call, q *queues.Queue) ([]rulePause, error) {
			list, err := activeRules(ctx, q, false)
			if err != nil {
				return nil, err
			}
			if list, err = rulesOf(list, c.Args, done == "resumed"); err != nil {
				return nil, err
			}
			for i := range list {
				rule := list[i].File + "/" + list[i].Rule
				if err := change(ctx, q.Settings(), rule, c.By()); errors.Is(err, settings.ErrNotSet) {
					return nil, fmt.Errorf("rule %s is not paused", rule)
				} else if err != nil {
					return nil, err
				}
			}
			return pausesOf(ctx, q.Settings(), list)
		},
		Print: func(c *command.Call, list []rulePause) error {
			for _, p := range list {
				fmt.Fprintf(c.Out(), "%s %s/%s\n", done, p.File, p.Rule)
			}
			return nil
		},
	}.Command()
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
	var meant []string
	for _, a := range list {
		if a.rule != nil && !hasFile && (args[0] == a.Rule || args[0] == a.File+"/"+a.Rule) {
			meant = append(meant, a.File+" "+a.Rule)
		}
	}
	switch {
	case len(meant) > 0:
		return nil, fmt.Errorf("workers use no rule file %q: write the file and the rule, %s", args[0], strings.Join(meant, " or "))
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

// pausesOf returns the pauses of rules.
func pausesOf(ctx context.Context, s *settings.Settings, list []activeRule) ([]rulePause, error) {
	set, err := s.List(ctx, usher.RulePause)
	if err != nil {
		return nil, err
	}
	var pauses []rulePause
	for i := range list {
		p := rulePause{File: list[i].File, Rule: list[i].Rule}
		if pause, ok := set[p.File+"/"+p.Rule]; ok {
			p.Paused = &pause
		}
		pauses = append(pauses, p)
	}
	return pauses, nil
}

// describePause says who has paused a rule, when and why.
func describePause(p *usher.Setting, when func(time.Time) string) string {
	return readable.Printable(p.String() + ", " + when(p.At))
}
