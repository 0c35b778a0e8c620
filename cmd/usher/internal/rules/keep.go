package rules

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/internal/rules"
	"usher/queues"
	"usher/queues/decisions"
)

// keptReport is what `usher rules keep --json` prints.
type keptReport struct {
	usher.Setting
	zone    *time.Location
	unknown bool // no job has changed it, and no rule has decided on it
	isOfSet bool // it has the code of a campaign that rules have in scope
}

func keep() *cobra.Command {
	until := ""
	return command.Act[*queues.Queue, keptReport]{
		About: command.About{
			Use:   "keep CREATIVE|CAMPAIGN --until 2h|tomorrow|DATE|released",
			Short: "Keep rules from a creative, or from a campaign's budget and bid",
			Long: `Keep rules from a creative, or from the budget and bid of a campaign, until a time or until
'usher rules release'. Rules leave it alone meanwhile, whoever has changed it: usher, or a
person on the platform itself. A cap does not pause it either. Previews, runs and 'usher
rules why' say who keeps it and until when; 'usher rules kept' lists all that is kept.

--until takes ` + strings.Replace(rules.UntilWords, "a date, ", "a date,\n", 1) + `. A day begins in the time zone of the account's rules.`,
			Example: `  usher rules keep spring-1 --until tomorrow --reason 'it is on television tonight'
  usher rules keep SANDBOX1-spring --until 2h --reason 'the budget was cut by hand'
  usher rules keep spring-1 --until released`,
			Args: command.ExactArgs("CREATIVE or CAMPAIGN"),
			Flags: func(cmd *cobra.Command) {
				cmd.Flags().StringVar(&until, "until", "", "until when: 2h, 3d, tomorrow, monday, next_month, a date, a time, or released")
			},
			Check: func(*command.Call) error {
				if until == "" {
					return command.Usagef("say until when, such as --until 2h, --until tomorrow, --until 2026-03-01 or --until released")
				}
				if _, err := rules.ParseUntil(until, time.Time{}, time.UTC); err != nil {
					return command.Usagef("--%v", err)
				}
				return nil
			},
			JSON: "the setting as JSON",
		},
		On: connect.Queue(),
		Plan: func(ctx context.Context, c *command.Call, q *queues.Queue) (plan command.Plan[keptReport], err error) {
			code, stored := c.Args[0], decisions.New(q, nil)
			story, err := stored.Story(ctx, code)
			if err != nil {
				return plan, err
			}
			sets, err := workersSets(ctx, q)
			if err != nil {
				return plan, err
			}
			report := keptReport{zone: rules.ZoneOf(sets, story.Campaigns...), unknown: len(story.Pages) == 0}
			report.isOfSet = slices.ContainsFunc(sets, func(s *rules.Set) bool { return strings.HasPrefix(code, s.Account+"-") && s.Covers(code, nil) })
			at, err := rules.ParseUntil(until, q.Now(), report.zone)
			if err != nil {
				return plan, command.Usagef("--%v", err)
			}
			report.Setting = usher.Setting{Kind: usher.RuleKeep, Name: code, Until: at}
			plan.Do = func(ctx context.Context) (keptReport, error) {
				if err := q.Settings().Set(ctx, report.Setting, c.By()); err != nil {
					return report, err
				}
				set, err := q.Settings().Get(ctx, usher.RuleKeep, code)
				if err == nil && set != nil {
					report.Setting = *set
				}
				return report, err
			}
			return plan, nil
		},
		Verb: "keep", Done: "kept",
		Print: printKept,
	}.Command()
}

func printKept(c *command.Call, r keptReport) error {
	if r.unknown && !r.isOfSet {
		fmt.Fprintf(c.Errs(), "note: no job has changed %s, and no rule has decided on it: check that this is the code of a creative or campaign\n", readable.Printable(r.Name))
	}
	text := readable.Printable(r.Name) + " is " + keptText(&r.Setting, r.zone)
	if r.isOfSet {
		text += "; that is its budget and bid: its creatives are kept by their own codes"
	}
	return c.Println(text)
}

// keptText says who keeps rules from a creative or campaign, and what ends that.
func keptText(s *usher.Setting, zone *time.Location) string {
	text := s.KeptText(zone)
	if s.Reason != "" {
		text += ": " + s.Reason
	}
	return readable.Printable(text + "; rules leave it alone, 'usher rules release " + s.Name + "' hands it back")
}

