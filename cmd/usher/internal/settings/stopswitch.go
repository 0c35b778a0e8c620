package settings

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/internal/readable"
	"usher/queues"
)

// StopSwitchCommand returns usher stop-switch.
func StopSwitchCommand() *cobra.Command {
	cmd := command.View[*queues.Queue, switchState]{
		About: command.About{
			Use: "stop-switch", Short: "Show the stop switch, and stop or start all campaign actions",
			Long: `Show whether the stop switch of campaign actions is on, and who turned it on, when and
why. While it is on, no job changes a creative, a budget or a bid, whether the job comes
from a rule, a budget engine or a person.`,
			Example: "  usher stop-switch --json",
			Args: func(cmd *cobra.Command, args []string) error {
				if len(args) > 0 {
					return command.UnknownCommand(cmd, args[0])
				}
				return nil
			},
			JSON: switchJSON,
		},
		On: connect.Queue(),
		Load: func(ctx context.Context, _ *command.Call, q *queues.Queue) (switchState, error) {
			return readSwitch(ctx, q)
		},
		Print: printSwitch,
	}.Command()
	command.Add(cmd, switchOn(), switchOff())
	return cmd
}

func switchOn() *cobra.Command {
	return changeSwitch(command.About{
		Use: "on", Short: "Stop all campaign actions",
		Long: `Turn on the stop switch. Running jobs stop before their next call. A job that finds the
switch on ends done with the warning stopped: 'usher stop-switch off' does not run it
again. Rules are still evaluated, but their decisions are only recorded.`,
		Example: "  usher stop-switch on --reason 'incident 12: reports are wrong'",
	}, "turn the switch on", "stopped", "Stop all changes of creatives, budgets and bids?",
		func(ctx context.Context, c *command.Call, q *queues.Queue, _ *usher.Setting) error {
			return q.Settings().Set(ctx, usher.Setting{Kind: usher.StopSwitch}, c.By())
		})
}

func switchOff() *cobra.Command {
	return changeSwitch(command.About{
		Use: "off", Short: "Start campaign actions again",
		Long: `Turn off the stop switch. No earlier job is repeated: jobs that found it on have ended
with the warning stopped, and the next run of each rule decides anew.`,
		Example: "  usher stop-switch off --reason 'incident 12 is over'",
	}, "turn the switch off", "started", "Start changes of creatives, budgets and bids again?",
		func(ctx context.Context, c *command.Call, q *queues.Queue, shown *usher.Setting) error {
			return q.Settings().TakeBackShown(ctx, usher.StopSwitch, "", shown, c.By())
		})
}

// changeSwitch returns an act on the stop switch. change receives the switch as the question shows it.
func changeSwitch(about command.About, verb, done, question string, change func(ctx context.Context, c *command.Call, q *queues.Queue, shown *usher.Setting) error) *cobra.Command {
	about.JSON = switchJSON
	return command.Act[*queues.Queue, switchState]{
		About: about,
		On:    connect.Queue(),
		Plan: func(ctx context.Context, c *command.Call, q *queues.Queue) (command.Plan[switchState], error) {
			shown, err := q.Settings().Get(ctx, usher.StopSwitch, "")
			if err != nil {
				return command.Plan[switchState]{}, err
			}
			asked := question
			if shown != nil {
				asked = describe(shown) + ". " + question
			}
			return command.Plan[switchState]{
				Question: asked,
				Do: func(ctx context.Context) (switchState, error) {
					if err := change(ctx, c, q, shown); err != nil {
						return switchState{}, err
					}
					return readSwitch(ctx, q)
				},
				Leave: func(ctx context.Context) (switchState, error) { return readSwitch(ctx, q) },
			}, nil
		},
		Verb: verb, Done: done,
		Print: printSwitch,
	}.Command()
}

// switchJSON is what --json prints of the switch.
const switchJSON = "the state of the switch as JSON"

// switchState is the state of the stop switch, as printed by --json.
type switchState struct {
	Stopped bool       `json:"stopped"`
	Reason  string     `json:"reason,omitempty"`
	By      string     `json:"by,omitempty"`
	At      *time.Time `json:"at,omitempty"` // when it was set; nil if that was by hand

	setting *usher.Setting // nil: it is off
}

func readSwitch(ctx context.Context, q *queues.Queue) (switchState, error) {
	stop, err := q.Settings().Get(ctx, usher.StopSwitch, "")
	if err != nil || stop == nil {
		return switchState{}, err
	}
	state := switchState{Stopped: true, Reason: stop.Reason, By: stop.By, setting: stop}
	if !stop.At.IsZero() {
		state.At = &stop.At
	}
	return state, nil
}

func printSwitch(c *command.Call, s switchState) error { return c.Println(DescribeSwitch(s.setting)) }

// DescribeSwitch describes in one line the stop switch, which is nil if it is off.
func DescribeSwitch(s *usher.Setting) string {
	if s == nil {
		return "campaign actions are not stopped"
	}
	return describe(s) + "; 'usher stop-switch off' starts them again"
}

// describe describes in one line a stop switch that is on.
func describe(s *usher.Setting) string {
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
	return readable.Printable(text)
}
