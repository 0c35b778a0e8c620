package rules

import (
	"fmt"
	"io"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/account"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/internal/rules"
)

// previewReport is what `usher rules preview --json` prints.
type previewReport struct {
	Decisions []usher.Decision `json:"decisions"`
	Summary   previewSummary   `json:"summary"`
}

type previewSummary struct {
	AsOf      time.Time            `json:"asOf"`
	Campaigns int                  `json:"campaigns"`
	Creatives int                  `json:"creatives"`
	Actions   map[usher.Action]int `json:"actions"`
}

func rulesPreview() *cobra.Command {
	var asJSON bool
	var asOf string
	cmd := &cobra.Command{
		Use:   "preview FILE",
		Short: "Show what rules would do now, or as of a day; nothing is sent",
		Long: `Evaluates every rule of a file, whether it is due or not, on the platform's reports
and statuses as they are, and prints what it would do with every creative in
scope, by which rule, and why. Nothing is changed, and neither NATS nor Redis is
needed. As of a date means at the end of that day: it is today then, and complete.

It remembers nothing: what workers know of earlier pauses, cooldowns and flips is
not seen here, so no creative is resumed.`,
		Example: `  usher rules preview budgets.yaml
  usher rules preview budgets.yaml --as-of 2014-04-10 --json | jq '.decisions[] | select(.action != "none")'`,
		Args: command.ExactArgs("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			set, err := loadRules(cmd, args[0])
			if err != nil {
				return err
			}
			at, err := moment(set, asOf)
			if err != nil {
				return err
			}
			report, err := preview(cmd, set, at)
			if err != nil {
				return err
			}
			if asJSON {
				return terminal.WriteJSON(cmd.OutOrStdout(), report)
			}
			return report.write(cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&asOf, "as-of", "", "a `DATE` (2014-04-10: the end of that day) or a time (RFC 3339) instead of now")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print decisions and summary as JSON")
	config.AddFlags(cmd, "platform", "username")
	return cmd
}

// moment is a date's end, a time, or now.
func moment(set *rules.Set, text string) (time.Time, error) {
	if text == "" {
		return time.Now(), nil
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, nil
	}
	at, err := set.EndOf(text)
	if err != nil {
		return at, command.Usagef("--as-of %s: write a date, 2014-04-10, or a time, 2014-04-10T15:00:00+01:00", text)
	}
	return at, nil
}

// preview decides on all that is in scope, as of a moment.
func preview(cmd *cobra.Command, set *rules.Set, at time.Time) (*previewReport, error) {
	ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	a, err := account.Open(ctx, cmd, set)
	if err != nil {
		return nil, err
	}
	figures := rules.NewFigures(set, at)
	if err := a.Read(ctx, figures.Needs(), figures.Add); err != nil {
		return nil, err
	}
	run, err := set.Decide(ctx, rules.Snapshot{Figures: figures, Creatives: a.Creatives})
	if err != nil {
		return nil, err
	}
	report := &previewReport{
		Decisions: slices.Collect(run.Decisions(nil)),
		Summary:   previewSummary{AsOf: at.In(set.Zone).Truncate(time.Second), Campaigns: len(a.Campaigns), Creatives: len(a.Creatives), Actions: run.Counts()},
	}
	if report.Decisions == nil {
		report.Decisions = []usher.Decision{}
	}
	for _, action := range actions() {
		report.Summary.Actions[action] += 0 // so that each is there
	}
	return report, nil
}

// actions are all actions, what matters most first.
func actions() []usher.Action {
	return []usher.Action{usher.Pause, usher.Resume, usher.Held, usher.Unknown, usher.None}
}

func (p *previewReport) write(w io.Writer) error {
	if err := decisionTable(p.Decisions, false).Write(w); err != nil {
		return err
	}
	var words []string
	for _, action := range actions() {
		if n := p.Summary.Actions[action]; n > 0 {
			words = append(words, fmt.Sprintf("%s %s", readable.Number(int64(n)), action))
		}
	}
	if len(words) == 0 {
		words = []string{"nothing to decide"}
	}
	fmt.Fprintf(w, "\n%s in %s as of %s: %s. Nothing was sent.\n", readable.Count(int64(p.Summary.Creatives), "creative"),
		readable.Count(int64(p.Summary.Campaigns), "campaign"), p.Summary.AsOf.Format("2006-01-02 15:04 MST"), strings.Join(words, ", "))
	return nil
}

// decisionTable is a line a decision; creatives of a campaign on which a rule
// decided alike share one.
func decisionTable(decisions []usher.Decision, dated bool) *terminal.Table {
	g := &terminal.Table{Header: []string{"CAMPAIGN", "CREATIVES", "ACTION", "RULE", "WHY"}}
	if dated {
		g.Header = append([]string{"DATE"}, g.Header...)
	}
	for low := 0; low < len(decisions); {
		d := decisions[low]
		var codes []string
		high := low
		for ; high < len(decisions) && alike(d, decisions[high]); high++ {
			codes = append(codes, decisions[high].Creative)
		}
		creatives := strings.Join(codes, ", ")
		if len(codes) > 3 {
			creatives = fmt.Sprintf("%s, … %s in all", codes[0], readable.Number(int64(len(codes))))
		}
		cells := []string{d.Campaign, creatives, string(d.Action), d.Rule, d.Reason}
		if dated {
			cells = append([]string{d.Date}, cells...)
		}
		g.Add(cells...)
		low = high
	}
	return g
}

// alike reports whether two decisions differ in their creative only.
func alike(a, b usher.Decision) bool {
	return a.Date == b.Date && a.Campaign == b.Campaign && a.Rule == b.Rule && a.Action == b.Action && a.Reason == b.Reason
}
