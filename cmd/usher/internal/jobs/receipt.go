package jobs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/terminal"
	"usher/hashing"
	"usher/internal/ledger"
	"usher/queues"
)

// writeDigests prints what became of each digest of a device.forget in each target, as a JSON
// array. It prints line by line, because there may be millions.
func writeDigests(ctx context.Context, cmd *cobra.Command, q *queues.Queue, id string) error {
	forget, err := q.Status().Forget(ctx, id)
	if err != nil {
		return unknownJob(id, err)
	}
	if forget == nil {
		return fmt.Errorf("job %s has no receipt: only a device.forget that has begun has one", id)
	}
	c, err := config.Load(cmd, os.LookupEnv)
	if err != nil {
		return err
	}
	store, err := connect.FindLedger(ctx, c, q)
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }()
	files := store.Receipts().Of(id, forget.Run)
	if len(forget.Targets) > 0 {
		if err := files.Open(ctx); err != nil {
			return fmt.Errorf("read the receipt of job %s: %w", id, err)
		}
	}
	return writeOutcomes(ctx, cmd.OutOrStdout(), files, forget)
}

func writeOutcomes(ctx context.Context, out io.Writer, files *ledger.Forgotten, forget *usher.Forget) error {
	array := terminal.NewArray(out, true)
	for i := range forget.Targets {
		e := &forget.Targets[i]
		err := files.EachOutcome(ctx, i, e, func(d hashing.Digest, o usher.Outcome) error {
			line := usher.ReceiptLine{Digest: d.String(), Target: e.Target, Outcome: o, Actor: forget.Actor}
			if o == usher.IsPending {
				line.Until = e.Until
			}
			return array.Add(&line)
		})
		if err != nil {
			return errors.Join(fmt.Errorf("read the receipt of %s: %w", e.Target, err), array.Flush())
		}
	}
	return array.Close()
}
