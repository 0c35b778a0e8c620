package rules

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/settings"
)

func rulesStop() *cobra.Command {
	var who command.Actor
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "stop",
		Short: "Turn on the stop switch for all pauses and resumes",
		Long: `Turn on the stop switch of campaign actions. While it is on, no job sets the status of a
creative, whether the job comes from a rule, a budget engine or a person. Running jobs
stop before their next call. A job that finds the switch on ends done with the warning
stopped: 'usher rules start' does not run it again. Rules are still evaluated, but their
decisions are only recorded. The audit records who turned on the switch, when and why.`,
		Example: "  usher rules stop --reason 'incident 12: reports are wrong'",
		Args:    command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return setSwitch(cmd, asJSON, func(ctx context.Context, s *settings.Settings) error {
				return s.Set(ctx, usher.Setting{Kind: usher.StopSwitch}, who.Act())
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
		Short: "Turn off the stop switch",
		Long: `Turn off the stop switch. No earlier job is repeated: jobs that found it on have ended
with the warning stopped, and the next run of each rule decides anew.`,
		Example: "  usher rules start",
		Args:    command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return setSwitch(cmd, asJSON, func(ctx context.Context, s *settings.Settings) error {
				return s.TakeBack(ctx, usher.StopSwitch, "", audit.Act{Actor: command.ActorName(actor)})
			})
		},
	}
	cmd.Flags().StringVar(&actor, "actor", "", "person or system that acts, for the audit (default: the user of this system)")
	addSwitchFlags(cmd, &asJSON)
	return cmd
}

func addSwitchFlags(cmd *cobra.Command, asJSON *bool) {
	cmd.Flags().BoolVar(asJSON, "json", false, "print the state of the switch as JSON")
	connect.AddQueueFlags(cmd)
}

// switchState is the state of the stop switch, as printed by --json.
type switchState struct {
	Stopped bool       `json:"stopped"`
	Reason  string     `json:"reason,omitempty"`
	By      string     `json:"by,omitempty"`
	At      *time.Time `json:"at,omitempty"` // when it was set; nil if that was by hand
}

// setSwitch sets the stop switch with set and prints its new state.
func setSwitch(cmd *cobra.Command, asJSON bool, set func(context.Context, *settings.Settings) error) error {
	return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
		if err := set(ctx, q.Settings()); err != nil {
			return err
		}
		stop, err := q.Settings().Get(ctx, usher.StopSwitch, "")
		if err != nil {
			return err
		}
		if !asJSON {
			fmt.Fprintln(cmd.OutOrStdout(), describeSwitch(stop))
			return nil
		}
		state := switchState{Stopped: stop != nil}
		if stop != nil {
			state.Reason, state.By = stop.Reason, stop.By
			if !stop.At.IsZero() {
				state.At = &stop.At
			}
		}
		return terminal.WriteJSON(cmd.OutOrStdout(), state)
	})
}

// describeSwitch describes in one line the stop switch, which is nil if it is not set.
func describeSwitch(s *usher.Setting) string {
	if s == nil {
		return "campaign actions are on"
	}
	text := "campaign actions are STOPPED"
	if !s.At.IsZero() {
		text += " since " + readable.Time(s.At)
	}
	if s.By != "" {
		text += " by " + s.By
	}
	if s.Reason != "" {
		text += ": " + s.Reason
	}
	return readable.Printable(text) + "; 'usher rules start' turns them on again"
}
