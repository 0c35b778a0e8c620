package limits

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
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

// Command returns usher limits.
func Command() *cobra.Command {
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
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Show the rate limit of every advertiser",
		Long: `Show how many calls per second all workers together may make for each advertiser,
whether the limit is configured or was set, and how long calls are stopped because the
platform has sent Retry-After.`,
		Example: "  usher limits show --json",
		Args:    command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
				reports, err := limitReports(ctx, cmd, q)
				if err != nil {
					return err
				}
				if asJSON {
					return terminal.WriteJSON(cmd.OutOrStdout(), reports)
				}
				return writeLimits(cmd, reports)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print an array of limits")
	config.AddFlags(cmd, "nats", "namespace", "redis", "advertiser")
	return cmd
}

// limitReports returns the limit of the configured advertiser and all limits that were
// set.
func limitReports(ctx context.Context, cmd *cobra.Command, q *queues.Queue) ([]limitReport, error) {
	c, err := config.Load(cmd, os.LookupEnv)
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
		stopped, err := fleet.StoppedFor(ctx, rdb, c.String("namespace"), reports[i].Advertiser)
		if err != nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "warning: cannot read from Redis whether calls are stopped: %v\n", err)
			break
		}
		reports[i].Stopped = stopped.Seconds()
	}
	return reports, nil
}

func writeLimits(cmd *cobra.Command, reports []limitReport) error {
	table := terminal.Table{Header: []string{"ADVERTISER", "CALLS/S", "BURST", "RESERVE", "SET BY", "STOPPED FOR"}, Right: []int{2, 3, 4}, Cut: []int{5}, Drop: []int{3, 4}}
	for _, r := range reports {
		burst, by, stopped := "auto", "configuration", "–"
		if r.Burst > 0 {
			burst = readable.Number(int64(r.Burst))
		}
		if r.Set {
			by = fmt.Sprintf("%s %s %s", r.By, command.Times(cmd).Phrase(r.At), r.Reason)
		}
		if r.Stopped > 0 {
			stopped = readable.Duration(time.Duration(r.Stopped * float64(time.Second)))
		}
		table.Add(r.Advertiser, fmt.Sprintf("%g", r.PerSecond), burst, fmt.Sprintf("%g %%", r.Reserve()), by, stopped)
	}
	return table.Write(cmd.OutOrStdout())
}

func limitsSet() *cobra.Command {
	var who command.Actor
	var rate command.Rate
	var burst int
	var reserve float64
	var asConfigured bool
	cmd := &cobra.Command{
		Use:   "set",
		Short: "Set the rate limit of an advertiser",
		Long: `Set how many calls per second all workers together may make for an advertiser. The
limit applies within seconds, until it is reset by --as-configured.`,
		Example: `  usher limits set --rate 20/s --reason 'the platform asked us to'
  usher limits set --as-configured`,
		Args: command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case asConfigured == (rate.PerSecond > 0):
				return command.Usagef("give either --rate, such as --rate 20/s, or --as-configured: %s", cmd.UseLine())
			case burst < 0:
				return command.Usagef("flag --burst takes a number of calls, or 0 for a default that depends on the rate")
			case reserve < 0 || reserve > 90:
				return command.Usagef("flag --reserve-percent takes 0 to 90")
			}
			return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
				c, err := config.Load(cmd, os.LookupEnv)
				if err != nil {
					return err
				}
				advertiser := c.String("platform.advertiser")
				if asConfigured {
					err = q.Settings().TakeBack(ctx, usher.RateLimit, advertiser, who.Act())
				} else {
					limit := usher.Setting{Kind: usher.RateLimit, Name: advertiser, Rate: usher.Rate{PerSecond: rate.PerSecond, Burst: burst, ReservePercent: reserve}}
					err = q.Settings().Set(ctx, limit, who.Act())
				}
				if err == nil {
					fmt.Fprintf(cmd.OutOrStdout(), "limit of %s set\n", advertiser)
				}
				return err
			})
		},
	}
	cmd.Flags().Var(&rate, "rate", "maximum rate, such as 20/s or 600/m")
	cmd.Flags().IntVar(&burst, "burst", 0, "calls that may be sent at once after an idle time (default depends on the rate)")
	cmd.Flags().Float64Var(&reserve, "reserve-percent", 0, "percentage of the rate reserved for campaign jobs, at least 1/s (default 20)")
	cmd.Flags().BoolVar(&asConfigured, "as-configured", false, "reset the limit to the configuration")
	who.AddFlags(cmd)
	config.AddFlags(cmd, "nats", "namespace", "advertiser")
	return cmd
}
