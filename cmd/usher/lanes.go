package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"usher/queues"
)

func lanesCommand() *cobra.Command {
	return group("lanes", "See, pause and resume lanes", lanesList(),
		laneSwitch("pause", "Take nothing more from lanes until they are resumed",
			`Has no worker take anything more from lanes until 'usher lanes resume'. What runs
goes on; what waits says why.`,
			"  usher lanes pause audience bulk --reason 'the platform is being moved'", "paused", (*queues.Queue).PauseLane),
		laneSwitch("resume", "Take from paused lanes again",
			"Has workers take from paused lanes again. A lane that is not paused stays as it is.",
			"  usher lanes resume audience bulk", "resumed", (*queues.Queue).ResumeLane))
}

func laneWords() []string {
	var words []string
	for _, lane := range queues.Lanes() {
		words = append(words, string(lane))
	}
	return words
}

func lanesList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "ls",
		Short: "List lanes: what waits, what runs, what is paused",
		Long: `Lists the lanes: audience takes jobs that read exports, bulk the parts of large
exports, campaign pauses and resumes, rules evaluations of rules. WAITING was
never taken yet; RUNNING was taken, and runs or waits for its next attempt;
OLDEST is how long ago the oldest of both was published.`,
		Example: "  usher lanes ls --json",
		Args:    none,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
				lanes, err := q.LaneStates(ctx)
				if err != nil {
					return err
				}
				if asJSON {
					return writeJSON(cmd.OutOrStdout(), lanes)
				}
				table := grid{header: []string{"LANE", "WAITING", "RUNNING", "OLDEST", "PAUSED"}, right: []int{2, 3, 4}}
				for _, l := range lanes {
					oldest, paused := "–", "–"
					if l.Oldest != nil {
						oldest = brief(time.Since(*l.Oldest))
					}
					if l.Paused != nil {
						paused = strings.TrimSpace(fmt.Sprintf("by %s at %s %s", l.Paused.By, clockTime(l.Paused.At), l.Paused.Reason))
					}
					table.add(string(l.Lane), number(l.Waiting), number(l.Running), oldest, paused)
				}
				return table.write(cmd.OutOrStdout())
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print an array of lanes")
	addQueueFlags(cmd)
	return cmd
}

// laneSwitch is a command that does something to lanes.
func laneSwitch(use, short, long, example, done string, do func(*queues.Queue, context.Context, queues.Lane, queues.Act) error) *cobra.Command {
	var who actor
	cmd := &cobra.Command{
		Use: use + " LANE…", Short: short, Long: long, Example: example,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("LANE is missing, one or more of %s: %s", strings.Join(laneWords(), ", "), cmd.UseLine())
			}
			for _, word := range args {
				if !queues.Lane(word).Known() {
					return usage("there is no lane %q: accepted are %s%s", word, strings.Join(laneWords(), ", "), didYouMean(word, laneWords()))
				}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return withQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
				for _, word := range args {
					if err := do(q, ctx, queues.Lane(word), who.act()); err != nil {
						return err
					}
					fmt.Fprintf(cmd.OutOrStdout(), "lane %s %s\n", word, done)
				}
				return nil
			})
		},
	}
	who.addFlags(cmd)
	addQueueFlags(cmd)
	return cmd
}
