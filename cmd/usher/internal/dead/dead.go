package dead

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
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

// Command returns usher dead.
func Command() *cobra.Command {
	return command.Group("dead", "List, watch, edit, replay and discard dead letters",
		deadList(), deadGroups(), deadWatch(), deadShow(), deadReplay(), deadEdit(), deadDiscard(), deadExport())
}

func deadList() *cobra.Command {
	var filter letterFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use: "ls", Aliases: []string{"list"},
		Short: "List dead letters, oldest first",
		Long: `List the failed jobs, oldest first. Letters that were replayed or discarded are not
listed. Letters are kept for 90 days.

Without --limit, the oldest 50 are printed, and how to see more; --json prints all. Letters
are printed as they are read. To read page by page, use --after with the last SEQ of the page
before.`,
		Example: `  usher dead ls --since 24h
  usher dead ls --class not_found --match 'segment 17' --json
  usher dead ls --limit 50 --after 1200`,
		Args: command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return filter.withLetters(cmd, nil, func(ctx context.Context, ls *letters.Letters, f letters.Filter) error {
				if asJSON {
					return writeLettersJSON(ctx, cmd.OutOrStdout(), ls, f)
				}
				if !cmd.Flags().Changed("limit") {
					f.Limit = defaultLetters
				}
				return writeLetters(ctx, cmd, ls, f)
			})
		},
	}
	filter.addFlags(cmd)
	cmd.Flags().Uint64Var(&filter.after, "after", 0, "only letters with a larger SEQ: the next page")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print an array of letters")
	return cmd
}

// writeLettersJSON prints an array of letters as they are read.
func writeLettersJSON(ctx context.Context, w io.Writer, ls *letters.Letters, f letters.Filter) error {
	out := bufio.NewWriterSize(w, 1<<16)
	n := 0
	err := ls.Each(ctx, f, func(l usher.DeadLetter) error {
		before := ",\n  "
		if n++; n == 1 {
			before = "[\n  "
		}
		fmt.Fprint(out, before) // Flush returns the error as well
		return writeNested(out, l)
	})
	after := "\n]\n"
	if n == 0 {
		after = "[]\n"
	}
	fmt.Fprint(out, after)
	return errors.Join(err, out.Flush())
}

// writeNested prints v as an element of an array.
func writeNested(w io.Writer, v any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetIndent("  ", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return fmt.Errorf("print JSON: %w", err)
	}
	_, err := w.Write(bytes.TrimRight(text.Bytes(), "\n"))
	return err
}

// defaultLetters is the number of letters that are listed without --limit.
const defaultLetters = 50

// tableRows is the number of rows for which column widths are computed together.
const tableRows = 1000

func writeLetters(ctx context.Context, cmd *cobra.Command, ls *letters.Letters, f letters.Filter) error {
	table := terminal.Table{Header: []string{"SEQ", "ID", "KIND", "TARGET", "CLASS", "AT", "MESSAGE"}, Right: []int{1}, Cut: []int{2, 4, 7}, Drop: []int{3, 2, 6}}
	times := command.Times(cmd)
	n, last, limit := 0, uint64(0), f.Limit
	if limit > 0 {
		f.Limit++ // to know whether there are more
	}
	err := ls.Each(ctx, f, func(l usher.DeadLetter) error {
		if n++; limit > 0 && n > limit {
			return nil
		}
		last = l.Seq
		table.Add(strconv.FormatUint(l.Seq, 10), records.LetterID(&l), string(l.Kind), l.Target, string(l.Class), times.Text(l.At), readable.Line(l.Message, 300))
		if len(table.Rows) < tableRows {
			return nil
		}
		err := table.Write(cmd.OutOrStdout())
		table.Rows = nil
		return err
	})
	if err == nil && len(table.Rows) > 0 {
		err = table.Write(cmd.OutOrStdout())
	}
	switch {
	case err != nil:
		return err
	case n == 0:
		fmt.Fprintln(cmd.ErrOrStderr(), "no dead letter matches")
	case limit > 0 && n > limit:
		fmt.Fprintf(cmd.ErrOrStderr(), "there are more: --after %d prints the next page, --limit 0 all; 'usher dead groups' counts them by cause\n", last)
	}
	return nil
}

func deadGroups() *cobra.Command {
	var filter letterFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "groups",
		Short: "Count dead letters by cause",
		Long: `Count dead letters by class, kind, target and message, largest group first. Messages
that differ only in numbers and ids are one group, in which # replaces them. The other
commands take the value of GROUP in --group.`,
		Example: `  usher dead groups --since 24h
  usher dead replay --group 3f9a21c0`,
		Args: command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return filter.withLetters(cmd, nil, func(ctx context.Context, ls *letters.Letters, f letters.Filter) error {
				groups, err := ls.Groups(ctx, f)
				if err != nil {
					return err
				}
				if asJSON {
					return terminal.WriteJSON(cmd.OutOrStdout(), groups)
				}
				if len(groups) == 0 {
					fmt.Fprintln(cmd.ErrOrStderr(), "no dead letter matches")
					return nil
				}
				return writeGroups(cmd.OutOrStdout(), groups, command.Times(cmd))
			})
		},
	}
	filter.addFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print an array of groups")
	return cmd
}

func writeGroups(w io.Writer, groups []usher.LetterGroup, times terminal.Times) error {
	table := terminal.Table{Header: []string{"COUNT", "CLASS", "KIND", "TARGET", "FIRST", "LAST", "SAMPLE", "GROUP", "MESSAGE"}, Right: []int{1}, Cut: []int{7, 4, 9}, Drop: []int{7, 5, 3}}
	for _, g := range groups {
		table.Add(readable.Number(int64(g.Count)), string(g.Class), string(g.Kind), g.Target, times.Text(g.First), times.Text(g.Last), g.Sample, g.Group, readable.Line(g.Message, 300))
	}
	return table.Write(w)
}

func noLetter(seq uint64) error {
	return fmt.Errorf("there is no dead letter %d: it was replayed or discarded, or never existed; 'usher dead ls' lists all letters", seq)
}

// parseSeqs parses the numbers of letters.
func parseSeqs(args []string) ([]uint64, error) {
	var seqs []uint64
	for _, arg := range args {
		seq, err := strconv.ParseUint(arg, 10, 64)
		if err != nil || seq == 0 {
			return nil, command.Usagef("SEQ is a letter's number as printed by 'usher dead ls', not %q; use --id for a job's id", arg)
		}
		seqs = append(seqs, seq)
	}
	return seqs, nil
}
