package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/queues"
)

// letterFlags say which dead letters are meant.
type letterFlags struct {
	id, kind, class, match string
	since, until           pastValue
	limit                  int
}

// classWords are the reasons why jobs die.
func classWords() []string {
	var words []string
	for _, c := range []usher.Class{
		usher.InvalidJob, usher.SourceMissing, usher.SourceRefused, usher.SourceBroken, usher.Unauthorized, usher.Forbidden,
		usher.NotFound, usher.Refused, usher.Shrink, usher.TooManyRejects, usher.Exhausted, usher.Poison, usher.Deadline,
	} {
		words = append(words, string(c))
	}
	return words
}

func letterFlagNames() []string {
	return []string{"id", "kind", "class", "match", "since", "until", "limit"}
}

func (l *letterFlags) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&l.id, "id", "", "only letters of this job")
	choiceFlag(cmd, &l.kind, "kind", "only letters of jobs of this kind", kindWords()...)
	choiceFlag(cmd, &l.class, "class", "only letters of this class", classWords()...)
	flags.StringVar(&l.match, "match", "", "only letters with this text in target or message, in any case")
	flags.Var(&l.since, "since", "only letters from then on: RFC 3339, or a duration ago as in 24h")
	flags.Var(&l.until, "until", "only letters until then: RFC 3339, or a duration ago as in 1h")
	flags.IntVar(&l.limit, "limit", 0, "how many at most, oldest first (default all)")
	addQueueFlags(cmd)
}

// given reports whether any of them was.
func (l *letterFlags) given(cmd *cobra.Command) bool {
	return slices.ContainsFunc(letterFlagNames(), cmd.Flags().Changed)
}

func (l *letterFlags) withQueue(cmd *cobra.Command, use func(context.Context, *queues.Queue, queues.LetterFilter) error) error {
	if l.limit < 0 {
		return usage("flag --limit takes a number of letters, 0 for all")
	}
	now := time.Now()
	f := queues.LetterFilter{
		ID: l.id, Kind: usher.Kind(l.kind), Class: usher.Class(l.class), Match: l.match,
		Since: l.since.before(now), Until: l.until.before(now), Limit: l.limit,
	}
	if !f.Since.IsZero() && !f.Until.IsZero() && f.Until.Before(f.Since) {
		return usage("flag --until is earlier than --since: nothing could match")
	}
	return withQueue(cmd, func(ctx context.Context, q *queues.Queue) error { return use(ctx, q, f) })
}

// seqs are letters named by number. They stand for themselves, filters or none.
func (l *letterFlags) seqs(cmd *cobra.Command, args []string) ([]uint64, error) {
	if len(args) > 0 && l.given(cmd) {
		return nil, usage("letters are named by SEQ or by filters, not by both")
	}
	return parseSeqs(args)
}

// namedLetters are those of all that seqs name: all where it names none. Where a letter
// or job was named that has none, that is an error.
func namedLetters[T any](all []T, l *letterFlags, seqs []uint64, seqOf func(T) uint64) ([]T, error) {
	if len(all) == 0 && l.id != "" {
		return nil, fmt.Errorf("no dead letter of job %q matches: 'usher jobs show %s' says where it stands", l.id, l.id)
	}
	if len(seqs) == 0 {
		return all, nil
	}
	for _, seq := range seqs {
		if !slices.ContainsFunc(all, func(one T) bool { return seqOf(one) == seq }) {
			return nil, noLetter(seq)
		}
	}
	return slices.DeleteFunc(all, func(one T) bool { return !slices.Contains(seqs, seqOf(one)) }), nil
}
