package targets

import (
	"context"
	"errors"
	"fmt"
	"time"

	"usher"
	"usher/queues/message"
)

// update reads the messages that were published since the last call. m is a message that
// is on the stream; if it shows that the stream was recreated, all of it is read again.
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
	if x.unread() <= m.Seq { // the message has left the stream, or a server answered that lags behind
		if err := x.awaitStored(ctx, m.Seq); err != nil {
			return err
		}
		if err := x.read(ctx, m.Seq); err != nil {
			return err
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.readTo(m.Seq, m.Published)
	return nil
}

// awaitStored waits until the stream has a sequence that was delivered, by what its leader says. A
// server that was the leader, or has just become it, may not have it yet: a message that it leaves
// out would be left out of the index for good.
func (x *Index) awaitStored(ctx context.Context, seq uint64) error {
	for {
		stream, err := x.store.Stream(ctx, x.stream)
		if err != nil {
			return err
		}
		if stream.CachedInfo().State.LastSeq >= seq {
			return nil
		}
		if err := usher.Sleep(ctx, 100*time.Millisecond); err != nil {
			return fmt.Errorf("read %s: its leader does not have message %d, which was delivered: %w", x.stream, seq, err)
		}
	}
}

// updateTo is update, unless the stream was read up to the message, or m is the next one, which is
// on target.
func (x *Index) updateTo(ctx context.Context, m *message.Message, target string) error {
	if x.covers(m) || x.addNext(m, target) {
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
func (x *Index) addNext(m *message.Message, target string) bool {
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
	x.addPlace(m.Kind, target, Place{Seq: m.Seq, Order: m.Order}, notEnded)
	return true
}

// Bounds of CatchUp, which a slot calls between two jobs.
const (
	catchUpEvery = 20 * time.Millisecond
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

// readToEnd reads the messages that were not read, to the end that the stream has now.
func (x *Index) readToEnd(ctx context.Context) error {
	release, err := x.lockReading(ctx)
	if err != nil {
		return err
	}
	defer release()
	return x.read(ctx, 0)
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

// read reads the messages that were not read, to the end of the stream. The stream has at
// least the sequences up to known.
func (x *Index) read(ctx context.Context, known uint64) error {
	if err := x.store.EachToEnd(ctx, x.stream, x.unread, known, x.add); err != nil {
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.complete {
		x.complete, x.rebuildAbove = true, max(leastRebuilt, 2*x.places)
	}
	return nil
}

// unread returns the first sequence that was not read.
func (x *Index) unread() uint64 {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.next
}
