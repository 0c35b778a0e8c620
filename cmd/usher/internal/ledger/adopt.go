package ledger

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/internal/ledger"
	"usher/internal/readable"
)

func adopt() *cobra.Command {
	a := adoption{}
	cmd := &cobra.Command{
		Use:   "adopt TARGET EXPORT",
		Short: "Take an export as what the platform holds",
		Long: `Take the ids of an export as what a target holds on the platform: they become the current
generation of its ledger. Nothing is sent. Use it before the first mirror of a target that
has ids already, or when a mirror has warned of no_ledger, and to mend a damaged ledger.
TARGET is segment/ID or campaign/CODE.

The export must have exactly the ids that the target holds now. An id that the target does
not hold, such as one that was removed or has expired, is never sent by later mirrors; one
that the export lacks stays in the target. If the export was wrong, run usher ledger drop:
the next mirror then sends all of its ids again.`,
		Example: "  usher ledger adopt segment/17 all.csv --profile idfa",
		Args:    command.ExactArgs("TARGET", "EXPORT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return openTarget(cmd, args[0], func(ctx context.Context, s *session, t ledger.Target) error {
				return a.run(ctx, s, t, args[1])
			})
		},
	}
	a.export.addFlags(cmd)
	a.question.addFlags(cmd)
	addFlags(cmd)
	return cmd
}

type adoption struct {
	export   export
	question question
}

func (a *adoption) run(ctx context.Context, s *session, t ledger.Target, file string) error {
	if err := s.mustBeIdle(ctx, t); err != nil {
		return err
	}
	c := &ledger.Comparison{Job: newID("adopt"), Run: run, Head: ledger.Head{V: 1, Target: t}, Today: ledger.DayOf(s.store.Now())}
	runs, rows, err := a.export.read(ctx, s.cmd, file, t, s.store, c.Job, nil)
	if err != nil {
		return err
	}
	c.Runs = runs
	confirmed, err := a.question.confirmed(s.cmd, fmt.Sprintf("Take the ids of %s as exactly what %s holds now? Later mirrors send none of them.", readable.Count(rows.Accepted, "row"), t))
	if !confirmed {
		return errors.Join(err, s.store.Discard(ctx, c))
	}
	if t.IsSegment() {
		if c.Duration, err = s.duration(ctx, t); err != nil {
			fmt.Fprintf(s.cmd.ErrOrStderr(), "warning: the segment's durationInDays is not known, so the next mirror uploads all ids again: %v\n", err)
		}
	}
	head, err := s.store.Adopt(ctx, c, rows.Accepted, a.export.profile.Profile)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("generation %d: %s", head.Generation, readable.Count(head.Fingerprint.Count, "id"))
	if err := s.queue.Audit().Setting(ctx, s.queue.Now(), "ledger of "+t.Name, "replaced", text, a.question.Act()); err != nil {
		return err
	}
	if _, err = fmt.Fprintf(s.cmd.OutOrStdout(), "%s: %s\n", t, text); err != nil {
		return fmt.Errorf("print generation: %w", err)
	}
	fmt.Fprintf(s.cmd.ErrOrStderr(), "hint: before the next mirror, usher ledger verify %s asks for a sample of them\n", t)
	return nil
}

// duration returns after how many days an id leaves a segment, or 0 if it stays.
func (s *session) duration(ctx context.Context, t ledger.Target) (int, error) {
	client, err := connect.NewLogin(s.cmd, s.config).Client(s.config)
	if err != nil {
		return 0, err
	}
	segment, err := client.Segments.Get(ctx, t.ID())
	if err != nil {
		return 0, err
	}
	return int(segment.DurationInDays), nil
}

func drop() *cobra.Command {
	var q question
	cmd := &cobra.Command{
		Use:     "drop TARGET",
		Short:   "Forget the ledger of a target",
		Long:    "Forget what a target holds. Nothing changes on the platform; the next mirror only adds. TARGET is segment/ID or campaign/CODE.",
		Example: "  usher ledger drop segment/17 --yes",
		Args:    command.ExactArgs("TARGET"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return openTarget(cmd, args[0], func(ctx context.Context, s *session, t ledger.Target) error {
				return s.drop(ctx, t, &q)
			})
		},
	}
	q.addFlags(cmd)
	addFlags(cmd)
	return cmd
}

func (s *session) drop(ctx context.Context, t ledger.Target, q *question) error {
	if _, err := s.head(ctx, t); err != nil && !errors.As(err, new(*ledger.DamagedError)) { // a damaged one may be dropped
		return err
	}
	if err := s.mustBeIdle(ctx, t); err != nil {
		return err
	}
	if confirmed, err := q.confirmed(s.cmd, fmt.Sprintf("Forget the ledger of %s?", t)); !confirmed {
		return err
	}
	if err := s.store.Drop(ctx, t); err != nil {
		return err
	}
	if err := s.queue.Audit().Setting(ctx, s.queue.Now(), "ledger of "+t.Name, "kept", "dropped", q.Act()); err != nil {
		return err
	}
	_, err := fmt.Fprintf(s.cmd.OutOrStdout(), "the ledger of %s is forgotten\n", t)
	return err
}
