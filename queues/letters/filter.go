package letters

import (
	"context"
	"strings"
	"time"

	"usher"
	"usher/queues"
	"usher/queues/store"
)

// Filter selects letters. Zero fields match all.
type Filter struct {
	Seqs    []uint64    `json:"seqs,omitempty"` // only these numbers
	ID      string      `json:"id,omitempty"`
	Kind    usher.Kind  `json:"kind,omitempty"`
	Class   usher.Class `json:"class,omitempty"`
	Group   string      `json:"group,omitempty"` // the name of a usher.LetterGroup
	Match   string      `json:"match,omitempty"` // a substring of target, message or the message's shape, in any case
	Since   time.Time   `json:"since,omitzero"`
	Until   time.Time   `json:"until,omitzero"`
	Replay  string      `json:"replay,omitempty"`  // the name of the replay whose jobs have failed again
	Through uint64      `json:"through,omitempty"` // only numbers up to this one; 0: up to the newest letter when reading begins
	After   uint64      `json:"-"`                 // only higher numbers
	Before  uint64      `json:"-"`                 // only lower numbers; 0: all
	Limit   int         `json:"-"`                 // the maximum number of letters; 0: all
}

func (f *Filter) matches(l *queues.Letter) bool {
	return (f.Replay == "" || l.Replay == f.Replay) && f.matchesLetter(&l.DeadLetter)
}

func (f *Filter) matchesLetter(l *usher.DeadLetter) bool {
	return (f.ID == "" || l.ID != nil && *l.ID == f.ID) &&
		(f.Kind == "" || l.Kind == f.Kind) && (f.Class == "" || l.Class == f.Class) &&
		(f.Since.IsZero() || !l.At.Before(f.Since)) && (f.Until.IsZero() || !l.At.After(f.Until)) &&
		l.Seq > f.After && (f.Before == 0 || l.Seq < f.Before) && (f.Through == 0 || l.Seq <= f.Through) &&
		(f.Match == "" || f.matchesText(l)) && (f.Group == "" || causeOf(l).name() == f.Group)
}

func (f *Filter) matchesText(l *usher.DeadLetter) bool {
	match := strings.ToLower(f.Match)
	return strings.Contains(strings.ToLower(l.Message), match) || strings.Contains(strings.ToLower(l.Target), match) ||
		strings.Contains(strings.ToLower(shapeOf(l.Message)), match)
}

// clockSkew is the most by which clocks of workers and servers may differ.
// Reading begins that long before Since.
const clockSkew = 15 * time.Minute

// span selects the messages that may be letters that match.
func (f *Filter) span(n store.Names) store.Span {
	s := store.Span{Subject: n.Subject("usher.dead.>"), After: f.After, Through: f.Through, Limit: f.Limit}
	if f.Before > 0 && (s.Through == 0 || f.Before <= s.Through) {
		s.Through = max(f.Before-1, 1)
	}
	if f.Kind != "" || f.Class != "" {
		s.Subject = n.DeadLetters(f.Kind, f.Class)
	}
	if !f.Since.IsZero() {
		s.Since = f.Since.Add(-clockSkew)
	}
	return s
}

// bounded returns a filter that matches no letter written later.
func (ls *Letters) bounded(ctx context.Context, f Filter) (Filter, error) {
	if f.Through > 0 {
		return f, nil
	}
	newest, err := ls.Newest(ctx)
	f.Through = max(newest, 1) // an empty stream does not even have 1
	return f, err
}

// Newest returns the number of the newest letter that was ever written; 0 if there
// was none.
func (ls *Letters) Newest(ctx context.Context) (uint64, error) {
	stream, err := ls.stream(ctx)
	if err != nil {
		return 0, err
	}
	return stream.CachedInfo().State.LastSeq, nil
}
