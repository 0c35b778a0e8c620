package queues

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"usher/queues/store"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
)

// LetterFilter says which letters are meant. Zero fields take all.
type LetterFilter struct {
	ID           string
	Kind         usher.Kind
	Class        usher.Class
	Group        string // as a LetterGroup names itself
	Match        string // in target, message or the message's shape, in any case
	Since, Until time.Time
	Seqs         []uint64 // these only
	After        uint64   // only letters with a higher number: the next page
	Through      uint64   // only letters up to this number: what a plan has seen; 0: all there are when reading begins
	Limit        int      // 0: all
}

func (f *LetterFilter) takes(l *usher.DeadLetter) bool {
	return (f.ID == "" || l.ID != nil && *l.ID == f.ID) &&
		(f.Kind == "" || l.Kind == f.Kind) && (f.Class == "" || l.Class == f.Class) &&
		(f.Since.IsZero() || !l.At.Before(f.Since)) && (f.Until.IsZero() || !l.At.After(f.Until)) &&
		l.Seq > f.After && (f.Through == 0 || l.Seq <= f.Through) &&
		(f.Match == "" || f.matches(l)) && (f.Group == "" || groupOf(l) == f.Group)
}

func (f *LetterFilter) matches(l *usher.DeadLetter) bool {
	match := strings.ToLower(f.Match)
	return strings.Contains(strings.ToLower(l.Message), match) || strings.Contains(strings.ToLower(l.Target), match) ||
		strings.Contains(strings.ToLower(shapeOf(l.Message)), match)
}

// clockSkew is by how much the clocks of workers and servers may differ: so much
// before LetterFilter.Since reading begins.
const clockSkew = 15 * time.Minute

// from is where reading begins.
func (f *LetterFilter) from(n store.Names) jetstream.OrderedConsumerConfig {
	c := jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverAllPolicy}
	if f.Kind != "" || f.Class != "" { // a filter that takes all costs the server dear
		c.FilterSubjects = []string{n.DeadLetters(f.Kind, f.Class)}
	}
	switch {
	case f.After > 0:
		c.DeliverPolicy, c.OptStartSeq = jetstream.DeliverByStartSequencePolicy, f.After+1
	case !f.Since.IsZero():
		start := f.Since.Add(-clockSkew)
		c.DeliverPolicy, c.OptStartTime = jetstream.DeliverByStartTimePolicy, &start
	}
	return c
}

// readAhead is how much of the letters is on its way while one is looked at: a
// letter may have a megabyte, most have less than one kilobyte.
const (
	readAhead      = 2000
	readAheadBytes = 8 << 20
)

// eachLetter calls visit with the letters that match, oldest first. It holds a
// bounded number of them, however many there are.
func (q *Queue) eachLetter(ctx context.Context, f LetterFilter, visit func(letter) error) error {
	stream, err := q.js.Stream(ctx, q.names.DeadStream())
	if err != nil {
		return fmt.Errorf("read dead letters: %w", err)
	}
	if f.Through == 0 {
		f.Through = stream.CachedInfo().State.LastSeq
	}
	if len(f.Seqs) > 0 {
		return q.eachNamed(ctx, stream, f, visit)
	}
	consumer, err := stream.OrderedConsumer(ctx, f.from(q.names))
	if err != nil {
		return fmt.Errorf("read dead letters: %w", err)
	}
	if consumer.CachedInfo().NumPending == 0 {
		return nil
	}
	ahead := readAhead
	if f.Limit > 0 {
		ahead = min(ahead, f.Limit+1)
	}
	messages, err := consumer.Messages(jetstream.PullMaxMessagesWithBytesLimit(ahead, readAheadBytes))
	if err != nil {
		return fmt.Errorf("read dead letters: %w", err)
	}
	defer messages.Stop()
	return q.visitLetters(ctx, stream, messages, f, visit)
}

