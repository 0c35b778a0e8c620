package queues

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"usher"
	"usher/queues/message"
)

// backlog knows the places of the messages on the stream of jobs by their targets, so that
// taking a job costs the same however many wait. It reads each message once, when it is
// asked. A place takes 16 bytes. A message may have left the stream since it was read.
type backlog struct {
	q       *Queue
	pattern usher.Kind // of the kinds it knows: a kind, or the .* of a family
	reading chan struct{}

	mu      sync.Mutex
	stream  jetstream.Stream
	next    uint64    // the first sequence that was not read
	newest  time.Time // the latest publication of a message before next
	places  int
	most    int                // places, before those of messages that have left are looked for
	targets map[string][]place // by order
}

// place is where a message stands.
type place struct{ seq, order uint64 }

// leastPlaces is the number of places below which a backlog is never read anew.
const leastPlaces = 10_000

// backlog returns what is known of the jobs of a pattern of kinds.
func (q *Queue) backlog(pattern usher.Kind) *backlog {
	q.mu.Lock()
	defer q.mu.Unlock()
	b := q.backlogs[pattern]
	if b == nil {
		b = &backlog{q: q, pattern: pattern, most: leastPlaces, reading: make(chan struct{}, 1)}
		b.forget()
		q.backlogs[pattern] = b
	}
	return b
}

func (b *backlog) forget() {
	b.next, b.newest, b.places = 1, time.Time{}, 0
	b.targets = map[string][]place{}
}

// follow reads the messages that were published since the last call. If the message that
// asks shows that the stream was made anew, all is read again.
func (b *backlog) follow(ctx context.Context, asks *message.Message) error {
	select {
	case b.reading <- struct{}{}:
		defer func() { <-b.reading }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	b.mu.Lock()
	if b.places > b.most || asks.Seq < b.next && asks.Published.After(b.newest) {
		b.most = max(leastPlaces, 2*b.places)
		b.forget()
	}
	from := b.next
	b.mu.Unlock()
	stream, err := b.open(ctx)
	if err != nil {
		return err
	}
	if from, err = b.readMany(ctx, stream, from, asks.Seq); err != nil {
		return err
	}
	if err := eachMessage(ctx, stream, b.q.names.AnyJob(b.pattern), from, func(m *rawMessage) bool {
		b.add(m)
		return true
	}); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.readTo(asks.Seq, asks.Published) // also if no message of the pattern was there
	return nil
}

// readTo notes that the stream was read up to a message. b.mu is held.
func (b *backlog) readTo(seq uint64, published time.Time) {
	b.next = max(b.next, seq+1)
	if published.After(b.newest) { // the clocks of NATS's servers may differ
		b.newest = published
	}
}

// readMany reads messages up to a sequence, many at once, and returns where to go on. It
// stops early where most have left the stream; eachMessage skips these.
func (b *backlog) readMany(ctx context.Context, stream jetstream.Stream, from, to uint64) (uint64, error) {
	const many, atOnce = 512, 16
	for from+many <= to {
		var messages [many]*rawMessage
		readers, reading := errgroup.WithContext(ctx)
		readers.SetLimit(atOnce)
		for i := range messages {
			readers.Go(func() error {
				m, err := stream.GetMsg(reading, from+uint64(i))
				if errors.Is(err, jetstream.ErrMsgNotFound) {
					return nil
				}
				messages[i] = m
				return err
			})
		}
		if err := readers.Wait(); err != nil {
			return from, fmt.Errorf("read the stream of jobs: %w", err)
		}
		there, next := 0, from
		for _, m := range messages {
			if m == nil {
				continue
			}
			there, next = there+1, m.Sequence+1
			if kind, _ := b.q.names.Kind(m.Subject); b.knows(kind) {
				b.add(m)
			}
		}
		from = next
		b.mu.Lock()
		b.next = from
		b.mu.Unlock()
		if there < many/2 {
			break
		}
	}
	return from, nil
}

// has reports whether the stream was read up to a sequence.
func (b *backlog) has(seq uint64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return seq < b.next
}

// knows reports whether the backlog has the messages of a kind.
func (b *backlog) knows(kind usher.Kind) bool {
	family, all := strings.CutSuffix(string(b.pattern), ".*")
	return kind == b.pattern || all && kind.Family() == family
}

// open returns the stream of jobs.
func (b *backlog) open(ctx context.Context) (jetstream.Stream, error) {
	b.mu.Lock()
	stream := b.stream
	b.mu.Unlock()
	if stream != nil {
		return stream, nil
	}
	stream, err := b.q.js.Stream(ctx, b.q.names.JobsStream())
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stream = stream
	return stream, nil
}

// add notes the place of a message.
func (b *backlog) add(m *rawMessage) {
	seen := b.q.glance(m)
	target, p := seen.target, seen.place
	b.mu.Lock()
	defer b.mu.Unlock()
	b.readTo(m.Sequence, m.Time)
	if target != "" {
		at, _ := slices.BinarySearchFunc(b.targets[target], p, byOrder)
		b.targets[target] = slices.Insert(b.targets[target], at, p)
		b.places++
	}
}

func byOrder(a, b place) int {
	return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(a.seq, b.seq))
}

