package rules

import (
	"context"
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
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/internal/rules"
	"usher/queues"
)

// previewReport is the output of `usher rules preview --json`.
type previewReport struct {
	Decisions []usher.Decision `json:"decisions"`
	Summary   previewSummary   `json:"summary"`
}

// previewSummary counts what is in scope. Actions adds up to Creatives and Numbers.
type previewSummary struct {
	AsOf      time.Time                  `json:"asOf"`
	Campaigns int                        `json:"campaigns"`
	Creatives int                        `json:"creatives"`
	Numbers   map[usher.BiddingField]int `json:"numbers,omitempty"` // budgets and bids
	Actions   map[usher.Action]int       `json:"actions"`
	// WholeDay are the rules that read the window today, if that is a whole day.
	WholeDay []string `json:"wholeDay,omitempty"`
	// PartialDay are these rules if it is the current day.
	PartialDay []string `json:"partialDay,omitempty"`
	// KeptUnknown is why it is not known what people keep rules from; "": it is known.
	KeptUnknown string `json:"keptUnknown,omitempty"`
}

func rulesPreview() *cobra.Command {
	var set *rules.Set
	var asOf string
	var at time.Time
	return command.View[command.Nothing, *previewReport]{
		About: command.About{
			Use:   "preview FILE",
			Short: "Show what rules would do, and send nothing",
			Long: `Evaluate every rule of a file, whether it is due or not, on the platform's current
reports and statuses. Print for every creative in scope what would be done, by which
rule, and why. The command changes nothing, and needs neither Redis nor, unless a condition
reads an outcome, NATS; without NATS it does not know what people keep rules from, and says
so. With --as-of and a date, the rules are evaluated at the end of that day: the window today
is then that complete day. Outcomes are those that are known now.

The last lines count every creative, budget and bid in scope once: none are those for
which nothing would be done. A run reads only campaigns in which something may change. So
it does not print how many are none, and it may count a campaign as unknown where a
preview counts its creatives.

A preview does not know the rule memory of the workers, that is, earlier pauses,
cooldowns and flips. It therefore never resumes a creative, and says so.`,
			Example: `  usher rules preview budgets.yaml
  usher rules preview budgets.yaml --as-of 2014-04-10 --json | jq '.decisions[] | select(.action != "none")'`,
			Args: command.ExactArgs("FILE"),
			Flags: func(cmd *cobra.Command) {
				cmd.Flags().StringVar(&asOf, "as-of", "", "evaluate at the end of this `DATE` (2014-04-10) or at a time (RFC 3339) instead of now")
			},
			Check: func(c *command.Call) (err error) {
				if set, err = loadRules(c.Cmd, c.Args[0]); err != nil {
					return err
				}
				at, err = parseAsOf(set, asOf)
				return err
			},
			JSON: "decisions and summary as JSON",
		},
		On: onPlatform("nats", "namespace"),
		Load: func(ctx context.Context, c *command.Call, _ command.Nothing) (*previewReport, error) {
			return preview(ctx, c.Cmd, set, at)
		},
		Print: func(c *command.Call, p *previewReport) error { return p.write(c.Out()) },
	}.Command()
}

// onPlatform is the session of commands that read the platform's reports until they are interrupted.
// more are further flags of the configuration that they take.
func onPlatform(more ...string) command.Session[command.Nothing] {
	return command.Session[command.Nothing]{
		Flags: func(cmd *cobra.Command) { config.AddFlags(cmd, append(more, "platform", "username")...) },
		Open: func(cmd *cobra.Command, use func(ctx context.Context, _ command.Nothing) error) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			return use(ctx, command.Nothing{})
		},
	}
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
func preview(ctx context.Context, cmd *cobra.Command, set *rules.Set, at time.Time) (*previewReport, error) {
	a, err := account.Open(ctx, cmd, set)
	if err != nil {
		return nil, err
	}
	figures := rules.NewFigures(set, at)
	if err := a.AddOutcomes(ctx, figures); err != nil {
		return nil, err
	}
	if err := a.ReadReports(ctx, figures.Needs(), figures.Add); err != nil {
		return nil, err
	}
	if err := a.ReadPresent(ctx, figures); err != nil {
		return nil, err
	}
	kept, keptErr := readKept(cmd)
	runs, err := a.Decide(ctx, rules.Snapshot{Figures: figures, Kept: kept, MemoryUnknown: true})
	if err != nil {
		return nil, err
	}
	report := &previewReport{Decisions: []usher.Decision{}}
	for _, run := range runs {
		report.Decisions = slices.AppendSeq(report.Decisions, run.Decisions(nil))
	}
	report.Summary = sumPreview(report.Decisions)
	if keptErr != nil {
		report.Summary.KeptUnknown = keptErr.Error()
	}
	report.Summary.AsOf = at.In(set.Zone).Truncate(time.Second)
	if names := set.ReadsToday(); set.Day(at) < set.Day(time.Now()) {
		report.Summary.WholeDay = names
	} else {
		report.Summary.PartialDay = names
	}
	return report, nil
}

