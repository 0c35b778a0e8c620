package suppress

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/hashing"
	"usher/internal/ledger"
	"usher/queues"
)

// Command returns usher suppress.
func Command() *cobra.Command {
	return command.Group("suppress", "List and change the ids that no job uploads", list(), add(), remove(), rebuild())
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
			return connect.WithLedger(cmd, func(ctx context.Context, _ config.Config, _ *queues.Queue, store *ledger.Store) error {
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
