package rules

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
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

// backtestCommand is what `usher rules backtest` was asked for.
type backtestCommand struct {
	from, to string
	html     string
	json     bool
}

func rulesBacktest() *cobra.Command {
	b := &backtestCommand{}
	cmd := &cobra.Command{
		Use:   "backtest FILE --from DATE --to DATE",
		Short: "Try rules on days that have passed",
		Long: `Runs the rules of a file once a day over the platform's reports of days that have
passed, as of each day's end, and prints every decision that changes something,
what would not have been spent, and what would have been missed for it. Neither
NATS nor Redis is needed, and nothing is sent.

Every creative begins ACTIVE. What a rule paused stays paused until it resumes it,
and counts as not spent from the next day on, up to and including the day on which
it is resumed. The reports stay what they were: a day on which a creative was
paused here is judged by what it did in truth. Every rule acts, whatever its mode;
nobody approves what is held.`,
		Example: `  usher rules backtest budgets.yaml --from 2014-03-17 --to 2014-04-20
  usher rules backtest budgets.yaml --from 2014-03-17 --to 2014-04-20 --html backtest.html`,
		Args: command.ExactArgs("FILE"),
		RunE: b.run,
	}
	cmd.Flags().StringVar(&b.from, "from", "", "the first day, `DATE` as 2014-03-17")
	cmd.Flags().StringVar(&b.to, "to", "", "the last day, `DATE` as 2014-04-20")
	cmd.Flags().StringVar(&b.html, "html", "", "also write one self-contained page with charts to this `FILE`")
	cmd.Flags().BoolVar(&b.json, "json", false, "print decisions and summary as JSON")
	config.AddFlags(cmd, "platform", "username")
	return cmd
}

func (b *backtestCommand) run(cmd *cobra.Command, args []string) error {
	for flag, date := range map[string]string{"from": b.from, "to": b.to} {
		if _, err := time.Parse(time.DateOnly, date); err != nil {
			return command.Usagef("--%s takes a date, such as 2014-03-17, not %q", flag, date)
		}
	}
	if b.to < b.from {
		return command.Usagef("--to %s lies before --from %s", b.to, b.from)
	}
	set, err := loadRules(cmd, args[0])
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	outcome, err := b.backtest(ctx, cmd, set)
	if err != nil {
		return err
	}
	if b.html != "" {
		if err := writePage(b.html, set, outcome); err != nil {
			return err
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "the page with charts is %s\n", b.html)
	}
	if b.json {
		return terminal.WriteJSON(cmd.OutOrStdout(), outcome)
	}
	return writeBacktest(cmd.OutOrStdout(), outcome)
}

func (b *backtestCommand) backtest(ctx context.Context, cmd *cobra.Command, set *rules.Set) (*rules.Outcome, error) {
	a, err := account.Open(ctx, cmd, set)
	if err != nil {
		return nil, err
	}
	return a.Backtest(ctx, b.from, b.to)
}

// writePage writes the page whole, or not at all.
func writePage(path string, set *rules.Set, outcome *rules.Outcome) error {
	file, err := os.CreateTemp(filepath.Dir(path), ".backtest-*.html")
	if err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	defer os.Remove(file.Name()) //nolint:errcheck // it is there only when something failed, and that is said
	page := newBacktestPage(set, outcome)
	if _, err := io.WriteString(file, page.html()); err != nil {
		_ = file.Close() // the write's error says more
		return fmt.Errorf("write page %s: %w", path, err)
	}
	if err := file.Close(); err != nil {
		return fmt.Errorf("write page %s: %w", path, err)
	}
	if err := os.Chmod(file.Name(), 0o644); err != nil { //nolint:gosec // a page to be shown around
		return fmt.Errorf("write page %s: %w", path, err)
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	return nil
}

// writeBacktest prints what changed and what it came to.
func writeBacktest(w io.Writer, o *rules.Outcome) error {
	changes := slices.Clone(o.Decisions)
	changes = slices.DeleteFunc(changes, func(d usher.Decision) bool { return d.Action == usher.None || d.Action == usher.Unknown })
	if len(changes) == 0 {
		fmt.Fprintln(w, "No rule changed anything.")
	} else if err := decisionTable(changes, true).Write(w); err != nil {
		return err
	}
	s := o.Summary
	g := &terminal.Table{}
	g.Add("days", fmt.Sprintf("%d, %s to %s", s.Days, s.From, s.To))
	g.Add("in scope", fmt.Sprintf("%s of %s", readable.Count(int64(s.Creatives), "creative"), readable.Count(int64(s.Campaigns), "campaign")))
	g.Add("flips", fmt.Sprintf("%s: %s, %s", readable.Number(int64(s.Flips)), readable.Count(int64(s.Pauses), "pause"), readable.Count(int64(s.Resumes), "resume")))
	g.Add("held", readable.Count(int64(s.Held), "decision"))
	g.Add("unknown", readable.Count(int64(s.Unknown), "decision"))
	g.Add("spent", money(s.Spend))
	g.Add("not spent", fmt.Sprintf("%s, %s of it", money(s.Saved), partOf(s.Saved, s.Spend)))
	g.Add("missed", missedText(s.Missed))
	fmt.Fprintln(w)
	if err := g.Write(w); err != nil {
		return err
	}
	fmt.Fprintln(w)
	byRule := &terminal.Table{Header: []string{"RULE", "PAUSES", "RESUMES", "HELD", "UNKNOWN", "NOT SPENT", "MISSED"}, Right: []int{2, 3, 4, 5, 6}}
	for _, r := range s.Rules {
		byRule.Add(r.Rule, readable.Number(int64(r.Pauses)), readable.Number(int64(r.Resumes)), readable.Number(int64(r.Held)), readable.Number(int64(r.Unknown)), money(r.Saved), missedText(r.Missed))
	}
	return byRule.Write(w)
}

func missedText(m rules.Missed) string {
	return fmt.Sprintf("%s, %s, %s", readable.Count(int64(m.Impressions), "impression"), readable.Count(int64(m.Clicks), "click"), readable.Count(int64(m.Engagements), "engagement"))
}

// money is an amount of the account's currency: 1,234.56.
func money(v float64) string {
	cents := int64(v*100 + 0.5)
	return fmt.Sprintf("%s.%02d", readable.Number(cents/100), cents%100)
}

func partOf(part, whole float64) string {
	if whole == 0 {
		return "0 %"
	}
	return fmt.Sprintf("%.1f %%", part/whole*100)
}
