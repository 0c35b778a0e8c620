package ledger

import (
	"bufio"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/hashing"
	"usher/internal/ledger"
)

// exportCommand returns usher ledger export.
func exportCommand() *cobra.Command {
	heldOut := false
	return command.Task[*session]{
		About: command.About{
			Use:   "export TARGET",
			Short: "Print the digests of a target's members, or of its holdout",
			Long: `Print the digests of the members of a target, one in each line, as 32 lower-case hex digits
in ascending order: those of the newest generation with what other jobs have added and
removed since, without those that have lapsed. With --holdout, print the digests that the
last mirror has held out, to measure what the campaign did. What is on the suppression
list is never printed, so that a forgotten id is in no export. Digests of device ids are
personal data: keep them as you keep the ids. TARGET is segment/ID or campaign/CODE.`,
			Example: "  usher ledger export segment/17 --holdout > control.txt",
			Args:    command.ExactArgs("TARGET"),
			Flags: func(cmd *cobra.Command) {
				cmd.Flags().BoolVar(&heldOut, "holdout", false, "print the digests that the last mirror has held out")
			},
		},
		On: one(),
		Run: func(ctx context.Context, c *command.Call, s *session) error {
			return export(ctx, c, s, heldOut)
		},
	}.Command()
}

func export(ctx context.Context, c *command.Call, s *session, heldOut bool) error {
	head, err := s.head(ctx)
	if err != nil {
		return err
	}
	if heldOut {
		w, err := s.store.Withheld(ctx, &head)
		if err != nil {
			return err
		}
		if w == nil || w.Holdout == nil {
			return fmt.Errorf("export the holdout of %s: its last mirror has held out nothing; usher submit %s.mirror --holdout 10%%:KEY holds out a share", s.target, mirrors(s.target))
		}
	}
	out := bufio.NewWriterSize(c.Out(), 64<<10)
	line := make([]byte, 0, 33)
	err = s.store.Export(ctx, s.target, heldOut, func(d hashing.Digest) error {
		line = append(d.AppendHex(line[:0]), '\n')
		_, err := out.Write(line)
		return err
	})
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return fmt.Errorf("export the ledger of %s: %w", s.target, err)
	}
	return nil
}

// mirrors returns the family of the kind of jobs that mirror a target.
func mirrors(t ledger.Target) string {
	if t.IsSegment() {
		return "segment"
	}
	return "target"
}
