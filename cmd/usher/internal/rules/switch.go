package rules

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues"
	"usher/queues/rulings"
)

func rulesStop() *cobra.Command {
	var reason, actor string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "stop",
		Short: "Throw the stop switch: nothing is paused or resumed any more",
		Long: `Throws the stop switch of campaign actions. From then on no job sets a creative's
status, whether a rule wants it or a budget engine: what is under way stops before
its next call, what waits says so and goes on after 'usher rules start', unless it
is too old by then (retry.campaign_age). Rules go on being evaluated; they only
record. Who threw it, when and why stands in the audit.`,
		Example: "  usher rules stop --reason 'incident 12: reports are wrong'",
		Args:    command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return turnSwitch(cmd, asJSON, func(ctx context.Context, s *rulings.StopSwitch) error {
				return s.Stop(ctx, reason, command.ActorName(actor))
			})
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why, for those who meet it and for the audit")
	addSwitchFlags(cmd, &actor, &asJSON)
	return cmd
}

func rulesStart() *cobra.Command {
	var actor string
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "start",
		Short:   "Release the stop switch",
		Long:    `Releases the stop switch: jobs that waited for it go on within six seconds.`,
		Example: "  usher rules start",
		Args:    command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return turnSwitch(cmd, asJSON, func(ctx context.Context, s *rulings.StopSwitch) error {
				return s.Start(ctx, command.ActorName(actor))
			})
		},
	}
	addSwitchFlags(cmd, &actor, &asJSON)
	return cmd
}

func addSwitchFlags(cmd *cobra.Command, actor *string, asJSON *bool) {
	cmd.Flags().StringVar(actor, "actor", "", "who wants it, for the audit (default: the user of this system)")
	cmd.Flags().BoolVar(asJSON, "json", false, "print how the switch stands as JSON")
	connect.AddQueueFlags(cmd)
}

// turnSwitch turns the stop switch and says how it stands.
func turnSwitch(cmd *cobra.Command, asJSON bool, turn func(context.Context, *rulings.StopSwitch) error) error {
	return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
		if err := turn(ctx, rulings.NewStopSwitch(q)); err != nil {
			return err
		}
		s, err := rulings.NewStopSwitch(q).Read(ctx)
		if err != nil {
			return err
		}
		if asJSON {
			return terminal.WriteJSON(cmd.OutOrStdout(), s)
		}
		fmt.Fprintln(cmd.OutOrStdout(), describeSwitch(s))
		return nil
	})
}

// describeSwitch says how the stop switch stands, in a line.
func describeSwitch(s rulings.Switch) string {
	if !s.Stopped {
		return "campaign actions are on"
	}
	said := "campaign actions are STOPPED"
	if s.At != nil {
		said += " since " + readable.Time(*s.At)
	}
	if s.By != "" {
		said += " by " + s.By
	}
	if s.Reason != "" {
		said += ": " + s.Reason
	}
	return readable.Printable(said) + "; 'usher rules start' turns them on"
}
