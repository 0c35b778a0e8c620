package rules

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/account"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/internal/rules/backtest"
)

// backtestCommand has the flags of `usher rules backtest`, and what it works with.
type backtestCommand struct {
	from, to string
	html     string

	versions []version // one or two
}

func rulesBacktest() *cobra.Command {
	b := &backtestCommand{}
	return command.Task[command.Nothing]{
		About: command.About{
			Use:   "backtest FILE [OTHER] --from DATE --to DATE",
			Short: "Backtest rules on past days",
			Long: `Evaluate the rules of a file on the platform's reports of past days, once at the end
of each day, those with a schedule on days on which they are due. Print every decision that changes a creative, a budget or a bid, what each
budget and bid would have been set to, the spend that the rules would have saved, and
the impressions, clicks and engagements that would have been missed. The command sends nothing,
and needs neither Redis nor, unless a condition reads an outcome, NATS. Each day is decided by
the outcomes that were known at its end, and by the targets of today.

Every creative starts as ACTIVE. A creative that a rule pauses stays paused until the
rule resumes it. Its spend counts as not spent from the next day up to and including
the day on which it is resumed. The reports do not change: on a day on which a
creative is paused in the backtest, the rules still read what it really delivered.
Every rule acts, whatever its mode, and at any time: active_hours are ignored. Held
decisions are never approved.

With two versions of a file, both are run on the same days, and the sums and the
decisions in which they differ are printed side by side.`,
			Example: `  usher rules backtest budgets.yaml --from 2014-03-17 --to 2014-04-20
  usher rules backtest budgets.yaml --from 2014-03-17 --to 2014-04-20 --html backtest.html
  usher rules backtest budgets.yaml budgets-new.yaml --from 2014-03-17 --to 2014-04-20`,
			Args: command.RangeArgs(1, "FILE", "OTHER"),
			Flags: func(cmd *cobra.Command) {
				cmd.Flags().StringVar(&b.from, "from", "", "first day, a `DATE` such as 2014-03-17")
				cmd.Flags().StringVar(&b.to, "to", "", "last day, a `DATE` such as 2014-04-20")
				cmd.Flags().StringVar(&b.html, "html", "", "also write a self-contained page with charts to this `FILE`")
			},
			Check: b.check,
			JSON:  "decisions and summary as JSON",
		},
		On:  onPlatform("nats", "namespace"),
		Run: b.run,
	}.Command()
}

// check checks the days, and reads the rule files.
func (b *backtestCommand) check(c *command.Call) error {
	for flag, date := range map[string]string{"from": b.from, "to": b.to} {
		if _, err := time.Parse(time.DateOnly, date); err != nil {
			return command.Usagef("--%s takes a date, such as 2014-03-17, not %q", flag, date)
		}
	}
	if b.to < b.from {
		return command.Usagef("--to %s is earlier than --from %s", b.to, b.from)
	}
	b.versions = nil
	for _, path := range c.Args {
		set, err := loadRules(c.Cmd, path)
		if err != nil {
			return err
		}
		b.versions = append(b.versions, version{path: path, set: set})
	}
	if v := b.versions; len(v) == 2 && v[0].set.Account != v[1].set.Account {
		return fmt.Errorf("%s is for account %s, but %s is for account %s: compare two versions of one file", v[0].path, v[0].set.Account, v[1].path, v[1].set.Account)
	}
	return nil
}

func (b *backtestCommand) run(ctx context.Context, c *command.Call, _ command.Nothing) error {
	for i := range b.versions {
		a, err := account.Open(ctx, c.Cmd, b.versions[i].set)
		if err != nil {
			return err
		}
		if b.versions[i].outcome, err = a.Backtest(ctx, b.from, b.to); err != nil {
			return err
		}
	}
	if len(b.versions) == 2 {
		return b.compare(c, comparison{b.versions[0], b.versions[1]})
	}
	only := b.versions[0]
	if err := b.writePage(c, newBacktestPage(only.set, only.outcome).html()); err != nil {
		return err
	}
	if c.JSON {
		return terminal.WriteJSON(c.Out(), only.outcome)
	}
	return writeBacktest(c.Out(), only.outcome)
}

// compare prints two versions side by side.
func (b *backtestCommand) compare(c *command.Call, versions comparison) error {
	if err := b.writePage(c, versions.html()); err != nil {
		return err
	}
	if c.JSON {
		return terminal.WriteJSON(c.Out(), versions.report())
	}
	return versions.write(c.Out())
}

// writePage writes the page with charts if --html asks for one.
func (b *backtestCommand) writePage(c *command.Call, page string) error {
	if b.html == "" {
		return nil
	}
	if err := writeFile(b.html, page); err != nil {
		return err
	}
	fmt.Fprintf(c.Errs(), "page with charts written to %s\n", b.html)
	return nil
}

