package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/spf13/cobra"
	"golang.org/x/time/rate"

	"usher"
	"usher/queues"
)

func deadReplay() *cobra.Command {
	r := replay{}
	cmd := &cobra.Command{
		Use:   "replay [SEQ…]",
		Short: "Publish dead letters' jobs again",
		Long: `Publishes the jobs of dead letters again, each as its next run, and removes the
letters. Uploads go on from their checkpoints where body and source are
unchanged.

It shows its plan first and asks; --yes does not, --dry-run only shows. The end
of input is a no. Left out, and said so, is what would put back ids that a newer
job has taken out, or what a newer pause or resume has superseded: --force
replays these too.`,
		Example: `  usher dead replay --id segment-add-2026-11-21-7kq2mzbd
  usher dead replay --class source_missing --since 24h --yes --rate 5/s
  usher dead replay 17 18 --dry-run`,
		Args: cobra.ArbitraryArgs,
		RunE: r.run,
	}
	r.filter.addFlags(cmd)
	r.question.addFlags(cmd, "replay")
	cmd.Flags().Var(&r.rate, "rate", "how many at most, as in 5/s or 100/m (default: as fast as the limits allow)")
	cmd.Flags().BoolVar(&r.force, "force", false, "also those that newer jobs have superseded")
	return cmd
}

// replay is one run of usher dead replay.
type replay struct {
	filter   letterFlags
	question question
	rate     rateValue
	force    bool
}

// replayReport is what --json prints.
type replayReport struct {
	Replayed int       `json:"replayed"`
	Skipped  []skipped `json:"skipped"`
}

// skipped is a letter that was left where it is.
type skipped struct {
	ID  *string `json:"id"`
	Seq uint64  `json:"seq"`
	Why string  `json:"why"`
}

func (r *replay) run(cmd *cobra.Command, args []string) error {
	seqs, err := r.filter.seqs(cmd, args)
	if err != nil {
		return err
	}
	return r.filter.withQueue(cmd, func(ctx context.Context, q *queues.Queue, f queues.LetterFilter) error {
		all, err := q.PlanReplay(ctx, f)
		if err != nil {
			return err
		}
		if all, err = namedLetters(all, &r.filter, seqs, func(p queues.Replay) uint64 { return p.Letter.Seq }); err != nil {
			return err
		}
		plan, report := r.split(all)
		if err := r.show(r.question.plan(cmd), plan, report.Skipped); err != nil {
			return err
		}
		if len(plan) > 0 && r.question.goOn(cmd, fmt.Sprintf("Replay %s?", plural(int64(len(plan)), "job"))) {
			err = r.carryOut(ctx, q, plan, &report)
		}
		if r.question.json {
			return errors.Join(err, writeJSON(cmd.OutOrStdout(), report))
		}
		r.question.conclude(cmd, report.Replayed, "job", "replayed")
		return err
	})
}

// split parts the letters to replay from those to leave out.
func (r *replay) split(all []queues.Replay) (plan []usher.DeadLetter, report replayReport) {
	report.Skipped = []skipped{}
	for _, p := range all {
		if p.Objection == "" || p.Forceable && r.force {
			plan = append(plan, p.Letter)
			continue
		}
		why := p.Objection
		if p.Forceable {
			why += " (--force replays it all the same)"
		}
		report.Skipped = append(report.Skipped, skipped{p.Letter.ID, p.Letter.Seq, why})
	}
	return plan, report
}

// show prints the plan: how many, by cause, a sample, and what is left out.
func (r *replay) show(w io.Writer, plan []usher.DeadLetter, left []skipped) error {
	if err := writePlan(w, plan, "to be replayed"); err != nil || len(left) == 0 {
		return err
	}
	fmt.Fprintf(w, "%s left out:\n", plural(int64(len(left)), "letter"))
	table := grid{header: []string{"SEQ", "ID", "WHY"}, right: []int{1}}
	for _, s := range left[:min(len(left), planSample)] {
		table.add(fmt.Sprint(s.Seq), letterID(&usher.DeadLetter{ID: s.ID}), s.Why)
	}
	if err := table.write(w); err != nil {
		return err
	}
	if more := len(left) - planSample; more > 0 {
		fmt.Fprintf(w, "… and %s more\n", number(int64(more)))
	}
	return nil
}

// carryOut replays the planned letters, one by one, until it is interrupted.
func (r *replay) carryOut(ctx context.Context, q *queues.Queue, plan []usher.DeadLetter, report *replayReport) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	limit := rate.NewLimiter(r.rate.limit(), 1)
	for i := range plan {
		err := limit.Wait(ctx)
		if err == nil {
			err = q.Replay(ctx, plan[i].Seq)
		}
		switch {
		case errors.Is(err, queues.ErrNoLetter):
			report.Skipped = append(report.Skipped, skipped{plan[i].ID, plan[i].Seq, "is gone: somebody else replayed or discarded it meanwhile"})
		case ctx.Err() != nil:
			return fmt.Errorf("replay dead letters: stopped after %d of %d; the others are where they were", report.Replayed, len(plan))
		case err != nil:
			return fmt.Errorf("%w; %d of %d were replayed, repeat the command for the others", err, report.Replayed, len(plan))
		default:
			report.Replayed++
		}
	}
	return nil
}
