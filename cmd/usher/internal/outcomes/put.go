package outcomes

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/internal/exports"
	"usher/internal/outcomes"
	"usher/internal/readable"
	"usher/queues"
	stored "usher/queues/outcomes"
)

// Command returns usher outcomes.
func Command() *cobra.Command {
	return command.Group("outcomes", "Store numbers from outside, such as installs, for conditions of rules", put(), list(), show())
}

// putCommand has the flags of usher outcomes put.
type putCommand struct {
	complete bool
	knownAt  string
	known    time.Time
	source   command.SourceFlags
}

func put() *cobra.Command {
	p := &putCommand{}
	return command.Act[*queues.Queue, stored.Report]{
		About: command.About{
			Use:   "put FILE",
			Short: "Store the numbers of a file",
			Long: `Store numbers from outside by date and campaign, for conditions such as
outcome.installs < 5. FILE is an export in any format that usher reads, on this machine or in an
allowed place; - reads stdin. It has the columns date and campaign, if need be creative, and one
for each number, whose name is that of the outcome:

  date,campaign,installs,revenue
  2026-03-01,SANDBOX1-summer,41,182.50

A number is identified by date, campaign, creative and name: storing it again changes nothing, and
another one replaces it from now on. What is stored keeps when it became known, so that backtests
decide by what was known on each day; --known-at says when that was for what is filled in later.

A campaign that has no row on a day counts as missing there, not as 0. With --complete, it is 0 on
the days that the file has, also if an older file had a number. An empty cell is missing.

A number that is not finite, and a row of a campaign or creative that the account does not have, are
named and not stored; the others are, and the exit code is 1.`,
			Example: `  usher outcomes put installs.csv --complete
  usher outcomes put revenue-2025.parquet --known-at 2026-01-02T06:00:00Z
  psql -c "COPY (SELECT day AS date, campaign, installs FROM …) TO STDOUT CSV HEADER" | usher outcomes put -`,
			Args:  command.ExactArgs("FILE"),
			Flags: p.addFlags,
			Check: p.check,
			JSON:  "what was stored, and what was refused",
		},
		On:      connect.Queue("advertiser", "platform", "username"),
		Do:      p.put,
		Print:   printReport,
		Failure: verdict,
	}.Command()
}

func (p *putCommand) addFlags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&p.complete, "complete", false, "campaigns without a row are 0 on the days that the file has")
	cmd.Flags().StringVar(&p.knownAt, "known-at", "", "when the numbers became known, a `TIME` such as 2026-03-02T06:00:00Z or a date (default now)")
	command.ChoiceVar(cmd, &p.source.Format, "format", "the export's format", "auto", "csv", "ndjson", "json", "parquet", "avro", "xlsx")
	cmd.Flags().StringVar(&p.source.Delimiter, "delimiter", "", "the delimiter of a csv: one character")
	cmd.Flags().StringVar(&p.source.Sheet, "sheet", "", "the sheet of an .xlsx workbook (default the first)")
	cmd.Flags().IntVar(&p.source.Skip.Lines, "skip", 0, "lines before the header")
}

func (p *putCommand) check(*command.Call) (err error) {
	if p.known, err = ParseKnown(p.knownAt); err != nil {
		return command.Usagef("--known-at %s: %w", p.knownAt, err)
	}
	return nil
}

// ParseKnown parses the time at which numbers became known; "" is now, which is the zero time.
func ParseKnown(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		known, err := time.Parse(layout, text)
		switch {
		case err == nil && known.After(time.Now().Add(time.Minute)):
			return known, fmt.Errorf("nothing is known in the future: leave it out for now")
		case err == nil:
			return known, nil
		}
	}
	return time.Time{}, fmt.Errorf("write a time such as 2026-03-02T06:00:00Z, or a date")
}

func (p *putCommand) put(ctx context.Context, c *command.Call, q *queues.Queue) (stored.Report, error) {
	table, err := p.table(ctx, c)
	if err != nil {
		return stored.Report{}, err
	}
	cfg, err := config.Load(c.Cmd, os.LookupEnv)
	if err != nil {
		return stored.Report{}, err
	}
	login := connect.NewLogin(c.Cmd, cfg)
	client, err := login.Paced(cfg)
	if err != nil {
		return stored.Report{}, err
	}
	d, err := Read(ctx, client, table, outcomes.Options{Account: login.Advertiser, Others: cfg.Strings("platform.advertisers"), Known: p.known, Complete: p.complete})
	if err != nil {
		return stored.Report{}, fmt.Errorf("%w%s", err, login.Hint(err))
	}
	report, err := stored.New(q).Put(ctx, d)
	if err != nil || report.Stored+report.Restated == 0 {
		return report, err
	}
	return report, q.Audit().Setting(ctx, q.Now(), "outcomes of "+login.Advertiser, "kept", numbersText(report), c.By())
}

// table reads the file.
func (p *putCommand) table(ctx context.Context, c *command.Call) (*exports.Table, error) {
	source := p.source.Source()
	if c.Args[0] == "-" {
		data, err := io.ReadAll(c.Cmd.InOrStdin())
		if err != nil {
			return nil, fmt.Errorf("read stdin: %w", err)
		}
		return exports.New(nil, exports.Options{}).TableOf(ctx, "stdin", data, source, outcomes.Wanted()...)
	}
	access, options, err := connect.LocateExport(c.Cmd, source, c.Args[0])
	if err != nil {
		return nil, err
	}
	defer access.Close()
	return exports.New(access, options).Table(ctx, source, outcomes.Wanted()...)
}

// numbersText says what was stored.
func numbersText(r stored.Report) string {
	return fmt.Sprintf("%s of %s stored, %s restated", readable.Count(r.Stored, "number"), strings.Join(r.Names, ", "), readable.Number(int64(r.Restated)))
}

// printReport prints what was stored on stdout, and what was refused on stderr.
func printReport(c *command.Call, r stored.Report) error {
	for i := range r.Refused {
		fmt.Fprintln(c.Errs(), "not stored: "+readable.Printable(r.Refused[i].String()))
	}
	text := numbersText(r)
	if r.Unchanged > 0 {
		text += fmt.Sprintf(", %s known already", readable.Number(int64(r.Unchanged)))
	}
	return c.Println(text)
}

func verdict(_ *command.Call, r stored.Report) error {
	if len(r.Refused) == 0 {
		return nil
	}
	return fmt.Errorf("%s: what they name is not stored, the rest is", readable.Count(len(r.Refused), "refusal"))
}
