package letters

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher/queues"
	"usher/queues/store"
)

// each calls visit with the letters that match, oldest first. It holds a bounded
// number of them.
func (ls *Letters) each(ctx context.Context, f Filter, visit func(queues.Letter) error) error {
	stream, err := ls.openStream(ctx)
	if err != nil {
		return err
	}
	if len(f.Seqs) > 0 {
		return eachNumbered(ctx, stream, f, visit)
	}
	matched := 0
	return store.EachMessage(ctx, stream, f.span(ls.store.Names), func(seq uint64, m jetstream.Msg) (more bool, err error) {
		if l, ok := decode(m.Data(), m.Headers(), seq); ok && f.matches(&l) {
			matched++
			err = visit(l)
		}
		return f.Limit <= 0 || matched < f.Limit, err
	})
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
		if l, ok := decode(raw.Data, raw.Header, seq); ok && f.matches(&l) {
			if err := visit(l); err != nil {
				return err
			}
		}
	}
	return nil
}

// decode decodes a message of the stream of letters and reports whether it is a
// letter.
func decode(data []byte, header nats.Header, seq uint64) (l queues.Letter, ok bool) {
	if json.Unmarshal(data, &l.DeadLetter) != nil || !l.Valid() {
		return l, false // doctor names it
	}
	if string(l.Job) == "null" {
		l.Job = nil
	}
	l.Seq = seq
	if len(header) > 0 {
		l.ReadHeader(header)
	}
	return l, true
}