// visitLetters reads what comes. seen is the last letter that did: a reader that
// is at a loss for the next looks there.
func (q *Queue) visitLetters(ctx context.Context, stream jetstream.Stream, messages jetstream.MessagesContext, f LetterFilter, visit func(letter) error) error {
	var seen atomic.Uint64
	seen.Store(f.After)
	reading, stop := context.WithCancelCause(ctx)
	var watching sync.WaitGroup
	watching.Go(func() { stop(watchLetters(reading, stream, q.names.DeadLetters(f.Kind, f.Class), &seen)) })
	defer watching.Wait()
	defer stop(nil)
	common := glossary{}
	for taken := 0; f.Limit == 0 || taken < f.Limit; {
		msg, err := messages.Next(jetstream.NextContext(reading))
		if errors.Is(context.Cause(reading), errNoMore) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read dead letters: %w", err)
		}
		meta, err := msg.Metadata()
		if err != nil {
			return fmt.Errorf("read dead letters: %w", err)
		}
		seq := meta.Sequence.Stream
		if seen.Store(seq); seq > f.Through {
			return nil
		}
		if l, ok := readLetter(msg.Data(), msg.Headers(), seq, common); ok && f.takes(&l.DeadLetter) {
			taken++
			if err := visit(l); err != nil {
				return err
			}
		}
		if meta.NumPending == 0 || seq == f.Through {
			return nil
		}
	}
	return nil
}

// errNoMore means that the letter after the last one is there no more, because
// it was replayed or discarded while we read.
var errNoMore = errors.New("no more letters")

// nextTime is how long a letter may be on its way before somebody looks whether
// it still is there.
const nextTime = 500 * time.Millisecond

// watchLetters returns errNoMore when none follows the last one seen, or nil when
// ctx ends.
func watchLetters(ctx context.Context, stream jetstream.Stream, subject string, seen *atomic.Uint64) error {
	for before := seen.Load(); pause(ctx, nextTime) == nil; {
		last := seen.Load()
		if last != before {
			before = last
			continue
		}
		_, err := stream.GetMsg(ctx, last+1, jetstream.WithGetMsgSubject(subject))
		if errors.Is(err, jetstream.ErrMsgNotFound) && seen.Load() == last {
			return errNoMore
		}
	}
	return nil
}

// eachNamed visits letters by their numbers.
func (q *Queue) eachNamed(ctx context.Context, stream jetstream.Stream, f LetterFilter, visit func(letter) error) error {
	for _, seq := range slices.Compact(slices.Sorted(slices.Values(f.Seqs))) {
		raw, err := stream.GetMsg(ctx, seq)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			continue
		}
		if err != nil {
			return fmt.Errorf("read dead letter %d: %w", seq, err)
		}
		if l, ok := readLetter(raw.Data, raw.Header, seq, nil); ok && f.takes(&l.DeadLetter) {
			if err := visit(l); err != nil {
				return err
			}
		}
	}
	return nil
}

// EachLetter calls visit with the dead letters that match, oldest first, as
// people may see them. It holds a bounded number, however many there are.
func (q *Queue) EachLetter(ctx context.Context, f LetterFilter, visit func(usher.DeadLetter) error) error {
	return q.eachLetter(ctx, f, func(l letter) error { return visit(l.shown()) })
}

// Letters are the dead letters that match, oldest first: a page, where f has a
// limit. The next one is after the last one's number.
func (q *Queue) Letters(ctx context.Context, f LetterFilter) ([]usher.DeadLetter, error) {
	found := []usher.DeadLetter{}
	err := q.EachLetter(ctx, f, func(l usher.DeadLetter) error {
		found = append(found, l)
		return nil
	})
	return found, err
}

// LetterGroups are the letters that match, by cause, largest group first.
func (q *Queue) LetterGroups(ctx context.Context, f LetterFilter) ([]usher.LetterGroup, error) {
	var groups letterGroups
	err := q.eachLetter(ctx, f, func(l letter) error {
		groups.add(&l.DeadLetter)
		return nil
	})
	return groups.list(), err
}

// ErrNoLetter means that there is no dead letter of that number: it was
// replayed or discarded.
var ErrNoLetter = errors.New("no such dead letter")

// Letter is one dead letter by its number.
func (q *Queue) Letter(ctx context.Context, seq uint64) (usher.DeadLetter, error) {
	found, err := q.Letters(ctx, LetterFilter{Seqs: []uint64{seq}})
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("read dead letter %d: %w", seq, ErrNoLetter)
	}
	if err != nil {
		return usher.DeadLetter{}, err
	}
	return found[0], nil
}