// workersSets returns the rule files that workers use, as far as this version can read them.
func workersSets(ctx context.Context, q *queues.Queue) ([]*rules.Set, error) {
	files, err := decisions.NewFileRegistry(q).List(ctx)
	if err != nil {
		return nil, err
	}
	var sets []*rules.Set
	for i := range files {
		if set, _ := rules.LoadAnnounced(&files[i]); set != nil {
			sets = append(sets, set)
		}
	}
	return sets, nil
}

func kept() *cobra.Command {
	return command.List[*queues.Queue, usher.Setting]{
		About: command.About{
			Use: "kept", Short: "List the creatives and campaigns that people keep rules from",
			Long: `List the creatives that people keep rules from changing, and the campaigns whose budget and
bid they keep: by 'usher rules keep', on the console, or because a run was undone. 'usher
rules release' hands one back to rules.`,
			Example: "  usher rules kept",
			JSON:    "an array of settings",
		},
		On: connect.Queue(),
		Load: func(ctx context.Context, _ *command.Call, q *queues.Queue) ([]usher.Setting, error) {
			all, err := q.Settings().Kept(ctx)
			list := []usher.Setting{}
			for _, s := range all {
				list = append(list, s)
			}
			slices.SortFunc(list, func(a, b usher.Setting) int { return strings.Compare(a.Name, b.Name) })
			return list, err
		},
		Columns: []command.Column{{Header: "KEPT"}, {Header: "UNTIL"}, {Header: "BY", Cut: 2}, {Header: "SINCE", Drop: 1}, {Header: "WHY", Cut: 1}},
		Row: func(s *usher.Setting, times terminal.Times) []string {
			until := usher.Released
			if !s.Until.IsZero() {
				until = times.Text(s.Until)
			}
			return []string{s.Name, until, orDash(s.By), times.Text(s.At), orDash(s.Reason)}
		},
		None: "rules may change every creative and campaign: nobody keeps one",
	}.Command()
}

func release() *cobra.Command {
	return command.Act[*queues.Queue, decisions.Released]{
		About: command.About{
			Use:   "release CREATIVE|CAMPAIGN",
			Short: "Hand a creative, or a campaign's budget and bid, back to rules",
			Long: `Hand a creative, or the budget and bid of a campaign, back to rules: after 'usher rules
keep' or 'usher rules undo' or, of a budget and bid, after somebody else has changed what a
rule had set. Until then no rule changes it. The audit records who released it, when and
why. 'usher rules kept' lists what is kept.`,
			Example: `  usher rules release spring-1 --reason 'the report was corrected'
  usher rules release SANDBOX1-spring --reason 'the budget may be lowered again'`,
			Args: command.ExactArgs("CREATIVE or CAMPAIGN"),
			JSON: "the creative and its campaigns as JSON",
		},
		On: connect.Queue(),
		Plan: func(_ context.Context, c *command.Call, q *queues.Queue) (plan command.Plan[decisions.Released], err error) {
			plan.Do = func(ctx context.Context) (decisions.Released, error) {
				released, err := decisions.New(q, nil).Interventions().Release(ctx, c.Args[0], c.By())
				if errors.Is(err, decisions.ErrNotKept) {
					err = fmt.Errorf("there is nothing to release: %w; 'usher rules kept' lists what is kept", err)
				}
				return released, err
			}
			return plan, nil
		},
		Verb: "release", Done: "released",
		Print: func(c *command.Call, r decisions.Released) error { return c.Println(releasedText(c.Args[0], &r)) },
	}.Command()
}

// releasedText says what was released.
func releasedText(code string, r *decisions.Released) string {
	campaigns := readable.Printable(strings.Join(r.Campaigns, ", "))
	switch {
	case r.Creative != "":
		return fmt.Sprintf("released creative %s of %s: rules may change it again", readable.Printable(r.Creative), campaigns)
	case len(r.Fields) == 1:
		return fmt.Sprintf("released the %s of campaign %s: rules may change it again", r.Fields[0], readable.Printable(code))
	case len(r.Fields) > 1:
		return fmt.Sprintf("released the %s and the %s of campaign %s: rules may change them again", r.Fields[0], r.Fields[1], readable.Printable(code))
	}
	return "released " + readable.Printable(code) + ": rules may change it again"
}
