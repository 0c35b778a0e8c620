package dead

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues/letters"
)

func deadDiscard() *cobra.Command {
	d := discard{}
	cmd := &cobra.Command{
		Use: "discard [SEQ…]", SuggestFor: []string{"delete", "rm", "drop"},
		Short: "Delete dead letters permanently",
		Long: `Delete dead letters permanently; the jobs' records are kept. discard shows its plan and
asks for confirmation. --yes skips the question, --dry-run only shows the plan, and the
end of input means no.`,
		Example: `  usher dead discard 17 --reason 'published by mistake'
  usher dead discard --class invalid_job --until 720h --yes`,
		Args: cobra.ArbitraryArgs,
		RunE: d.run,
	}
	d.filter.addFlags(cmd)
	d.question.addFlags(cmd, "discard")
	return cmd
}

// discard has the flags of usher dead discard.
type discard struct {
	filter   letterFlags
	question question
}

func (d *discard) run(cmd *cobra.Command, args []string) error {
	return d.filter.withLetters(cmd, args, func(ctx context.Context, ls *letters.Letters, f letters.Filter) error {
		survey, err := ls.Survey(ctx, f)
		if err != nil {
			return err
		}
		if err := d.filter.mustMatch(survey.Count); err != nil {
			return err
		}
		if err := writePlan(d.question.planOutput(cmd), &survey, "to be discarded"); err != nil {
			return err
		}
		done := 0
		if survey.Count > 0 && d.question.confirm(cmd, fmt.Sprintf("Discard %s permanently?", readable.Count(int64(survey.Count), "letter"))) {
			ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
			defer stop()
			done, err = ls.Discard(ctx, survey.Filter, d.question.Act())
			if ctx.Err() != nil {
				err = fmt.Errorf("discard dead letters: stopped after %d of %d; the others were kept", done, survey.Count)
			}
		}
		if d.question.json {
			return errors.Join(err, terminal.WriteJSON(cmd.OutOrStdout(), map[string]int{"discarded": done}))
		}
		d.question.conclude(cmd, done, "letter", "discarded")
		return err
	})
}
