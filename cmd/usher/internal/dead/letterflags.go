package dead

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/queues"
	"usher/queues/letters"
)

// letterFlags are the filters for dead letters.
type letterFlags struct {
	id, kind, class, group, match string
	since, until                  command.Past
	limit                         int
	after                         uint64
}

func letterFlagNames() []string {
	return []string{"id", "kind", "class", "group", "match", "since", "until", "limit"}
}

func (l *letterFlags) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&l.id, "id", "", "only letters of this job")
	command.ChoiceVar(cmd, &l.kind, "kind", "only letters of jobs of this kind", command.Kinds()...)
	command.ChoiceVar(cmd, &l.class, "class", "only letters of this class", command.Classes()...)
	flags.StringVar(&l.group, "group", "", "only letters of this group, as printed by 'usher dead groups'")
	flags.StringVar(&l.match, "match", "", "only letters with this text in target or message, ignoring case")
	flags.Var(&l.since, "since", "only letters since this time: RFC 3339, or a duration before now such as 24h")
	flags.Var(&l.until, "until", "only letters until this time: RFC 3339, or a duration before now such as 1h")
	flags.IntVar(&l.limit, "limit", 0, "maximum number of letters, oldest first, 0 for all")
	connect.AddQueueFlags(cmd)
}

// given reports whether any filter was set.
func (l *letterFlags) given(cmd *cobra.Command) bool {
	return slices.ContainsFunc(letterFlagNames(), cmd.Flags().Changed)
}

// withLetters calls use with the filter given by flags, or by the numbers in args, whose
// letters must exist.
func (l *letterFlags) withLetters(cmd *cobra.Command, args []string, use func(context.Context, *letters.Letters, letters.Filter) error) error {
	f, err := l.filter(cmd, args, time.Now())
	if err != nil {
		return err
	}
	return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
		ls := letters.New(q)
		for _, seq := range f.Seqs {
			if _, err := ls.Get(ctx, seq); errors.Is(err, letters.ErrNoLetter) {
				return noLetter(seq)
			} else if err != nil {
				return err
			}
		}
		return use(ctx, ls, f)
	})
}

// filter returns the filter given by flags and arguments.
func (l *letterFlags) filter(cmd *cobra.Command, args []string, now time.Time) (letters.Filter, error) {
	f := letters.Filter{
		ID: l.id, Kind: usher.Kind(l.kind), Class: usher.Class(l.class), Group: l.group, Match: l.match,
		Since: l.since.At(now), Until: l.until.At(now), Limit: l.limit, After: l.after,
	}
	switch {
	case l.limit < 0:
		return f, command.Usagef("flag --limit takes a number of letters, 0 for all")
	case len(args) > 0 && l.given(cmd):
		return f, command.Usagef("select letters either by SEQ or by filters")
	case !f.Since.IsZero() && !f.Until.IsZero() && f.Until.Before(f.Since):
		return f, command.Usagef("flag --until is before --since: no letter can match")
	}
	var err error
	f.Seqs, err = parseSeqs(args)
	return f, err
}

// mustMatch returns an error if --id was given and no letter was found.
func (l *letterFlags) mustMatch(found int) error {
	if found == 0 && l.id != "" {
		return fmt.Errorf("no dead letter of job %q matches: 'usher jobs show %s' shows the job's state", l.id, l.id)
	}
	return nil
}
