package outcomes

import (
	"context"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues"
	stored "usher/queues/outcomes"
)

func list() *cobra.Command {
	return command.List[*queues.Queue, stored.Kept]{
		About: command.About{
			Use: "ls", Aliases: []string{"list"},
			Short: "List the names of stored numbers",
			Long: `List the names of the numbers that are stored of an advertiser, with their campaigns and days.
COMPLETE counts the days on which campaigns without a row are 0.`,
			Example: "  usher outcomes ls --json",
			JSON:    "an array of names",
		},
		On: connect.Queue("advertiser"),
		Load: func(ctx context.Context, c *command.Call, q *queues.Queue) ([]stored.Kept, error) {
			cfg, err := config.Load(c.Cmd, os.LookupEnv)
			if err != nil {
				return nil, err
			}
			return stored.New(q).List(ctx, cfg.String("platform.advertiser"))
		},
		Columns: []command.Column{
			{Header: "NAME"}, {Header: "CAMPAIGNS", Right: true}, {Header: "NUMBERS", Right: true}, {Header: "FIRST", Drop: 2}, {Header: "LAST"},
			{Header: "COMPLETE", Right: true}, {Header: "DELIVERED", Drop: 1},
		},
		Row: func(k *stored.Kept, times terminal.Times) []string {
			return []string{
				k.Name, readable.Number(int64(k.Campaigns)), readable.Number(int64(k.Numbers)), k.First, k.Last,
				readable.Number(int64(k.Complete)), times.Text(k.Delivered),
			}
		},
		None: "no numbers are stored: usher outcomes put stores those of a file",
	}.Command()
}

func show() *cobra.Command {
	var campaign, from, to string
	return command.List[*queues.Queue, stored.Number]{
		About: command.About{
			Use:   "show NAME",
			Short: "Show the stored numbers of a name",
			Long: `Show the numbers that are stored of a name, with the time at which each became known, and the
numbers that it had before.`,
			Example: "  usher outcomes show installs --campaign SANDBOX1-summer --from 2026-03-01",
			Args:    command.ExactArgs("NAME"),
			Flags: func(cmd *cobra.Command) {
				cmd.Flags().StringVar(&campaign, "campaign", "", "only those of this campaign")
				cmd.Flags().StringVar(&from, "from", "", "only those from this `DATE` on")
				cmd.Flags().StringVar(&to, "to", "", "only those up to this `DATE`")
			},
			Check: func(*command.Call) error {
				for flag, date := range map[string]string{"from": from, "to": to} {
					if _, err := time.Parse(time.DateOnly, date); date != "" && err != nil {
						return command.Usagef("--%s takes a date, such as 2026-03-01, not %q", flag, date)
					}
				}
				return nil
			},
			JSON: "an array of numbers",
		},
		On: connect.Queue("advertiser"),
		Load: func(ctx context.Context, c *command.Call, q *queues.Queue) ([]stored.Number, error) {
			cfg, err := config.Load(c.Cmd, os.LookupEnv)
			if err != nil {
				return nil, err
			}
			return stored.New(q).Show(ctx, cfg.String("platform.advertiser"), stored.Filter{Name: c.Args[0], Campaign: campaign, From: from, To: to})
		},
		Columns: []command.Column{
			{Header: "DATE"}, {Header: "CAMPAIGN", Cut: 1}, {Header: "CREATIVE", Cut: 2, Drop: 3}, {Header: "NUMBER", Right: true}, {Header: "KNOWN", Drop: 2}, {Header: "BEFORE", Drop: 1},
		},
		Row: func(n *stored.Number, times terminal.Times) []string {
			var before []string
			for _, v := range n.Before {
				before = append(before, numberText(v.Number))
			}
			return []string{n.Date, n.Campaign, n.Creative, numberText(n.Number), times.Text(n.Known), strings.Join(before, ", ")}
		},
		None: "no numbers of this name are stored there: usher outcomes ls lists the names",
	}.Command()
}

// numberText returns a number, or that it is missing.
func numberText(number *float64) string {
	if number == nil {
		return "missing"
	}
	return strconv.FormatFloat(*number, 'f', -1, 64)
}
