package dead

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
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
	command.LimitVar(cmd, &l.limit, "letters", ", oldest first")
}

// given reports whether any filter was set.
func (l *letterFlags) given(cmd *cobra.Command) bool {
	return slices.ContainsFunc(letterFlagNames(), cmd.Flags().Changed)
}

// selection are the letters that a command works with.
type selection struct {
	*letters.Letters

	filter letters.Filter
}

// knowing returns the letters with what later jobs mean for them, for which it reads all records once.
func (s *selection) knowing() *letters.Letters {
	var once sync.Once
	var uploads *letters.Uploads
	var err error
	return s.Knowing(func(ctx context.Context) (*letters.Uploads, error) {
		once.Do(func() { uploads, err = s.AllUploads(ctx) })
		return uploads, err
	})
}

// session opens the letters that flags select, or the numbers in args, whose letters must exist.
func (l *letterFlags) session() command.Session[selection] {
	return command.Session[selection]{
		Flags: func(cmd *cobra.Command) {
			l.addFlags(cmd)
			connect.AddQueueFlags(cmd)
		},
		Open: func(cmd *cobra.Command, use func(ctx context.Context, s selection) error) error {
			f, err := l.filter(cmd, cmd.Flags().Args(), time.Now())
			if err != nil {
				return err
			}
			return connect.WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
				s := selection{letters.New(q), f}
				for _, seq := range f.Seqs {
					if _, err := s.Get(ctx, seq); errors.Is(err, letters.ErrNoLetter) {
						return noLetter(seq)
					} else if err != nil {
						return err
					}
				}
				return use(ctx, s)
			})
		},
	}
}

// filter returns the filter given by flags and arguments.
func (l *letterFlags) filter(cmd *cobra.Command, args []string, now time.Time) (letters.Filter, error) {
	f := letters.Filter{
		ID: l.id, Kind: usher.Kind(l.kind), Class: usher.Class(l.class), Group: l.group, Match: l.match,
		Since: l.since.At(now), Until: l.until.At(now), Limit: l.limit, After: l.after,
	}
	switch {
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
