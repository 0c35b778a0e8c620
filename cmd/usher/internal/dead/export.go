package dead

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"usher"
	"usher/queues/letters"
)

func deadExport() *cobra.Command {
	var filter letterFlags
	cmd := &cobra.Command{
		Use:   "export [SEQ…]",
		Short: "Write dead letters as NDJSON",
		Long: `Write dead letters to stdout, one JSON object per line, oldest first, with the fields of
'usher dead ls --json'. Inline ids are replaced by a count and the query of a URL by ?…,
so an export cannot be replayed.`,
		Example: `  usher dead export > letters.ndjson
  usher dead export --since 24h | jq -r .target | sort | uniq -c`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return filter.withLetters(cmd, args, func(ctx context.Context, ls *letters.Letters, f letters.Filter) error {
				out := bufio.NewWriterSize(cmd.OutOrStdout(), 1<<16)
				lines := json.NewEncoder(out)
				lines.SetEscapeHTML(false)
				err := ls.Each(ctx, f, func(l usher.DeadLetter) error {
					if err := lines.Encode(l); err != nil {
						return fmt.Errorf("write letter %d: %w", l.Seq, err)
					}
					return nil
				})
				return errors.Join(err, out.Flush())
			})
		},
	}
	filter.addFlags(cmd)
	return cmd
}