// readKept returns what people keep rules from.
func readKept(cmd *cobra.Command) (kept map[string]usher.Setting, err error) {
	err = connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) (err error) {
		kept, err = q.Settings().Kept(ctx)
		return err
	})
	return kept, err
}

// sumPreview counts the decisions of a preview.
func sumPreview(decisions []usher.Decision) previewSummary {
	s := previewSummary{Actions: map[usher.Action]int{}}
	for _, action := range usher.Actions() {
		s.Actions[action] = 0 // the summary has every action
	}
	campaigns := map[string]bool{}
	for _, d := range decisions {
		s.Actions[d.Action]++
		campaigns[d.Campaign] = true
		switch {
		case d.Bidding == nil:
			s.Creatives++
		case s.Numbers == nil:
			s.Numbers = map[usher.BiddingField]int{d.Bidding.Field: 1}
		default:
			s.Numbers[d.Bidding.Field]++
		}
	}
	s.Campaigns = len(campaigns)
	return s
}

func (p *previewReport) write(w io.Writer) error {
	if err := decisionTable(p.Decisions, false).Write(w); err != nil {
		return err
	}
	s := &p.Summary
	fmt.Fprintf(w, "\n%s in %s as of %s: %s. Nothing was sent.\n", s.subjects(), readable.Count(s.Campaigns, "campaign"), s.AsOf.Format("2006-01-02 15:04 MST"), s.actions())
	day := s.AsOf.Format(time.DateOnly)
	if len(s.WholeDay) > 0 {
		fmt.Fprintln(w, todayNote(day+", the whole day", s.WholeDay))
	}
	if len(s.PartialDay) > 0 {
		fmt.Fprintln(w, todayNote(day+" so far, without metrics of events", s.PartialDay))
	}
	if s.KeptUnknown != "" {
		fmt.Fprintf(w, "It is not known what people keep rules from: %s\n", readable.Printable(s.KeptUnknown))
	}
	return nil
}

// subjects says on what the preview decides.
func (s *previewSummary) subjects() string {
	var list []string
	if s.Creatives > 0 || len(s.Numbers) == 0 {
		list = append(list, readable.Count(s.Creatives, "creative"))
	}
	for _, field := range usher.BiddingFields() {
		if n := s.Numbers[field]; n > 0 {
			list = append(list, readable.Count(n, string(field)))
		}
	}
	return strings.Join(list, ", ")
}

// actions counts the actions, last those that are none, which are all others.
func (s *previewSummary) actions() string {
	var counts []string
	for _, action := range usher.Actions() {
		n := s.Actions[action]
		if n == 0 {
			continue
		}
		count := fmt.Sprintf("%s %s", readable.Number(int64(n)), action)
		if action == usher.None && len(counts) > 0 {
			count = "the other " + count
		}
		counts = append(counts, count)
	}
	if len(counts) == 0 {
		return "nothing to decide"
	}
	return strings.Join(counts, ", ")
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
		if d.Level != "" {
			if slices.ContainsFunc(decisions[:low], func(before usher.Decision) bool { return before.IsOneWith(&d) }) {
				low++
				continue // it is in the row of the first one
			}
			parts := partsOf(&d, decisions[low:])
			high = low + 1
			cells = []string{campaignsText(parts), subjectsText(parts), string(d.Action), d.Rule, togetherReason(&d)}
		}
		if dated {
			cells = append([]string{d.Date}, cells...)
		}
		table.Add(cells...)
		low = high
	}
	return table
}

// partsOf returns the decisions that are one with another, which a rule of level account made.
func partsOf(d *usher.Decision, decisions []usher.Decision) []usher.Decision {
	return slices.DeleteFunc(slices.Clone(decisions), func(other usher.Decision) bool { return !d.IsOneWith(&other) })
}

// campaignsText says of how many campaigns decisions are.
func campaignsText(parts []usher.Decision) string {
	campaigns := map[string]bool{}
	for i := range parts {
		campaigns[parts[i].Campaign] = true
	}
	return readable.Count(len(campaigns), "campaign")
}

// subjectsText counts the creatives, or the budgets or bids, of decisions.
func subjectsText(parts []usher.Decision) string {
	if b := parts[0].Bidding; b != nil {
		return readable.Count(len(parts), string(b.Field))
	}
	return readable.Count(len(parts), "creative")
}

// partsName counts what decisions are about, and the campaigns. If the creatives of a campaign were not
// read, it counts the campaigns only.
func partsName(parts []usher.Decision) string {
	if slices.ContainsFunc(parts, func(p usher.Decision) bool { return p.Creative == "" && p.Bidding == nil }) {
		return campaignsText(parts)
	}
	return subjectsText(parts) + " of " + campaignsText(parts)
}

// togetherReason returns the reason of a decision without what is different on each campaign.
func togetherReason(d *usher.Decision) string {
	if d.Bidding == nil {
		return d.Reason
	}
	return strings.Replace(d.Reason, fmt.Sprintf(" from %s to %s", readable.Exact(d.Bidding.From), d.Bidding.After()), "", 1)
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