// glanced is what a message says of its place, without a check of the rest.
type glanced struct {
	place

	kind     usher.Kind
	target   string // "" if the message is no job
	deadline *json.RawMessage
}

// glance reads a message's place.
func (q *Queue) glance(m *rawMessage) (seen glanced) {
	body, header, err := message.Unwrap(m.Header, m.Data)
	var job usher.Job
	if err != nil || json.Unmarshal(body, &struct {
		Segment  *string           `json:"segment"`
		Campaign *string           `json:"campaign"`
		Deadline **json.RawMessage `json:"deadline"`
	}{&job.Segment, &job.Campaign, &seen.deadline}) != nil {
		return glanced{}
	}
	seen.kind, _ = q.names.Kind(m.Subject)
	seen.target = job.Target(seen.kind)
	seen.place = place{seq: m.Sequence, order: m.Sequence}
	if order, err := strconv.ParseUint(header.Get(message.HeaderOrder), 10, 64); err == nil {
		seen.order = order // if a publisher has set it, the message is not valid, and is dropped
	}
	return seen
}

// after returns the next place on a target behind p, in the order of the jobs. The zero
// place is before all others.
func (b *backlog) after(target string, p place) (next place, found bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	places := b.targets[target]
	i, at := slices.BinarySearchFunc(places, p, byOrder)
	if at {
		i++
	}
	if i == len(places) {
		return place{}, false
	}
	return places[i], true
}

// previous returns the last place on a target before p.
func (b *backlog) previous(target string, p place) (previous place, found bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	places := b.targets[target]
	i, _ := slices.BinarySearchFunc(places, p, byOrder)
	if i == 0 {
		return place{}, false
	}
	return places[i-1], true
}

// before returns the number of places on a target before an order.
func (b *backlog) before(target string, order uint64) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n, _ := slices.BinarySearchFunc(b.targets[target], place{order: order}, byOrder)
	return n
}

// remove forgets a message that has left the stream, or whose job has ended.
func (b *backlog) remove(target string, p place) {
	b.mu.Lock()
	defer b.mu.Unlock()
	places := b.targets[target]
	i, found := slices.BinarySearchFunc(places, p, byOrder)
	if !found {
		return
	}
	b.places--
	switch {
	case len(places) == 1:
		delete(b.targets, target)
	case i == 0:
		b.targets[target] = places[1:] // the usual case, without moving the others
	default:
		b.targets[target] = slices.Delete(places, i, i+1)
	}
}

// removeGone forgets the messages on a target that have left the stream, from the front
// up to the first that has not.
func (b *backlog) removeGone(ctx context.Context, target string) error {
	for p, found := b.after(target, place{}); found; p, found = b.after(target, place{}) {
		if raw, err := b.raw(ctx, p); raw != nil || err != nil {
			return err
		}
		b.remove(target, p)
	}
	return nil
}

// message reads the message at a place; nil if it has left the stream.
func (b *backlog) message(ctx context.Context, p place) (*message.Message, error) {
	raw, err := b.raw(ctx, p)
	if raw == nil || err != nil {
		return nil, err
	}
	return b.q.messages.Read(raw.Subject, raw.Header, raw.Data, raw.Sequence, raw.Time), nil
}

func (b *backlog) raw(ctx context.Context, p place) (*rawMessage, error) {
	stream, err := b.open(ctx)
	if err != nil {
		return nil, err
	}
	raw, err := stream.GetMsg(ctx, p.seq)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, nil
	}
	return raw, err
}
