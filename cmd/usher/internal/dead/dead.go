package dead

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/jobs"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
)

// Command returns usher dead.
func Command() *cobra.Command {
	return command.Group("dead", "List, watch, edit, replay and discard dead letters",
		list(), groups(), watch(), show(), replayCommand(), editCommand(), discard(), export())
}

// noMatch is said if no letter matches the filters.
const noMatch = "no dead letter matches"

// defaultLetters is the number of letters that are listed without --limit.
const defaultLetters = 50

func list() *cobra.Command {
	var flags letterFlags
	page := func(c *command.Call) int {
		if !c.JSON && !c.Cmd.Flags().Changed("limit") {
			return defaultLetters
		}
		return flags.limit
	}
	return command.List[selection, usher.DeadLetter]{
		About: command.About{
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
			Flags: func(cmd *cobra.Command) {
				cmd.Flags().Uint64Var(&flags.after, "after", 0, "only letters with a larger SEQ: the next page")
			},
			JSON: "an array of letters",
		},
		On: flags.session(),
		Each: func(ctx context.Context, c *command.Call, s selection, visit func(usher.DeadLetter) error) error {
			if s.filter.Limit = page(c); s.filter.Limit > 0 && !c.JSON {
				s.filter.Limit++ // to know whether there are more
			}
			return s.knowing().Each(ctx, s.filter, visit)
		},
		Columns: []command.Column{
			{Header: "SEQ", Right: true}, {Header: "ID", Cut: 2}, {Header: "KIND", Drop: 1}, {Header: "TARGET", Cut: 1},
			{Header: "CLASS"}, {Header: "AT", Drop: 2}, {Header: "MESSAGE", Cut: 3},
		},
		Row: func(l *usher.DeadLetter, times terminal.Times) []string {
			return []string{
				strconv.FormatUint(l.Seq, 10), jobs.LetterID(l), string(l.Kind), usher.TargetLabel(l.TargetName, l.Target), string(l.Class), times.Text(l.At), readable.Line(messageOf(l), 300),
			}
		},
		None: noMatch,
		Page: page,
		More: func(last *usher.DeadLetter) string {
			return fmt.Sprintf("there are more: --after %d prints the next page, --limit 0 all; 'usher dead groups' counts them by cause", last.Seq)
		},
	}.Command()
}

func groups() *cobra.Command {
	var flags letterFlags
	return command.List[selection, usher.LetterGroup]{
		About: command.About{
			Use:   "groups",
			Short: "Count dead letters by cause",
			Long: `Count dead letters by class, kind, target and message, largest group first. Messages
that differ only in numbers and ids are one group, in which # replaces them. The other
commands take the value of GROUP in --group.`,
			Example: `  usher dead groups --since 24h
  usher dead replay --group 3f9a21c0`,
			JSON: "an array of groups",
		},
		On: flags.session(),
		Load: func(ctx context.Context, _ *command.Call, s selection) ([]usher.LetterGroup, error) {
			return s.knowing().Groups(ctx, s.filter)
		},
		Columns: []command.Column{
			{Header: "COUNT", Right: true}, {Header: "CLASS"}, {Header: "KIND", Drop: 3}, {Header: "TARGET", Cut: 2}, {Header: "FIRST", Drop: 2},
			{Header: "LAST"}, {Header: "SAMPLE", Cut: 1, Drop: 1}, {Header: "GROUP"}, {Header: "MESSAGE", Cut: 3},
		},
		Row: func(g *usher.LetterGroup, times terminal.Times) []string {
			return []string{
				readable.Number(int64(g.Count)), string(g.Class), string(g.Kind), usher.TargetLabel(g.TargetName, g.Target), times.Text(g.First), times.Text(g.Last), g.Sample, g.Group, readable.Line(causeOf(g), 300),
			}
		},
		None: noMatch,
	}.Command()
}

// messageOf says why a letter's job has failed, after that it is needless if it is.
func messageOf(l *usher.DeadLetter) string {
	if l.Later != nil && l.Later.Needless {
		return "needless: " + l.Later.String() + "; the job failed with: " + l.Message
	}
	return l.Message
}

// causeOf says why the jobs of a group have failed, after how many of its letters are needless.
func causeOf(g *usher.LetterGroup) string {
	switch g.Needless {
	case 0:
		return g.Message
	case g.Count:
		return "needless: " + g.Later.String() + "; the job failed with: " + g.Message
	}
	return fmt.Sprintf("%s of them needless; %s", readable.Number(int64(g.Needless)), g.Message)
}

func export() *cobra.Command {
	var flags letterFlags
	return command.Task[selection]{
		About: command.About{
			Use:   "export [SEQ…]",
			Short: "Write dead letters as NDJSON",
			Long: `Write dead letters to stdout, one JSON object per line, oldest first, with the fields of
'usher dead ls --json'. Inline ids are replaced by a count and the query of a URL by ?…,
so an export cannot be replayed.`,
			Example: `  usher dead export > letters.ndjson
  usher dead export --since 24h | jq -r .target | sort | uniq -c`,
			Args: cobra.ArbitraryArgs,
		},
		On: flags.session(),
		Run: func(ctx context.Context, c *command.Call, s selection) error {
			out := bufio.NewWriterSize(c.Out(), 1<<16)
			lines := json.NewEncoder(readable.Escaped(out))
			lines.SetEscapeHTML(false)
			err := s.knowing().Each(ctx, s.filter, func(l usher.DeadLetter) error {
				if err := lines.Encode(l); err != nil {
					return fmt.Errorf("write letter %d: %w", l.Seq, err)
				}
				return nil
			})
			return errors.Join(err, out.Flush())
		},
	}.Command()
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
