package suppress

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/hashing"
	"usher/internal/ledger"
	"usher/queues"
)

// Command returns usher suppress.
func Command() *cobra.Command {
	return command.Group("suppress", "List and change the ids that no job uploads", list(), add(), remove())
}

// open connects to NATS and opens the store of the list.
func open(cmd *cobra.Command, use func(ctx context.Context, q *queues.Queue, store *ledger.Store) error) error {
	c, err := config.Load(cmd, os.LookupEnv)
	if err != nil {
		return err
	}
	return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
		store, err := connect.FindLedger(ctx, c, q)
		if err != nil {
			return err
		}
		defer func() { _ = store.Close() }()
		return explain(use(ctx, q, store))
	})
}

// explain adds what to do about a damaged list.
func explain(err error) error {
	var permanent *usher.Permanent
	if errors.As(ledger.Judge(err), &permanent) && permanent.Hint != "" {
		return fmt.Errorf("%w\nhint: %s", err, permanent.Hint)
	}
	return err
}

func list() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "ls", Aliases: []string{"list"},
		Short: "List the suppressed digests",
		Long: `List the digests of the managed suppression list, which 'device.forget' jobs and 'usher
suppress add' have put there. The file of upload.suppression is not listed.`,
		Example: "  usher suppress ls --json",
		Args:    command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return open(cmd, func(ctx context.Context, _ *queues.Queue, store *ledger.Store) error {
				return write(ctx, cmd.OutOrStdout(), store.Suppression(), asJSON)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print an array of objects with a digest each")
	config.AddFlags(cmd, "nats", "namespace")
	return cmd
}

// write prints the digests one by one, because there may be millions.
func write(ctx context.Context, out io.Writer, list ledger.Suppression, asJSON bool) error {
	separator := "[\n  "
	err := list.Each(ctx, func(d hashing.Digest) error {
		text := d.String() + "\n"
		if asJSON {
			object, err := json.Marshal(map[string]string{"digest": d.String()})
			if err != nil {
				return fmt.Errorf("encode digest: %w", err)
			}
			text, separator = separator+string(object), ",\n  "
		}
		_, err := io.WriteString(out, text)
		return err
	})
	if err != nil || !asJSON {
		return err
	}
	end := "\n]\n"
	if separator == "[\n  " {
		end = "[]\n"
	}
	_, err = io.WriteString(out, end)
	return err
}
