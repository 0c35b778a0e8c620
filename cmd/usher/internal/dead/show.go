package dead

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/records"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues/letters"
)

func deadShow() *cobra.Command {
	var filter letterFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show [SEQ]",
		Short: "Show a dead letter",
		Long: `Show a dead letter: what failed, what to do about it, and the job as published. With
filters instead of SEQ, show all matching letters.`,
		Example: `  usher dead show 17 --json
  usher dead show --id crm-2026-03-01`,
		Args: command.RangeArgs(0, "SEQ"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && !filter.given(cmd) {
				return command.Usagef("SEQ or a filter such as --id is missing: %s", cmd.UseLine())
			}
			return filter.withLetters(cmd, args, func(ctx context.Context, ls *letters.Letters, f letters.Filter) error {
				if asJSON && len(f.Seqs) == 0 {
					return writeLettersJSON(ctx, cmd.OutOrStdout(), ls, f)
				}
				return showLetters(ctx, cmd, ls, f, &filter, asJSON)
			})
		},
	}
	filter.addFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the letter as JSON; with filters, an array")
	return cmd
}

// showLetters prints all matching letters.
func showLetters(ctx context.Context, cmd *cobra.Command, ls *letters.Letters, f letters.Filter, flags *letterFlags, asJSON bool) error {
	shown := 0
	err := ls.Each(ctx, f, func(l usher.DeadLetter) error {
		shown++
		if asJSON {
			return terminal.WriteJSON(cmd.OutOrStdout(), l)
		}
		if shown > 1 {
			fmt.Fprintln(cmd.OutOrStdout())
		}
		return writeLetter(cmd.OutOrStdout(), &l)
	})
	if err == nil {
		err = flags.mustMatch(shown)
	}
	if err == nil && shown == 0 {
		fmt.Fprintln(cmd.ErrOrStderr(), "no dead letter matches")
	}
	return err
}

func writeLetter(w io.Writer, l *usher.DeadLetter) error {
	facts := terminal.Table{}
	facts.Add("letter", strconv.FormatUint(l.Seq, 10))
	facts.Add("job", records.LetterID(l))
	facts.Add("kind", string(l.Kind))
	facts.Add("target", l.Target)
	facts.Add("error", fmt.Sprintf("%s: %s", l.Class, l.Message))
	facts.Add("hint", command.WithFlags(l.Hint))
	facts.Add("at", terminal.When(w, l.At))
	facts.Add("run", fmt.Sprintf("%d, %s, %s", l.Run, readable.Count(int64(l.Attempts), "attempt"), records.Crashes(l.Crashes)))
	if l.Trace != "" {
		facts.Add("trace", l.Trace)
	}
	if l.Edited != nil {
		facts.Add("edited", records.EditText(l.Edited))
	}
	if err := facts.Write(w); err != nil {
		return err
	}
	var job bytes.Buffer
	if len(l.Job) == 0 || json.Indent(&job, l.Job, "", "  ") != nil {
		job.Reset()
		job.WriteString("(the job is not readable)")
	}
	if _, err := fmt.Fprintln(w, job.String()); err != nil {
		return fmt.Errorf("print job: %w", err)
	}
	return nil
}
