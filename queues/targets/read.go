package targets

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"usher/queues/message"
	"usher/queues/store"
)

// update reads the messages that were published since the last call. m is a message that
// is on the stream; if it shows that the stream was made anew, all is read again.
func (x *Index) update(ctx context.Context, m *message.Message) error {
	release, err := x.lockReading(ctx)
	if err != nil {
		return err
	}
	defer release()
	x.mu.Lock()
	if x.complete && x.places > x.rebuildAbove || m.Seq < x.next && m.Published.After(x.newest) {
		x.clear()
	}
	x.mu.Unlock()
	if err := x.read(ctx, m.Seq); err != nil {
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.readTo(m.Seq, m.Published) // also if no message of the family was there
	return nil
}

// updateTo is update, unless the stream was read up to the message, or m is the next one.
func (x *Index) updateTo(ctx context.Context, m *message.Message) error {
	if x.covers(m) || x.addNext(m) {
		return nil
	}
	return x.update(ctx, m)
}

// covers reports whether the stream was read up to a message.
func (x *Index) covers(m *message.Message) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return m.Seq < x.next && !m.Published.After(x.newest)
}

// addNext adds a message if it is the next one to read, and reports whether it is. So a
// message that was delivered is not read again while nobody reads the stream.
func (x *Index) addNext(m *message.Message) bool {
	select {
	case x.reading <- struct{}{}:
		defer func() { <-x.reading }()
	default:
		return false
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.complete || m.Seq != x.next {
		return false
	}
	x.readTo(m.Seq, m.Published)
	x.addPlace(m.Kind, m.Job.Target(m.Kind), Place{Seq: m.Seq, Order: m.Order})
	return true
}

// Bounds of CatchUp, which a slot calls between two jobs.
const (
	catchUpEvery = 100 * time.Millisecond
	catchUpTime  = 200 * time.Millisecond
)

// CatchUp reads messages that were published since the last call. It does nothing if a
// call was made just before, and leaves the rest to the next one if they are many.
func (x *Index) CatchUp(ctx context.Context) error {
	x.mu.Lock()
	now := time.Now()
	early := now.Sub(x.caughtUp) < catchUpEvery
	if !early {
		x.caughtUp = now
	}
	x.mu.Unlock()
	if early {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, catchUpTime)
	defer cancel()
	release, err := x.lockReading(ctx)
	if err == nil {
		defer release()
		err = x.read(ctx, 0)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// lockReading waits until no other goroutine reads the stream.
func (x *Index) lockReading(ctx context.Context) (release func(), err error) {
	select {
	case x.reading <- struct{}{}:
		return func() { <-x.reading }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// readSingly is the number of messages that are read one by one. More are read many at
// once.
const readSingly = 64

// read reads the messages that were not read, to the end of the stream. The stream has at
// least the sequences up to known.
func (x *Index) read(ctx context.Context, known uint64) error {
	stream, err := x.open(ctx)
	if err != nil {
		return err
	}
	x.mu.Lock()
	from := x.next
	x.mu.Unlock()
	if err := x.readToEnd(ctx, stream, from, known); err != nil {
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.complete {
		x.complete, x.rebuildAbove = true, max(leastRebuilt, 2*x.places)
	}
	return nil
}

func (x *Index) readToEnd(ctx context.Context, stream jetstream.Stream, from, known uint64) error {
	subject := x.store.AnyJob(x.pattern)
	for {
		var err error
		if from, err = x.readMany(ctx, stream, from, known); err != nil {
			return err
		}
		n := 0
		if err := store.EachStored(ctx, stream, subject, from, func(m *jetstream.RawStreamMsg) bool {
			x.add(m)
			from = m.Sequence + 1
			n++
			return n < readSingly
		}); err != nil || n < readSingly {
			return err
		}
		newest, err := stream.GetLastMsgForSubject(ctx, subject)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil // all have left the stream
		}
		if err != nil {
			return fmt.Errorf("read stream of %s: %w", subject, err)
		}
		known = newest.Sequence
	}
}

// readMany reads messages up to a sequence, many at once, and returns where to go on. It
// stops early where most have left the stream; EachStored skips these.
func (x *Index) readMany(ctx context.Context, stream jetstream.Stream, from, to uint64) (uint64, error) {
	const many = 512
	for from+readSingly <= to {
		messages, failed := getMessages(ctx, stream, from, min(many, to-from+1))
		present := 0
		for _, m := range messages {
			if m == nil {
				continue
			}
			present++
			from = m.Sequence + 1
			if kind, _ := x.store.Kind(m.Subject); kind.Family() == x.pattern.Family() {
				x.add(m)
			}
		}
		x.mu.Lock()
		x.next = from
		x.mu.Unlock()
		if failed != nil {
			return from, fmt.Errorf("read the stream of jobs: %w", failed)
		}
		if 2*present < len(messages) {
			break
		}
	}
	return from, nil
}

// getMessages gets n messages from a sequence on, several at once. Messages that have left
// the stream are nil. After an error it returns those before the first that was not read.
func getMessages(ctx context.Context, stream jetstream.Stream, from, n uint64) ([]*jetstream.RawStreamMsg, error) {
	const atOnce = 16
	messages, read := make([]*jetstream.RawStreamMsg, n), make([]bool, n)
	readers, reading := errgroup.WithContext(ctx)
	readers.SetLimit(atOnce)
	for i := range messages {
		readers.Go(func() error {
			m, err := stream.GetMsg(reading, from+uint64(i))
			if err != nil && !errors.Is(err, jetstream.ErrMsgNotFound) {
				return err
			}
			messages[i], read[i] = m, true
			return nil
		})
	}
	err := readers.Wait()
	if i := slices.Index(read, false); i >= 0 {
		messages = messages[:i]
	}
	return messages, err
}