// writeFile writes a page to path. If it fails, it leaves path unchanged.
func writeFile(path, page string) error {
	file, err := os.CreateTemp(filepath.Dir(path), ".backtest-*.html")
	if err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	defer os.Remove(file.Name()) //nolint:errcheck // after the rename there is no such file; before it, the first error is returned
	if _, err := io.WriteString(file, page); err != nil {
		_ = file.Close() // the error of the write is more specific
		return fmt.Errorf("write page %s: %w", path, err)
	}
	if err := file.Close(); err != nil {
		return fmt.Errorf("write page %s: %w", path, err)
	}
	if err := os.Chmod(file.Name(), 0o644); err != nil { //nolint:gosec // a page that users share
		return fmt.Errorf("write page %s: %w", path, err)
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	return nil
}

// writeBacktest prints the decisions that change something, and the totals.
func writeBacktest(w io.Writer, o *backtest.Outcome) error {
	changes := slices.Clone(o.Decisions)
	changes = slices.DeleteFunc(changes, func(d usher.Decision) bool { return d.Action == usher.None || d.Action == usher.Unknown })
	if len(changes) == 0 {
		fmt.Fprintln(w, "No rule changed anything.")
	} else if err := decisionTable(changes, true).Write(w); err != nil {
		return err
	}
	if len(o.Summary.ByNumber) > 0 {
		fmt.Fprintln(w)
		if err := numberTable(o.Summary.ByNumber).Write(w); err != nil {
			return err
		}
	}
	fmt.Fprintln(w)
	if err := summaryTable(&o.Summary).Write(w); err != nil {
		return err
	}
	fmt.Fprintln(w)
	if err := summaryByRule(&o.Summary).Write(w); err != nil {
		return err
	}
	if note := notes(o); note != "" {
		fmt.Fprintf(w, "\n%s\n", note)
	}
	return nil
}

// notes returns what the tables of a backtest do not say.
func notes(o *backtest.Outcome) string {
	all := []string{gapNote(&o.Summary), ruleNote(&o.Summary), noticeNote(&o.Summary), unknownNote(o)}
	return strings.Join(slices.DeleteFunc(all, func(note string) bool { return note == "" }), " ")
}

// unknownNote names the rules that decided nothing because their figures are UNKNOWN, and why.
func unknownNote(o *backtest.Outcome) string {
	var notes []string
	for _, r := range o.Summary.Rules {
		isFirst := func(d usher.Decision) bool { return d.Rule == r.Rule && d.Action == usher.Unknown }
		at := slices.IndexFunc(o.Decisions, isFirst)
		if at < 0 || r.Pauses+r.Resumes+r.Decreases+r.Increases+r.Held > 0 {
			continue
		}
		d := o.Decisions[at]
		notes = append(notes, fmt.Sprintf("%s changed nothing: %s of its decisions are unknown, the first on %s, %s.", r.Rule, readable.Number(int64(r.Unknown)), d.Date, backtest.Example(d)))
	}
	return strings.Join(notes, " ")
}

// noticeNote lists how many findings each rule with notify would have reported.
func noticeNote(s *backtest.Summary) string {
	var counts []string
	for _, r := range s.Rules {
		if r.Notices > 0 {
			counts = append(counts, fmt.Sprintf("%s %s", r.Rule, readable.Number(int64(r.Notices))))
		}
	}
	if len(counts) == 0 {
		return ""
	}
	return "Findings that notify would have reported: " + strings.Join(counts, ", ") + "."
}

// ruleNote lists the rules that a backtest reads differently than a run does: their mode,
// active_hours, resume_when or window.
func ruleNote(s *backtest.Summary) string {
	var notes []string
	if s.KnownThen {
		notes = append(notes, "Each day was decided by the outcomes that were known at its end.")
	}
	if s.Targets != "" {
		notes = append(notes, "Each day was compared with the targets that "+s.Targets+" has now.")
	}
	if len(s.ReadAsAct) > 0 {
		notes = append(notes, "Every mode was read as act. Not in mode act: "+strings.Join(s.ReadAsAct, ", ")+".")
	}
	if len(s.WithoutHours) > 0 {
		notes = append(notes, "active_hours and active_days were ignored: "+strings.Join(s.WithoutHours, ", ")+".")
	}
	if len(s.NotDaily) > 0 {
		notes = append(notes, "Decided only on days on which they were due: "+strings.Join(s.NotDaily, ", ")+".")
	}
	most := "at most this"
	if s.SavedLacking > 0 {
		most = "at most this and what the report lacks"
	}
	if len(s.Until) > 0 {
		notes = append(notes, "Each day has one run, at its end: what until ends was resumed at the end of that day, and not at its beginning, so not spent is "+most+": "+strings.Join(s.Until, ", ")+".")
	}
	if len(s.AtMost) > 0 && s.Saved > 0 {
		notes = append(notes, "Not spent is "+most+" for rules with resume_when, which see the report's spend also while they pause: "+strings.Join(s.AtMost, ", ")+".")
	}
	if len(s.WholeDay) > 0 {
		notes = append(notes, todayNote("the whole day", s.WholeDay))
	}
	return strings.Join(notes, " ")
}

// todayNote says of what the window today had the row, and lists the rules that read it.
func todayNote(of string, names []string) string {
	return fmt.Sprintf("window: today was the report's row of %s: %s.", of, strings.Join(names, ", "))
}

func summaryTable(s *backtest.Summary) *terminal.Table {
	t := &terminal.Table{}
	t.Add("days", fmt.Sprintf("%d, %s to %s", s.Days, s.From, s.To))
	t.Add("in scope", fmt.Sprintf("%s of %s", readable.Count(int64(s.Creatives), "creative"), readable.Count(int64(s.Campaigns), "campaign")))
	t.Add("flips", fmt.Sprintf("%s: %s, %s", readable.Number(int64(s.Flips)), readable.Count(int64(s.Pauses), "pause"), readable.Count(int64(s.Resumes), "resume")))
	if n := s.Decreases + s.Increases; n > 0 {
		t.Add("budgets, bids", readable.Count(int64(n), "change")+": "+numberChanges(s))
	}
	t.Add("held", readable.Count(int64(s.Held), "decision"))
	t.Add("unknown", readable.Count(int64(s.Unknown), "decision"))
	t.Add("spent", bound(s.Lacking > 0)+formatMoney(s.Spend))
	if s.OnlyNumbers() {
		t.Add("not spent", "unknown")
		return t
	}
	t.Add("not spent", notSpent(s)+notSpentShare(s))
	t.Add("missed", savedBound(s, s.SavedLacking, "")+missedText(s.Missed))
	return t
}

// bound returns what precedes a sum that lacks something.
func bound(lacks bool) string {
	if lacks {
		return "at least "
	}
	return ""
}

// notSpent returns what pauses would have saved, and in which direction that is wrong.
func notSpent(s *backtest.Summary) string {
	if s.OnlyNumbers() {
		return "unknown"
	}
	return savedBound(s, s.SavedLacking, "") + formatMoney(s.Saved)
}

// savedBound returns what precedes a sum of a rule's pauses, or of all, that lacks something: it is no
// lower bound if it was an upper bound otherwise.
func savedBound(s *backtest.Summary, lacking int, rule string) string {
	most := slices.Concat(s.AtMost, s.Until)
	if lacking > 0 && (slices.Contains(most, rule) || rule == "" && len(most) > 0) {
		return "about "
	}
	return bound(lacking > 0)
}

// notSpentShare returns the share of the spend that pauses would have saved, if both are known.
func notSpentShare(s *backtest.Summary) string {
	if s.Lacking > 0 {
		return ""
	}
	return fmt.Sprintf(", %s of it", percentage(s.Saved, s.Spend))
}

// maxGaps is the number of campaigns without rows that a note names.
const maxGaps = 3

// gapNote says of which campaigns the report lacks rows.
func gapNote(s *backtest.Summary) string {
	if len(s.Gaps) == 0 {
		return ""
	}
	var names []string
	for _, g := range s.Gaps[:min(maxGaps, len(s.Gaps))] {
		names = append(names, fmt.Sprintf("%s on %d", g.Campaign, g.Days))
	}
	if more := len(s.Gaps) - maxGaps; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("The report lacks spend on some of the %s: %s.", readable.Count(s.Days, "day"), strings.Join(names, ", "))
}

// summaryByRule returns the sums of each rule. It has columns for budgets and bids if a rule
// changed one.
func summaryByRule(s *backtest.Summary) *terminal.Table {
	t := &terminal.Table{Header: []string{"RULE", "PAUSES", "RESUMES", "HELD", "UNKNOWN", "NOT SPENT", "MISSED"}, Right: []int{2, 3, 4, 5, 6}}
	numbers := s.Decreases+s.Increases > 0
	if numbers {
		t.Header = slices.Insert(t.Header, 3, "DECREASES", "INCREASES")
		t.Right = append(t.Right, 7, 8)
	}
	for _, r := range s.Rules {
		cells := []string{r.Rule, readable.Number(int64(r.Pauses)), readable.Number(int64(r.Resumes)), readable.Number(int64(r.Held)), readable.Number(int64(r.Unknown)), savedBound(s, r.Lacking, r.Rule) + formatMoney(r.Saved), savedBound(s, r.Lacking, r.Rule) + missedText(r.Missed)}
		if r.Field != "" {
			cells[5], cells[6] = "unknown", "unknown"
		}
		if numbers {
			cells = slices.Insert(cells, 3, readable.Number(int64(r.Decreases)), readable.Number(int64(r.Increases)))
		}
		t.Add(cells...)
	}
	return t
}

func missedText(m backtest.Missed) string {
	return fmt.Sprintf("%s, %s, %s", readable.Count(int64(m.Impressions), "impression"), readable.Count(int64(m.Clicks), "click"), readable.Count(int64(m.Engagements), "engagement"))
}

// formatMoney formats an amount in the account's currency, such as 1,234.56.
func formatMoney(v float64) string {
	cents := int64(v*100 + 0.5)
	return fmt.Sprintf("%s.%02d", readable.Number(cents/100), cents%100)
}

func percentage(part, whole float64) string {
	if whole == 0 {
		return "0 %"
	}
	return fmt.Sprintf("%.1f %%", part/whole*100)
}
