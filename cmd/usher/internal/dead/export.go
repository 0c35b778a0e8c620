package dead

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"usher/queues/letters"

	"github.com/spf13/cobra"

	"usher"
)

func deadExport() *cobra.Command {
	var filter letterFlags
	cmd := &cobra.Command{
		Use:   "export [SEQ…]",
		Short: "Write dead letters as NDJSON, one a line",
		Long: `Writes dead letters to stdout, a JSON object a line, oldest first: what 'usher dead
ls --json' prints, for other programs. Inline ids stand there as their count and
the query of a source's URL as ?…: it is for looking, a replay needs the letters.`,
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
