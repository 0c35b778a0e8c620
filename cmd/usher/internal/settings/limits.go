package settings

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/fleet"
	"usher/internal/readable"
	"usher/queues"
)

// LimitsCommand returns usher limits.
func LimitsCommand() *cobra.Command {
	return command.Group("limits", "Show and set the platform's rate limits", limitsShow(), limitsSet())
}

// limitReport is an advertiser's limit, as printed by --json.
type limitReport struct {
	Advertiser string `json:"advertiser"`
	usher.Rate
	By      string    `json:"by"`
	Reason  string    `json:"reason,omitempty"`
	At      time.Time `json:"at"`
	Set     bool      `json:"set"`     // set at run time; otherwise configured
	Stopped float64   `json:"stopped"` // remaining seconds of the platform's Retry-After, during which no call is made
}

func limitsShow() *cobra.Command {
	return command.List[*queues.Queue, limitReport]{
		About: command.About{
			Use:   "show",
			Short: "Show the rate limit of every advertiser",
			Long: `Show how many calls per second all workers together may make for each advertiser,
whether the limit is configured or was set, and how long calls are stopped because the
platform has sent Retry-After.`,
			Example: "  usher limits show --json",
			JSON:    "an array of limits",
		},
		On:   connect.Queue("redis", "advertiser"),
		Load: limitReports,
		Columns: []command.Column{
			{Header: "ADVERTISER"}, {Header: "CALLS/S", Right: true}, {Header: "BURST", Right: true, Drop: 1}, {Header: "RESERVE", Right: true, Drop: 2},
			{Header: "SET BY", Cut: 1}, {Header: "STOPPED FOR"},
		},
		Row: limitRow,
	}.Command()
}

// limitReports returns the limit of the configured advertiser and all limits that were
// set.
func limitReports(ctx context.Context, call *command.Call, q *queues.Queue) ([]limitReport, error) {
	c, err := config.Load(call.Cmd, os.LookupEnv)
	if err != nil {
		return nil, err
	}
	set, err := q.Settings().List(ctx, usher.RateLimit)
	if err != nil {
		return nil, err
	}
	configured := c.String("platform.advertiser")
	reports := []limitReport{{Advertiser: configured, Rate: connect.PlatformRate(c)}}
	for _, advertiser := range slices.Sorted(maps.Keys(set)) {
		l := set[advertiser]
		if l.Damaged {
			l.Rate = connect.PlatformRate(c)
		}
		report := limitReport{Advertiser: advertiser, Rate: l.Rate, By: l.By, Reason: l.Reason, At: l.At, Set: true}
		if advertiser == configured {
			reports[0] = report
			continue
		}
		reports = append(reports, report)
	}
	rdb, err := connect.DialRedis(c)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rdb.Close() }()
	for i := range reports {
		stopped, err := fleet.BlockedFor(ctx, rdb, c.String("namespace"), reports[i].Advertiser)
		if err != nil {
			fmt.Fprintf(call.Errs(), "warning: cannot read from Redis whether calls are stopped: %v\n", err)
			break
		}
		reports[i].Stopped = stopped.Seconds()
	}
	return reports, nil
}

// limitRow returns the cells of a limit.
func limitRow(r *limitReport, times terminal.Times) []string {
	burst, by, stopped := "auto", "configuration", "–"
	if r.Burst > 0 {
		burst = readable.Number(int64(r.Burst))
	}
	if r.Set {
		by = strings.TrimSpace(fmt.Sprintf("%s %s %s", r.By, times.Phrase(r.At), r.Reason))
	}
	if r.Stopped > 0 {
		stopped = readable.Duration(time.Duration(r.Stopped * float64(time.Second)))
	}
	return []string{r.Advertiser, fmt.Sprintf("%g", r.PerSecond), burst, fmt.Sprintf("%g %%", r.Reserve()), by, stopped}
}

func limitsSet() *cobra.Command {
	var rate command.Rate
	var burst int
	var reserve float64
	var asConfigured bool
	return command.Act[*queues.Queue, string]{
		About: command.About{
			Use:   "set",
			Short: "Set the rate limit of an advertiser",
			Long: `Set how many calls per second all workers together may make for an advertiser. The
limit applies within seconds, until it is reset by --as-configured.`,
			Example: `  usher limits set --rate 20/s --reason 'the platform asked us to'
  usher limits set --as-configured`,
			Flags: func(cmd *cobra.Command) {
				cmd.Flags().Var(&rate, "rate", "maximum rate, such as 20/s or 600/m")
				cmd.Flags().IntVar(&burst, "burst", 0, "calls that may be sent at once after an idle time (default depends on the rate)")
				cmd.Flags().Float64Var(&reserve, "reserve-percent", 0, "percentage of the rate reserved for campaign jobs, at least 1/s (default 20)")
				cmd.Flags().BoolVar(&asConfigured, "as-configured", false, "reset the limit to the configuration")
			},
			Check: func(c *command.Call) error {
				switch {
				case asConfigured == (rate.PerSecond > 0):
					return command.Usagef("give either --rate, such as --rate 20/s, or --as-configured: %s", c.Cmd.UseLine())
				case burst < 0:
					return command.Usagef("flag --burst takes a number of calls, or 0 for a default that depends on the rate")
				case reserve < 0 || reserve > 90:
					return command.Usagef("flag --reserve-percent takes 0 to 90")
				}
				return nil
			},
		},
		On: connect.Queue("advertiser"),
		Do: func(ctx context.Context, call *command.Call, q *queues.Queue) (string, error) {
			c, err := config.Load(call.Cmd, os.LookupEnv)
			if err != nil {
				return "", err
			}
			advertiser := c.String("platform.advertiser")
			if asConfigured {
				err = q.Settings().TakeBack(ctx, usher.RateLimit, advertiser, call.By())
			} else {
				limit := usher.Setting{Kind: usher.RateLimit, Name: advertiser, Rate: usher.Rate{PerSecond: rate.PerSecond, Burst: burst, ReservePercent: reserve}}
				err = q.Settings().Set(ctx, limit, call.By())
			}
			return "limit of " + advertiser + " set", err
		},
		Print: (*command.Call).Println,
	}.Command()
}
