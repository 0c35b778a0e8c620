package rules

import (
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
	"usher/internal/rules"
)

// yesterday is the value of --live without a date.
const yesterday = "yesterday"

// liveReport has what the rules of a file would have done on a day.
type liveReport struct {
	Date  string         `json:"date"`
	Rules []rules.Effect `json:"rules"`
}

// addLive adds to the report of each valid file what its rules would have done on a day.
func addLive(cmd *cobra.Command, reports []fileReport, date string) error {
	if _, err := time.Parse(time.DateOnly, date); err != nil && date != yesterday {
		return command.Usagef("--live takes a date, such as --live=2014-04-08, not %q", date)
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
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
	t := &terminal.Table{Header: []string{"RULE", "IN SCOPE", "PAUSES", "HELD", "UNKNOWN", "SPENT", "BY PAUSED", "BY HELD"}, Right: []int{2, 3, 4, 5, 6, 7, 8}}
	for _, e := range l.Rules {
		t.Add(e.Rule, readable.Number(int64(e.Creatives)), readable.Number(int64(e.Pauses)), readable.Number(int64(e.Held)), readable.Number(int64(e.Unknown)),
			formatMoney(e.Spend), formatMoney(e.PausedSpend)+", "+percentage(e.PausedSpend, e.Spend), formatMoney(e.HeldSpend)+", "+percentage(e.HeldSpend, e.Spend))
	}
	_ = t.Write(w) // the error is ignored, like those of fmt.Fprintf above
	for _, e := range l.Rules {
		if e.Decreases+e.Increases > 0 {
			fmt.Fprintf(w, "%s: %s and %s of budgets or bids\n", e.Rule, readable.Count(int64(e.Decreases), "decrease"), readable.Count(int64(e.Increases), "increase"))
		}
	}
}
