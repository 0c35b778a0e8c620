package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"usher"
	"usher/queues"
)

func deadCommand() *cobra.Command {
	return group("dead", "See, replay and discard dead letters", deadList(), deadGroups(), deadShow(), deadReplay(), deadDiscard())
}

func deadList() *cobra.Command {
	var filter letterFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "ls",
		Short: "List dead letters, oldest first",
		Long: `Lists the jobs that died, oldest first. A letter that was replayed or discarded
is not listed any more; the others live 90 days.`,
		Example: `  usher dead ls --since 24h
  usher dead ls --class not_found --match 'segment 17' --json`,
		Args: none,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return filter.withQueue(cmd, func(ctx context.Context, q *queues.Queue, f queues.LetterFilter) error {
				letters, err := q.Letters(ctx, f)
				if err != nil {
					return err
				}
				if asJSON {
					return writeJSON(cmd.OutOrStdout(), letters)
				}
				return writeLetters(cmd, letters)
			})
		},
	}
	filter.addFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print an array of letters")
	return cmd
}

func writeLetters(cmd *cobra.Command, letters []usher.DeadLetter) error {
	if len(letters) == 0 {
		fmt.Fprintln(cmd.ErrOrStderr(), "no dead letter matches")
		return nil
	}
	table := grid{header: []string{"SEQ", "ID", "KIND", "TARGET", "CLASS", "AT", "MESSAGE"}, right: []int{1}}
	for _, l := range letters {
		table.add(strconv.FormatUint(l.Seq, 10), letterID(&l), string(l.Kind), l.Target, string(l.Class), clockTime(l.At), oneLine(l.Message, 60))
	}
	return table.write(cmd.OutOrStdout())
}

// letterID is the id of a letter's job, as far as one could be read.
func letterID(l *usher.DeadLetter) string {
	if l.ID == nil {
		return "–"
	}
	return *l.ID
}

func deadGroups() *cobra.Command {
	var filter letterFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "groups",
		Short:   "Count dead letters by cause, largest group first",
		Long:    `Counts dead letters by class, kind, target and message: what is wrong, how often.`,
		Example: "  usher dead groups --since 24h",
		Args:    none,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return filter.withQueue(cmd, func(ctx context.Context, q *queues.Queue, f queues.LetterFilter) error {
				groups, err := q.LetterGroups(ctx, f)
				if err != nil {
					return err
				}
				if asJSON {
					return writeJSON(cmd.OutOrStdout(), groups)
				}
				if len(groups) == 0 {
					fmt.Fprintln(cmd.ErrOrStderr(), "no dead letter matches")
					return nil
				}
				return writeGroups(cmd.OutOrStdout(), groups)
			})
		},
	}
	filter.addFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print an array of groups")
	return cmd
}

func writeGroups(w io.Writer, groups []usher.LetterGroup) error {
	table := grid{header: []string{"COUNT", "CLASS", "KIND", "TARGET", "LAST", "SAMPLE", "MESSAGE"}, right: []int{1}}
	for _, g := range groups {
		table.add(number(int64(g.Count)), string(g.Class), string(g.Kind), g.Target, clockTime(g.Last), g.Sample, oneLine(g.Message, 60))
	}
	return table.write(w)
}

func deadShow() *cobra.Command {
	var filter letterFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show [SEQ]",
		Short: "Show a dead letter",
		Long: `Shows all of a dead letter: what failed, on what, what to do, and the job as it
was published. With filters instead of SEQ it shows all that match.`,
		Example: `  usher dead show 17 --json
  usher dead show --id crm-2026-03-01`,
		Args: between(0, "SEQ"),
		RunE: func(cmd *cobra.Command, args []string) error {
			seqs, err := filter.seqs(cmd, args)
			if err != nil {
				return err
			}
			if len(args) == 0 && !filter.given(cmd) {
				return usage("SEQ is missing, or a filter such as --id: %s", cmd.UseLine())
			}
			return filter.withQueue(cmd, func(ctx context.Context, q *queues.Queue, f queues.LetterFilter) error {
				letters, err := q.Letters(ctx, f)
				if err != nil {
					return err
				}
				letters, err = namedLetters(letters, &filter, seqs, func(l usher.DeadLetter) uint64 { return l.Seq })
				switch {
				case err != nil:
					return err
				case asJSON && len(seqs) > 0:
					return writeJSON(cmd.OutOrStdout(), letters[0])
				case asJSON:
					return writeJSON(cmd.OutOrStdout(), letters)
				case len(letters) == 0:
					fmt.Fprintln(cmd.ErrOrStderr(), "no dead letter matches")
				}
				return writeAll(cmd.OutOrStdout(), letters)
			})
		},
	}
	filter.addFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the letter as JSON; with filters, an array")
	return cmd
}

// writeAll prints letters one below the other.
func writeAll(w io.Writer, letters []usher.DeadLetter) error {
	for i, l := range letters {
		if i > 0 {
			if _, err := fmt.Fprintln(w); err != nil {
				return fmt.Errorf("print letter: %w", err)
			}
		}
		if err := writeLetter(w, l); err != nil {
			return err
		}
	}
	return nil
}

func noLetter(seq uint64) error {
	return fmt.Errorf("there is no dead letter %d: it was replayed or discarded, or never was; 'usher dead ls' lists them", seq)
}

func writeLetter(w io.Writer, l usher.DeadLetter) error {
	facts := grid{}
	facts.add("letter", strconv.FormatUint(l.Seq, 10))
	facts.add("job", letterID(&l))
	facts.add("kind", string(l.Kind))
	facts.add("target", l.Target)
	facts.add("error", fmt.Sprintf("%s: %s", l.Class, l.Message))
	facts.add("hint", l.Hint)
	facts.add("at", clockTime(l.At))
	facts.add("run", fmt.Sprintf("%d, %s, %s", l.Run, plural(int64(l.Attempts), "attempt"), crashes(l.Crashes)))
	if err := facts.write(w); err != nil {
		return err
	}
	var job bytes.Buffer
	if len(l.Job) == 0 || json.Indent(&job, l.Job, "", "  ") != nil {
		job.Reset()
		job.WriteString("(no job could be read)")
	}
	if _, err := fmt.Fprintln(w, job.String()); err != nil {
		return fmt.Errorf("print job: %w", err)
	}
	return nil
}

// parseSeqs are letters by their numbers.
func parseSeqs(args []string) ([]uint64, error) {
	var seqs []uint64
	for _, arg := range args {
		seq, err := strconv.ParseUint(arg, 10, 64)
		if err != nil || seq == 0 {
			return nil, usage("SEQ is a letter's number as 'usher dead ls' prints it, not %q; for a job's id there is --id", arg)
		}
		seqs = append(seqs, seq)
	}
	return seqs, nil
}
