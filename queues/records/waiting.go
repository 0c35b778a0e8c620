package records

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"usher/queues/message"
)

// waiting has the sequences of the messages on a stream of jobs by their ids, so that
// looking for a job without a record costs the same however many wait. It reads each message
// once, when a caller looks for a job. A message may have left the stream since. The zero
// value is ready to use.
type waiting struct {
	mu      sync.Mutex
	seed    maphash.Seed
	created time.Time // of the stream
	next    uint64    // the first sequence that was not read
	ids     map[uint64][]uint64
	count   int

	complete bool // the stream was read to its end
	limit    int  // of count, above which the stream is read again, without messages that have left
}

// leastForgotten is the number of messages up to which none is forgotten.
const leastForgotten = 10_000

// Waiting returns the message of a waiting or running job, or ErrNoJob.
func (r *Records) Waiting(ctx context.Context, id string) (*message.Message, error) {
	for i, stream := range r.Store.JobStreams() {
		m, err := r.waiting[i].find(ctx, r, stream, id)
		if m != nil || err != nil {
			return m, err
		}
	}
	return nil, fmt.Errorf("job %s: %w", id, ErrNoJob)
}

// find returns the message of a job on a stream, or nil.
func (w *waiting) find(ctx context.Context, r *Records, stream, id string) (*message.Message, error) {
	sequences, err := w.sequences(ctx, r, stream, id)
	if err != nil {
		return nil, err
	}
	leader := r.Store.Leader(stream)
	for _, seq := range sequences {
		raw, err := leader.Message(ctx, seq)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			continue // its job has ended
		}
		if err != nil {
			return nil, err
		}
		if m := r.Messages.Read(raw.Subject, raw.Header, raw.Data, raw.Sequence, raw.Time); m.ID == id && m.Invalid == nil {
			return m, nil
		}
	}
	return nil, nil
}

// sequences reads the messages that were published since the last call, and returns the
// sequences of those that may have an id, the oldest first.
func (w *waiting) sequences(ctx context.Context, r *Records, name, id string) ([]uint64, error) {
	stream, err := r.Store.Stream(ctx, name)
	if err != nil {
		return nil, err
	}
	info := stream.CachedInfo()
	w.mu.Lock()
	defer w.mu.Unlock()
	if !info.Created.Equal(w.created) || w.complete && w.count > w.limit {
		w.seed, w.created, w.next, w.ids, w.count, w.complete = maphash.MakeSeed(), info.Created, 1, map[uint64][]uint64{}, 0, false
	}
	if last := info.State.LastSeq; last >= w.next {
		if err := r.Store.EachToEnd(ctx, name, func() uint64 { return w.next }, last, w.add); err != nil {
			return nil, err
		}
		w.next = max(w.next, last+1)
	}
	if !w.complete {
		w.complete, w.limit = true, max(leastForgotten, 2*w.count)
	}
	return slices.Clone(w.ids[maphash.String(w.seed, id)]), nil
}

func (w *waiting) add(m *jetstream.RawStreamMsg) {
	w.next = max(w.next, m.Sequence+1)
	id := message.IDOf(m.Header, m.Data, m.Sequence)
	if id == "" {
		return
	}
	key := maphash.String(w.seed, id)
	w.ids[key] = append(w.ids[key], m.Sequence)
	w.count++
}
