package letters

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher/queues"
)

// Limits on the letters in flight while one is visited. A letter may have a
// megabyte; most have less than a kilobyte.
const (
	prefetch      = 2000
	prefetchBytes = 8 << 20
)

// each calls visit with the letters that match, oldest first. It holds a bounded
// number of them.
func (ls *Letters) each(ctx context.Context, f Filter, visit func(queues.Letter) error) error {
	stream, err := ls.stream(ctx)
	if err != nil {
		return err
	}
	if f.Through == 0 {
		f.Through = stream.CachedInfo().State.LastSeq
	}
	if len(f.Seqs) > 0 {
		return eachNumbered(ctx, stream, f, visit)
	}
	consumer, err := stream.OrderedConsumer(ctx, f.consumer(ls.store.Names))
	if err != nil {
		return fmt.Errorf("read dead letters: %w", err)
	}
	if consumer.CachedInfo().NumPending == 0 {
		return nil
	}
	ahead := prefetch
	if f.Limit > 0 {
		ahead = min(ahead, f.Limit+1)
	}
	messages, err := consumer.Messages(jetstream.PullMaxMessagesWithBytesLimit(ahead, prefetchBytes))
	if err != nil {
		return fmt.Errorf("read dead letters: %w", err)
	}
	defer messages.Stop()
	r := reader{stream: stream, subject: ls.store.DeadLetters(f.Kind, f.Class), filter: f, visit: visit}
	return r.read(ctx, messages)
}

// reader visits the letters that a consumer delivers.
type reader struct {
	stream  jetstream.Stream
	subject string
	filter  Filter
	visit   func(queues.Letter) error

	common  interned
	matched int
	last    atomic.Uint64 // number of the last letter that was delivered
}

func (r *reader) read(ctx context.Context, messages jetstream.MessagesContext) error {
	r.last.Store(r.filter.After)
	r.common = interned{}
	reading, stop := context.WithCancelCause(ctx)
	var watching sync.WaitGroup
	watching.Go(func() { stop(r.watch(reading)) })
	defer watching.Wait()
	defer stop(nil)
	for {
		msg, err := messages.Next(jetstream.NextContext(reading))
		if errors.Is(context.Cause(reading), errNoMore) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read dead letters: %w", err)
		}
		if more, err := r.take(msg); err != nil || !more {
			return err
		}
	}
}

// take visits a letter that matches and reports whether more may follow.
func (r *reader) take(msg jetstream.Msg) (more bool, err error) {
	meta, err := msg.Metadata()
	if err != nil {
		return false, fmt.Errorf("read dead letters: %w", err)
	}
	seq := meta.Sequence.Stream
	if r.last.Store(seq); seq > r.filter.Through {
		return false, nil
	}
	if l, ok := decode(msg.Data(), msg.Headers(), seq, r.common); ok && r.filter.matches(&l.DeadLetter) {
		r.matched++
		if err := r.visit(l); err != nil {
			return false, err
		}
	}
	full := r.filter.Limit > 0 && r.matched >= r.filter.Limit
	return !full && meta.NumPending > 0 && seq < r.filter.Through, nil
}

// errNoMore means that the expected next letter no longer exists, because it was
// replayed or discarded meanwhile.
var errNoMore = errors.New("no more letters")

// lateAfter is how long a letter may be on its way before watch checks whether it
// still exists.
const lateAfter = 500 * time.Millisecond

// watch returns errNoMore when no letter follows the last one that was delivered,
// or nil when ctx ends. The server does not notify a consumer whose remaining
// messages were deleted.
func (r *reader) watch(ctx context.Context) error {
	tick := time.NewTicker(lateAfter)
	defer tick.Stop()
	for before := r.last.Load(); ; {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		last := r.last.Load()
		if last != before {
			before = last
			continue
		}
		_, err := r.stream.GetMsg(ctx, last+1, jetstream.WithGetMsgSubject(r.subject))
		if errors.Is(err, jetstream.ErrMsgNotFound) && r.last.Load() == last {
			return errNoMore
		}
	}
}

// eachNumbered visits letters by their numbers.
func eachNumbered(ctx context.Context, stream jetstream.Stream, f Filter, visit func(queues.Letter) error) error {
	for _, seq := range slices.Compact(slices.Sorted(slices.Values(f.Seqs))) {
		raw, err := stream.GetMsg(ctx, seq)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			continue
		}
		if err != nil {
			return fmt.Errorf("read dead letter %d: %w", seq, err)
		}
		if l, ok := decode(raw.Data, raw.Header, seq, nil); ok && f.matches(&l.DeadLetter) {
			if err := visit(l); err != nil {
				return err
			}
		}
	}
	return nil
}

// decode decodes a message of the stream of letters and reports whether it is a
// letter.
func decode(data []byte, header nats.Header, seq uint64, common interned) (l queues.Letter, ok bool) {
	if !decodeJSON(data, &l.DeadLetter, common) {
		return l, false
	}
	l.Seq = seq
	if len(header) > 0 {
		l.ReadHeader(header)
	}
	return l, true
}
