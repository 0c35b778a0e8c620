package ledger

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/internal/ledger"
	"usher/internal/readable"
)

func adopt() *cobra.Command {
	e := exportFlags{}
	return command.Act[*session, string]{
		About: command.About{
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
			Flags:   e.addFlags,
		},
		On: one(),
		Plan: func(ctx context.Context, c *command.Call, s *session) (command.Plan[string], error) {
			return s.planAdoption(ctx, c, &e)
		},
		Verb: "adopt", Done: "adopted",
		Print: (*command.Call).Println,
	}.Command()
}

// planAdoption reads the export into the ledger, where the plan makes it the current generation or
// discards it.
func (s *session) planAdoption(ctx context.Context, call *command.Call, e *exportFlags) (plan command.Plan[string], err error) {
	before, err := s.mustBeIdle(ctx)
	if err != nil {
		return plan, err
	}
	t := s.target
	_, revision, err := s.store.Head(ctx, t)
	if err != nil && !errors.Is(err, ledger.ErrNone) && !errors.As(err, new(*ledger.DamagedError)) { // adopt mends a damaged one
		return plan, err
	}
	var unknown error // why the segment's durationInDays is not known
	duration := 0
	if t.IsSegment() {
		var refused *usher.Permanent
		if duration, unknown = s.duration(ctx, call.Cmd); errors.As(unknown, &refused) && refused.Class == usher.NotFound {
			return plan, fmt.Errorf("adopt %s: the platform has no such segment (usher api segments list): %w", t, unknown)
		}
	}
	c := &ledger.Comparison{Duration: duration, Job: newID("adopt"), Run: run, Head: ledger.Head{V: 1, Target: t}, Revision: revision, Today: ledger.DayOf(s.store.Now())}
	runs, rows, err := e.read(ctx, call.Cmd, call.Args[1], t, s.store, c.Job, nil)
	if err != nil {
		return plan, err
	}
	c.Runs = runs
	return command.Plan[string]{
		Question: fmt.Sprintf("Take the ids of %s as exactly what %s holds now? Later mirrors send none of them.", readable.Count(rows.Accepted, "row"), t),
		Do: func(ctx context.Context) (string, error) {
			if unknown != nil {
				fmt.Fprintf(call.Errs(), "warning: the segment's durationInDays is not known, so the next mirror uploads all ids again: %v\n", unknown)
			}
			if err := s.mustBeAsBefore(ctx, before); err != nil {
				return "", errors.Join(err, s.store.Discard(ctx, c))
			}
			head, err := s.store.Adopt(ctx, c, rows.Accepted, e.profile.Profile)
			if err != nil {
				return "", s.overtaken(err)
			}
			text := fmt.Sprintf("generation %d: %s", head.Generation, readable.Count(head.Fingerprint.Count, "id"))
			if err := s.queue.Audit().Setting(ctx, s.queue.Now(), "ledger of "+t.Name, "replaced", text, call.By()); err != nil {
				return "", err
			}
			fmt.Fprintf(call.Errs(), "hint: before the next mirror, usher ledger verify %s asks for a sample of them\n", t)
			return fmt.Sprintf("%s: %s", t, text), nil
		},
		Leave: func(ctx context.Context) (string, error) { return "", s.store.Discard(ctx, c) },
	}, nil
}

// duration returns after how many days an id leaves the segment, or 0 if it stays.
func (s *session) duration(ctx context.Context, cmd *cobra.Command) (int, error) {
	client, err := connect.NewLogin(cmd, s.config).Client(s.config)
	if err != nil {
		return 0, err
	}
	segment, err := client.Segments.Get(ctx, s.target.ID())
	if err != nil {
		return 0, err
	}
	return int(segment.DurationInDays), nil
}

func drop() *cobra.Command {
	return command.Act[*session, string]{
		About: command.About{
			Use:     "drop TARGET",
			Short:   "Forget the ledger of a target",
			Long:    "Forget what a target holds. Nothing changes on the platform; the next mirror only adds. TARGET is segment/ID or campaign/CODE.",
			Example: "  usher ledger drop segment/17 --yes",
			Args:    command.ExactArgs("TARGET"),
		},
		On: one(),
		Plan: func(ctx context.Context, c *command.Call, s *session) (plan command.Plan[string], err error) {
			t := s.target
			_, revision, err := s.headAndRevision(ctx)
			if err != nil && !errors.As(err, new(*ledger.DamagedError)) { // a damaged one may be dropped
				return plan, err
			}
			before, err := s.mustBeIdle(ctx)
			if err != nil {
				return plan, err
			}
			plan.Question = fmt.Sprintf("Forget the ledger of %s?", t)
			plan.Do = func(ctx context.Context) (string, error) {
				if err := s.mustBeAsBefore(ctx, before); err != nil {
					return "", err
				}
				if err := s.store.Drop(ctx, t, revision); err != nil {
					return "", s.overtaken(err)
				}
				return fmt.Sprintf("the ledger of %s is forgotten", t), s.queue.Audit().Setting(ctx, s.queue.Now(), "ledger of "+t.Name, "kept", "dropped", c.By())
			}
			return plan, nil
		},
		Verb: "drop the ledger", Done: "dropped",
		Print: (*command.Call).Println,
	}.Command()
}
