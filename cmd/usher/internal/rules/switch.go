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
	var who command.Actor
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "stop",
		Short: "Throw the stop switch of all pauses and resumes",
		Long: `Throw the stop switch of campaign actions. While it is thrown, no job sets the status of
a creative, whether the job comes from a rule, a budget engine or a person. Running
jobs stop before their next call. A job that finds the switch thrown ends done with
the warning stopped: 'usher rules start' does not fire it. Rules are still evaluated,
but their decisions are only recorded. The audit records who threw the switch, when
and why.`,
		Example: "  usher rules stop --reason 'incident 12: reports are wrong'",
		Args:    command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return setSwitch(cmd, asJSON, func(ctx context.Context, s *rulings.StopSwitch) error {
				act := who.Act()
				return s.Stop(ctx, act.Reason, act.Actor)
			})
		},
	}
	who.AddFlags(cmd)
	addSwitchFlags(cmd, &asJSON)
	return cmd
}

func rulesStart() *cobra.Command {
	var actor string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "start",
		Short: "Release the stop switch",
		Long: `Release the stop switch. It fires nothing old: jobs that found the switch thrown have
ended with the warning stopped, and the next run of each rule decides anew.`,
		Example: "  usher rules start",
		Args:    command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return setSwitch(cmd, asJSON, func(ctx context.Context, s *rulings.StopSwitch) error {
				return s.Start(ctx, command.ActorName(actor))
			})
		},
	}
	cmd.Flags().StringVar(&actor, "actor", "", "person or system that does it, for the audit (default: the user of this system)")
	addSwitchFlags(cmd, &asJSON)
	return cmd
}

func addSwitchFlags(cmd *cobra.Command, asJSON *bool) {
	cmd.Flags().BoolVar(asJSON, "json", false, "print the state of the switch as JSON")
	connect.AddQueueFlags(cmd)
}

// setSwitch sets the stop switch with set and prints its new state.
func setSwitch(cmd *cobra.Command, asJSON bool, set func(context.Context, *rulings.StopSwitch) error) error {
	return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
		if err := set(ctx, rulings.NewStopSwitch(q)); err != nil {
			return err
		}
		state, err := rulings.NewStopSwitch(q).Read(ctx)
		if err != nil {
			return err
		}
		if asJSON {
			return terminal.WriteJSON(cmd.OutOrStdout(), state)
		}
		fmt.Fprintln(cmd.OutOrStdout(), describeSwitch(state))
		return nil
	})
}

// describeSwitch describes the state of the stop switch in one line.
func describeSwitch(s rulings.Switch) string {
	if !s.Stopped {
		return "campaign actions are on"
	}
	text := "campaign actions are STOPPED"
	if s.At != nil {
		text += " since " + readable.Time(*s.At)
	}
	if s.By != "" {
		text += " by " + s.By
	}
	if s.Reason != "" {
		text += ": " + s.Reason
	}
	return readable.Printable(text) + "; 'usher rules start' turns them on again"
}
