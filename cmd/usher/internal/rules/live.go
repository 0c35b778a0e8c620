package rules

import (
	"context"
	"fmt"
	"io"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/account"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/internal/rules/backtest"
)

// yesterday is the value of --live without a date.
const yesterday = "yesterday"

// liveReport has what the rules of a file would have done on a day.
type liveReport struct {
	Date  string            `json:"date"`
	Rules []backtest.Effect `json:"rules"`
}

// addLive adds to the report of each valid file what its rules would have done on a day.
func addLive(ctx context.Context, cmd *cobra.Command, reports []fileReport, date string) error {
	if _, err := time.Parse(time.DateOnly, date); err != nil && date != yesterday {
		return command.Usagef("--live takes a date, such as --live=2014-04-08, not %q", date)
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	for i, report := range reports {
		if !report.Valid {
			continue
		}
		day := date
		if day == yesterday {
			day = time.Now().In(report.set.Zone).AddDate(0, 0, -1).Format(time.DateOnly)
		}
		a, err := account.Open(ctx, cmd, report.set)
		if err != nil {
			return err
		}
		effects, err := a.Effects(ctx, day)
		if err != nil {
			return err
		}
		reports[i].Live = &liveReport{day, effects}
	}
	return nil
}

func (l *liveReport) write(w io.Writer) {
	fmt.Fprintf(w, "\nWhat each rule alone would have done at the end of %s:\n", l.Date)
	creatives := &terminal.Table{Header: []string{"RULE", "IN SCOPE", "PAUSES", "HELD", "UNKNOWN", "SPENT", "BY PAUSED", "BY HELD"}, Right: []int{2, 3, 4, 5, 6, 7, 8}}
	numbers := &terminal.Table{Header: []string{"RULE", "DECREASES", "INCREASES", "HELD", "UNKNOWN", "SPENT", "BY CHANGED", "BY HELD"}, Right: []int{2, 3, 4, 5, 6, 7, 8}}
	var changes []backtest.NumberSummary
	for _, e := range l.Rules {
		share := func(n int, spend float64) string {
			if n == 0 && e.Unknown == 0 && e.Lacking > 0 { // all was decided, and nothing is of these
				return formatMoney(0)
			}
			return spendText(&e, spend, true)
		}
		held, unknown := readable.Number(int64(e.Held)), readable.Number(int64(e.Unknown))
		if e.Field != "" {
			numbers.Add(e.Rule, readable.Number(int64(e.Decreases)), readable.Number(int64(e.Increases)), held, unknown, spendText(&e, e.Spend, false), share(e.Decreases+e.Increases, e.ChangedSpend), share(e.Held, e.HeldSpend))
			changes = append(changes, e.ByNumber...)
			continue
		}
		creatives.Add(e.Rule, readable.Number(int64(e.Creatives)), readable.Number(int64(e.Pauses)), held, unknown, spendText(&e, e.Spend, false), share(e.Pauses, e.PausedSpend), share(e.Held, e.HeldSpend))
	}
	separator := ""
	for _, t := range []*terminal.Table{creatives, numbers, numberTable(changes)} {
		if len(t.Rows) > 0 {
			fmt.Fprint(w, separator)
			_ = t.Write(w) // the error is ignored, like those of fmt.Fprint above
			separator = "\n"
		}
	}
	for _, e := range l.Rules {
		if e.Note != "" {
			fmt.Fprintf(w, "%s%s: %s\n", separator, e.Rule, e.Note)
			separator = ""
		}
	}
}

// spendText returns a part of the spend of a rule's creatives: its share only if the report has the spend
// of all of them.
func spendText(e *backtest.Effect, spend float64, share bool) string {
	switch {
	case e.Lacking == e.Creatives && e.Creatives > 0:
		return "unknown"
	case e.Lacking > 0:
		return "at least " + formatMoney(spend)
	case !share:
		return formatMoney(spend)
	}
	return formatMoney(spend) + ", " + percentage(spend, e.Spend)
}
