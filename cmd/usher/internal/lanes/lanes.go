package lanes

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/lanes"
)

// Command returns usher lanes.
func Command() *cobra.Command {
	return command.Group("lanes", "List, pause and resume lanes", lanesList(),
		laneSwitch("pause", "Pause lanes",
			`Stop all workers from taking jobs from these lanes until 'usher lanes resume'. Running
jobs continue; the records of waiting jobs say why they wait.`,
			"  usher lanes pause audience bulk --reason 'the platform is being moved'", "paused", (*lanes.Lanes).Pause),
		laneSwitch("resume", "Resume paused lanes",
			"Let workers take jobs from paused lanes again. Lanes that are not paused do not change.",
			"  usher lanes resume audience bulk", "resumed", (*lanes.Lanes).Resume))
}

func laneWords() []string {
	var words []string
	for _, lane := range lanes.All() {
		words = append(words, string(lane))
	}
	return words
}

func lanesList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "ls", Aliases: []string{"list"},
		Short: "List lanes with their waiting and running jobs",
		Long: `List the lanes: audience is for jobs that read exports, bulk for the parts of large
exports, campaign for pauses and resumes, rules for evaluations of rules. WAITING counts
jobs that no worker has taken; RUNNING counts jobs that run or wait for their next
attempt; OLDEST is the time since the oldest of all these jobs was published.`,
		Example: "  usher lanes ls --json",
		Args:    command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
				states, err := q.Lanes().States(ctx)
				if err != nil {
					return err
				}
				if asJSON {
					return terminal.WriteJSON(cmd.OutOrStdout(), states)
				}
				return laneTable(states, q.Now(), command.Times(cmd)).Write(cmd.OutOrStdout())
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print an array of lanes")
	connect.AddQueueFlags(cmd)
	return cmd
}

// laneTable returns a row for each lane.
func laneTable(states []lanes.State, now time.Time, times terminal.Times) *terminal.Table {
	table := &terminal.Table{Header: []string{"LANE", "WAITING", "RUNNING", "OLDEST", "PAUSED"}, Right: []int{2, 3, 4}, Cut: []int{5}, Drop: []int{4}}
	for _, l := range states {
		oldest, paused := "–", "–"
		if l.Oldest != nil {
			oldest = readable.Duration(now.Sub(*l.Oldest))
		}
		if l.Paused != nil {
			paused = strings.TrimSpace(fmt.Sprintf("by %s %s %s", l.Paused.By, times.Phrase(l.Paused.At), l.Paused.Reason))
		}
		table.Add(string(l.Lane), readable.Number(l.Waiting), readable.Number(l.Running), oldest, paused)
	}
	return table
}

// laneSwitch returns a command that changes the lanes named as arguments.
func laneSwitch(use, short, long, example, done string, do func(*lanes.Lanes, context.Context, lanes.Lane, audit.Act) error) *cobra.Command {
	var who command.Actor
	cmd := &cobra.Command{
		Use: use + " LANE…", Short: short, Long: long, Example: example,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return command.Usagef("LANE is missing, one or more of %s: %s", strings.Join(laneWords(), ", "), cmd.UseLine())
			}
			for _, word := range args {
				if !lanes.Lane(word).Known() {
					return command.Usagef("there is no lane %q: accepted are %s%s", word, strings.Join(laneWords(), ", "), command.DidYouMean(word, laneWords()))
				}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
				for _, word := range args {
					if err := do(q.Lanes(), ctx, lanes.Lane(word), who.Act()); err != nil {
						return err
					}
					fmt.Fprintf(cmd.OutOrStdout(), "lane %s %s\n", word, done)
				}
				return nil
			})
		},
	}
	who.AddFlags(cmd)
	connect.AddQueueFlags(cmd)
	return cmd
}
