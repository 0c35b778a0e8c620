package dead

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/internal/readable"
)

// discarded is the report of a discard.
type discarded struct {
	Count int `json:"discarded"`
}

func discard() *cobra.Command {
	var flags letterFlags
	return command.Act[selection, discarded]{
		About: command.About{
			Use: "discard [SEQ…]", SuggestFor: []string{"delete", "rm", "drop"},
			Short: "Delete dead letters permanently",
			Long: `Delete dead letters permanently; the jobs' records are kept. discard shows its plan and
asks for confirmation. --yes skips the question, and --dry-run only shows the plan.`,
			Example: `  usher dead discard 17 --reason 'published by mistake'
  usher dead discard --class invalid_job --until 720h --yes`,
			Args: cobra.ArbitraryArgs,
			JSON: planned,
		},
		On: flags.session(),
		Plan: func(ctx context.Context, c *command.Call, s selection) (plan command.Plan[discarded], err error) {
			survey, err := s.Survey(ctx, s.filter)
			if err != nil {
				return plan, err
			}
			if err := flags.mustMatch(survey.Count); err != nil {
				return plan, err
			}
			plan.Show = func(out io.Writer) error { return writePlan(out, &survey, "to be discarded") }
			if survey.Count == 0 {
				return plan, nil
			}
			plan.Question = fmt.Sprintf("Discard %s permanently?", readable.Count(survey.Count, "letter"))
			plan.Do = func(ctx context.Context) (discarded, error) {
				ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
				defer stop()
				done, err := s.Discard(ctx, survey.Filter, c.By())
				if ctx.Err() != nil {
					err = fmt.Errorf("discard dead letters: stopped after %d of %d; the others were kept", done, survey.Count)
				}
				return discarded{done}, err
			}
			return plan, nil
		},
		Verb: "discard", Done: "discarded",
		Print:   func(c *command.Call, d discarded) error { return c.Conclude(d.Count, "letter", "discarded") },
		Partial: true,
	}.Command()
}
