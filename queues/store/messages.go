package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Span selects messages of a stream.
type Span struct {
	Subject string    // may have wildcards
	After   uint64    // only higher sequences
	Through uint64    // only sequences up to this one; 0: up to the newest one when reading begins
	Since   time.Time // leaves out most messages that were stored before; After overrides it
	Limit   int       // about how many messages the caller will read; 0: all
}

// Limits on the messages in flight while one is visited. A message may have a megabyte;
// most have less than a kilobyte.
const (
	prefetch      = 2000
	prefetchBytes = 8 << 20
)

// heartbeat is how often the server shows that a request for messages is alive. After two
// missing ones, reading continues with another consumer: in a cluster, the first request
// can be lost while the servers announce the consumer to each other.
const heartbeat = time.Second

// EachMessage calls visit with the messages of a span, oldest first, among them every
// message that was stored when EachMessage was called and is not deleted meanwhile. It
// ends when visit returns false or an error, which is returned.
func EachMessage(ctx context.Context, stream jetstream.Stream, span Span, visit func(seq uint64, m jetstream.Msg) (more bool, err error)) error {
	newest, err := span.newest(ctx, stream)
	if err != nil || newest <= span.After {
		return err
	}
	if span.Through == 0 || span.Through > newest {
		span.Through = newest
	}
	consumer, err := stream.OrderedConsumer(ctx, span.consumer(stream))
	if err != nil {
		return fmt.Errorf("read %s: %w", span.Subject, err)
	}
	ahead := prefetch
	if span.Limit > 0 {
		ahead = min(ahead, span.Limit+1)
	}
	messages, err := consumer.Messages(jetstream.PullMaxMessagesWithBytesLimit(ahead, prefetchBytes), jetstream.PullHeartbeat(heartbeat))
	if err != nil {
		return fmt.Errorf("read %s: %w", span.Subject, err)
	}
	err = (&reader{stream: stream, span: span, visit: visit}).read(ctx, messages)
	messages.Stop()
	if ctx.Err() == nil { // the server limits the number of consumers, and keeps idle ones for minutes
		_ = stream.DeleteConsumer(ctx, consumer.CachedInfo().Name)
	}
	return err
}

// consumer configures a consumer that leaves out most messages outside the span.
func (s *Span) consumer(stream jetstream.Stream) jetstream.OrderedConsumerConfig {
	c := jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverAllPolicy}
	if !slices.Equal(stream.CachedInfo().Config.Subjects, []string{s.Subject}) { // a filter that matches all subjects is slow on the server
		c.FilterSubjects = []string{s.Subject}
	}
	switch {
	case s.After > 0:
		c.DeliverPolicy, c.OptStartSeq = jetstream.DeliverByStartSequencePolicy, s.After+1
	case !s.Since.IsZero():
		c.DeliverPolicy, c.OptStartTime = jetstream.DeliverByStartTimePolicy, &s.Since
	}
	return c
}

// newest returns the sequence of the newest message on the span's subject, as the leader
// of the stream knows it, or 0 if there is none since Since.
func (s *Span) newest(ctx context.Context, stream jetstream.Stream) (uint64, error) {
	m, err := newestMessage(ctx, stream, s.Subject)
	if err != nil || m == nil || m.Time.Before(s.Since) {
		return 0, err
	}
	return m.Sequence, nil
}

// newestMessage returns the newest message on a subject, as the leader of the stream knows
// it, or nil.
func newestMessage(ctx context.Context, stream jetstream.Stream, subject string) (*jetstream.RawStreamMsg, error) {
	m, err := stream.GetLastMsgForSubject(ctx, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", subject, err)
	}
	return m, nil
}

// reader visits the messages that a consumer delivers. The replica that has the consumer
// may lag behind the leader of the stream, so that only the leader knows the last message.
type reader struct {
	stream jetstream.Stream
	span   Span // whose Through is at most the newest sequence
	visit  func(seq uint64, m jetstream.Msg) (more bool, err error)

	last atomic.Uint64 // sequence of the last message that was delivered
}

func (r *reader) read(ctx context.Context, messages jetstream.MessagesContext) error {
	r.last.Store(r.span.After)
	reading, stop := context.WithCancelCause(ctx)
	var watching sync.WaitGroup
	watching.Go(func() { stop(r.watch(reading)) })
	defer watching.Wait()
	defer stop(nil)
	for {
		m, err := messages.Next(jetstream.NextContext(reading))
		if err != nil && errors.Is(context.Cause(reading), errNoMore) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", r.span.Subject, err)
		}
		if more, err := r.take(m); err != nil || !more {
			return err
		}
	}
}

// take visits a message of the span and reports whether more may follow.
func (r *reader) take(m jetstream.Msg) (more bool, err error) {
	meta, err := m.Metadata()
	if err != nil {
		return false, fmt.Errorf("read %s: %w", r.span.Subject, err)
	}
	seq := meta.Sequence.Stream
	r.last.Store(seq)
	if seq <= r.span.After { // the replica did not have the first message yet
		return true, nil
	}
	if seq > r.span.Through {
		return false, nil
	}
	more, err = r.visit(seq, m)
	return more && seq < r.span.Through, err
}

// errNoMore means that the expected next message no longer exists.
var errNoMore = errors.New("no more messages")

// watch returns errNoMore when the leader has no message after the last one that was
// delivered, or nil when ctx ends. The server does not notify a consumer whose remaining
// messages were deleted.
func (r *reader) watch(ctx context.Context) error {
	tick := time.NewTicker(idleTime)
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
		if newest, err := r.span.newest(ctx, r.stream); err == nil && newest <= last {
			return errNoMore
		}
	}
}

// EachStored calls visit with the messages of a subject, starting at a sequence, until
// visit returns false. It reads them one by one, without a consumer, which is cheaper if
// there are few.
func EachStored(ctx context.Context, leader Leader, subject string, from uint64, visit func(*jetstream.RawStreamMsg) bool) error {
	for {
		m, err := leader.Next(ctx, subject, from)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read messages of %s: %w", subject, err)
		}
		if !visit(m) {
			return nil
		}
		from = m.Sequence + 1
	}
}
