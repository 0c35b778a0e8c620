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

// previewReport is the output of `usher rules preview --json`.
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
		Short: "Show what rules would do, and send nothing",
		Long: `Evaluate every rule of a file, whether it is due or not, on the platform's current
reports and statuses. Print for every creative in scope what would be done, by which
rule, and why. The command changes nothing, and needs neither NATS nor Redis. With
--as-of and a date, the rules are evaluated at the end of that day: the window today is
then that complete day.

A preview does not know the rule memory of the workers, that is, earlier pauses,
cooldowns and flips. It therefore never resumes a creative.`,
		Example: `  usher rules preview budgets.yaml
  usher rules preview budgets.yaml --as-of 2014-04-10 --json | jq '.decisions[] | select(.action != "none")'`,
		Args: command.ExactArgs("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			set, err := loadRules(cmd, args[0])
			if err != nil {
				return err
			}
			at, err := parseAsOf(set, asOf)
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
	cmd.Flags().StringVar(&asOf, "as-of", "", "evaluate at the end of this `DATE` (2014-04-10) or at a time (RFC 3339) instead of now")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print decisions and summary as JSON")
	config.AddFlags(cmd, "platform", "username")
	return cmd
}

// parseAsOf returns the end of a date, a time, or the current time if text is empty.
func parseAsOf(set *rules.Set, text string) (time.Time, error) {
	if text == "" {
		return time.Now(), nil
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, nil
	}
	at, err := set.EndOf(text)
	if err != nil {
		return at, command.Usagef("--as-of %s: write a date, such as 2014-04-10, or a time, such as 2014-04-10T15:00:00+01:00", text)
	}
	return at, nil
}

// preview decides on every creative in scope at a time.
func preview(cmd *cobra.Command, set *rules.Set, at time.Time) (*previewReport, error) {
	ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	a, err := account.Open(ctx, cmd, set)
	if err != nil {
		return nil, err
	}
	figures := rules.NewFigures(set, at)
	if err := a.ReadReports(ctx, figures.Needs(), figures.Add); err != nil {
		return nil, err
	}
	runs, err := a.Decide(ctx, rules.Snapshot{Figures: figures})
	if err != nil {
		return nil, err
	}
	report := &previewReport{
		Decisions: []usher.Decision{},
		Summary:   previewSummary{AsOf: at.In(set.Zone).Truncate(time.Second), Campaigns: len(a.Campaigns), Creatives: len(a.Creatives), Actions: map[usher.Action]int{}},
	}
	for _, run := range runs {
		report.Decisions = slices.AppendSeq(report.Decisions, run.Decisions(nil))
		for action, n := range run.Counts() {
			report.Summary.Actions[action] += n
		}
	}
	for _, action := range usher.Actions() {
		report.Summary.Actions[action] += 0 // the summary has every action
	}
	return report, nil
}

func (p *previewReport) write(w io.Writer) error {
	if err := decisionTable(p.Decisions, false).Write(w); err != nil {
		return err
	}
	var counts []string
	for _, action := range usher.Actions() {
		if n := p.Summary.Actions[action]; n > 0 {
			counts = append(counts, fmt.Sprintf("%s %s", readable.Number(int64(n)), action))
		}
	}
	if len(counts) == 0 {
		counts = []string{"nothing to decide"}
	}
	fmt.Fprintf(w, "\n%s in %s as of %s: %s. Nothing was sent.\n", readable.Count(int64(p.Summary.Creatives), "creative"),
		readable.Count(int64(p.Summary.Campaigns), "campaign"), p.Summary.AsOf.Format("2006-01-02 15:04 MST"), strings.Join(counts, ", "))
	return nil
}

// decisionTable returns a table with a row for each decision, with a date if dated is
// set. Equal decisions on several creatives of a campaign share a row.
func decisionTable(decisions []usher.Decision, dated bool) *terminal.Table {
	table := &terminal.Table{Header: []string{"CAMPAIGN", "CREATIVES", "ACTION", "RULE", "WHY"}}
	if dated {
		table.Header = append([]string{"DATE"}, table.Header...)
	}
	for low := 0; low < len(decisions); {
		d := decisions[low]
		var codes []string
		high := low
		for ; high < len(decisions) && differInCreativeOnly(d, decisions[high]); high++ {
			codes = append(codes, subject(decisions[high]))
		}
		cells := []string{d.Campaign, creativesText(codes), string(d.Action), d.Rule, d.Reason}
		if dated {
			cells = append([]string{d.Date}, cells...)
		}
		table.Add(cells...)
		low = high
	}
	return table
}

// creativesText lists creatives, or names the first of many.
func creativesText(codes []string) string {
	if len(codes) > 3 {
		return fmt.Sprintf("%s, … %s in all", codes[0], readable.Number(int64(len(codes))))
	}
	return strings.Join(codes, ", ")
}

// differInCreativeOnly reports whether two decisions are equal except for the creative.
func differInCreativeOnly(a, b usher.Decision) bool {
	return a.Date == b.Date && a.Campaign == b.Campaign && a.Rule == b.Rule && a.Action == b.Action && a.Reason == b.Reason
}
