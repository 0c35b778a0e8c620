package suppress

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/ledger"
	"usher/internal/readable"
	"usher/queues"
)

func rebuild() *cobra.Command {
	var yes bool
	var actor command.Actor
	cmd := &cobra.Command{
		Use:   "rebuild",
		Short: "Rebuild a damaged suppression list",
		Long: `Rebuild a suppression list that is damaged: of what can be read of its files, and of the
digests of all device.forget jobs whose receipts are kept (100 days). Ids that were added by
hand or forgotten before, and were in a file that is lost, must be added again. Ids of these
jobs that were taken off the list by hand are on it again. A list from a backup is better.`,
		Example: "  usher suppress rebuild",
		Args:    command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return connect.WithLedger(cmd, func(ctx context.Context, _ config.Config, q *queues.Queue, store *ledger.Store) error {
				if !yes {
					confirmed, err := terminal.Confirm(cmd.InOrStdin(), cmd.ErrOrStderr(), "Replace the suppression list by what can be read of it?")
					if !confirmed {
						return err
					}
				}
				return runRebuild(ctx, cmd, q, store, actor)
			})
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	actor.AddFlags(cmd)
	config.AddFlags(cmd, "nats", "namespace")
	return cmd
}

func runRebuild(ctx context.Context, cmd *cobra.Command, q *queues.Queue, store *ledger.Store, actor command.Actor) error {
	r, err := store.Suppression().Rebuild(ctx, newID())
	if errors.Is(err, ledger.ErrWhole) {
		return fmt.Errorf("rebuild: %w: nothing was changed", err)
	}
	if err != nil {
		return err
	}
	text := fmt.Sprintf("%s on the list; lost, at least in part: %s", readable.Count(r.Digests, "digest"), strings.Join(r.Lost, ", "))
	if err := q.Audit().Setting(ctx, q.Now(), "suppression list", "damaged", text, actor.Act()); err != nil {
		return err
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), text)
	return err
}
