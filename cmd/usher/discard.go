package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"usher"
	"usher/queues"
)

func deadDiscard() *cobra.Command {
	d := discard{}
	cmd := &cobra.Command{
		Use:   "discard [SEQ…]",
		Short: "Remove dead letters for good",
		Long: `Removes dead letters for good; the jobs' records stay. It shows its plan first and
asks; --yes does not, --dry-run only shows. The end of input is a no.`,
		Example: `  usher dead discard 17
  usher dead discard --class invalid_job --until 720h --yes`,
		Args: cobra.ArbitraryArgs,
		RunE: d.run,
	}
	d.filter.addFlags(cmd)
	d.question.addFlags(cmd, "discard")
	return cmd
}

// discard is one run of usher dead discard.
type discard struct {
	filter   letterFlags
	question question
}

func (d *discard) run(cmd *cobra.Command, args []string) error {
	seqs, err := d.filter.seqs(cmd, args)
	if err != nil {
		return err
	}
	return d.filter.withQueue(cmd, func(ctx context.Context, q *queues.Queue, f queues.LetterFilter) error {
		letters, err := q.Letters(ctx, f)
		if err != nil {
			return err
		}
		if letters, err = namedLetters(letters, &d.filter, seqs, func(l usher.DeadLetter) uint64 { return l.Seq }); err != nil {
			return err
		}
		if err := writePlan(d.question.plan(cmd), letters, "to be discarded"); err != nil {
			return err
		}
		done := 0
		if len(letters) > 0 && d.question.goOn(cmd, fmt.Sprintf("Discard %s for good?", plural(int64(len(letters)), "letter"))) {
			for i := range letters {
				if err = q.Discard(ctx, letters[i].Seq); err != nil {
					break
				}
				done++
			}
		}
		if d.question.json {
			return errors.Join(err, writeJSON(cmd.OutOrStdout(), map[string]int{"discarded": done}))
		}
		d.question.conclude(cmd, done, "letter", "discarded")
		return err
	})
}
