package settings

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

// LanesCommand returns usher lanes.
func LanesCommand() *cobra.Command {
	return command.Group("lanes", "List, pause and resume lanes", lanesList(),
		changeLanes((*lanes.Lanes).Pause, "paused", command.About{
			Use: "pause LANE…", Short: "Pause lanes",
			Long: `Stop all workers from taking jobs from these lanes until 'usher lanes resume'. Running
jobs continue; the records of waiting jobs say why they wait.`,
			Example: "  usher lanes pause audience bulk --reason 'the platform is being moved'",
		}),
		changeLanes((*lanes.Lanes).Resume, "resumed", command.About{
			Use: "resume LANE…", Short: "Resume paused lanes",
			Long:    "Let workers take jobs from paused lanes again. Lanes that are not paused do not change.",
			Example: "  usher lanes resume audience bulk",
		}))
}

func laneWords() []string {
	var words []string
	for _, lane := range lanes.All() {
		words = append(words, string(lane))
	}
	return words
}

func lanesList() *cobra.Command {
	var now time.Time // of NATS
	return command.List[*queues.Queue, lanes.State]{
		About: command.About{
			Use: "ls", Aliases: []string{"list"},
			Short: "List lanes with their waiting and running jobs",
			Long: `List the lanes: audience is for jobs that read exports, bulk for the parts of large
exports, campaign for pauses and resumes, rules for evaluations of rules. WAITING counts
jobs that wait for a slot; RUNNING counts jobs that run, or wait for others on their
target or for their next attempt; OLDEST is the time since the oldest of all these jobs
was published.`,
			Example: "  usher lanes ls --json",
			JSON:    "an array of lanes",
		},
		On: connect.Queue(),
		Load: func(ctx context.Context, _ *command.Call, q *queues.Queue) ([]lanes.State, error) {
			now = q.Now()
			return q.Lanes().States(ctx)
		},
		Columns: []command.Column{
			{Header: "LANE"}, {Header: "WAITING", Right: true}, {Header: "RUNNING", Right: true}, {Header: "OLDEST", Right: true, Drop: 1}, {Header: "PAUSED", Cut: 1},
		},
		Row: func(l *lanes.State, times terminal.Times) []string {
			oldest, paused := "–", "–"
			if l.Oldest != nil {
				oldest = readable.Duration(now.Sub(*l.Oldest))
			}
			if l.Paused != nil {
				paused = strings.TrimSpace(fmt.Sprintf("by %s %s %s", l.Paused.By, times.Phrase(l.Paused.At), l.Paused.Reason))
			}
			return []string{string(l.Lane), readable.Number(l.Waiting), readable.Number(l.Running), oldest, paused}
		},
	}.Command()
}

// changeLanes returns an act on the lanes that are its arguments.
func changeLanes(do func(*lanes.Lanes, context.Context, lanes.Lane, audit.Act) error, done string, about command.About) *cobra.Command {
	about.Args = someLanes
	return command.Act[*queues.Queue, string]{
		About: about,
		On:    connect.Queue(),
		Do: func(ctx context.Context, c *command.Call, q *queues.Queue) (string, error) {
			var lines []string
			for _, word := range c.Args {
				if err := do(q.Lanes(), ctx, lanes.Lane(word), c.By()); err != nil {
					return "", err
				}
				lines = append(lines, fmt.Sprintf("lane %s %s", word, done))
			}
			return strings.Join(lines, "\n"), nil
		},
		Print: (*command.Call).Println,
	}.Command()
}

// someLanes accepts one lane or more.
func someLanes(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return command.Usagef("LANE is missing, one or more of %s: %s", strings.Join(laneWords(), ", "), cmd.UseLine())
	}
	for _, word := range args {
		if !lanes.Lane(word).Known() {
			return command.Usagef("there is no lane %q: accepted are %s%s", word, strings.Join(laneWords(), ", "), command.DidYouMean(word, laneWords()))
		}
	}
	return nil
}
