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

// family knows the places of the messages of a family of kinds on the stream of jobs by
// their targets, so that taking a job costs the same however many wait. It reads each
// message once, when it is asked. A place takes 16 bytes in each backlog. A message may have
// left the stream since it was read.
type family struct {
	q       *Queue
	name    string // segment, target
	reading chan struct{}

	mu       sync.Mutex
	stream   jetstream.Stream
	next     uint64    // the first sequence that was not read
	newest   time.Time // the latest publication of a message before next
	places   int
	whole    bool // the stream was read to its end
	most     int  // places, before those of messages that have left are looked for
	backlogs []*backlog
	arrived  arrivals
	asked    time.Time // when catchUp last began
}

// backlog has the places of some kinds of a family.
type backlog struct {
	of      *family
	pattern usher.Kind         // of the kinds: a kind, or the .* of the family
	targets map[string][]place // by order
}

// place is where a message stands.
type place struct{ seq, order uint64 }

// leastPlaces is the number of places below which a backlog is never read anew.
const leastPlaces = 10_000

// newFamilies returns the families whose jobs have an order on their targets.
func newFamilies(q *Queue) map[string]*family {
	families := map[string]*family{}
	for name, kinds := range map[string][]usher.Kind{"segment": {usher.SegmentRemove}, "target": {usher.TargetReplace, usher.TargetClear}} {
		f := &family{q: q, name: name, reading: make(chan struct{}, 1)}
		for _, pattern := range append(kinds, usher.Kind(name+".*")) {
			f.backlogs = append(f.backlogs, &backlog{of: f, pattern: pattern})
		}
		f.forget()
		families[name] = f
	}
	return families
}

// backlog returns what is known of the jobs of a pattern of kinds.
func (q *Queue) backlog(pattern usher.Kind) *backlog {
	for _, b := range q.families[pattern.Family()].backlogs {
		if b.pattern == pattern {
			return b
		}
	}
	panic("no backlog of " + string(pattern))
}

func (f *family) forget() {
	f.next, f.newest, f.places, f.whole, f.arrived = 1, time.Time{}, 0, false, arrivals{}
	for _, b := range f.backlogs {
		b.targets = map[string][]place{}
	}
}

// follow reads the messages that were published since the last call. If the message that
// asks shows that the stream was made anew, all is read again.
func (f *family) follow(ctx context.Context, asks *message.Message) error {
	select {
	case f.reading <- struct{}{}:
		defer func() { <-f.reading }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	f.mu.Lock()
	if f.whole && f.places > f.most || asks.Seq < f.next && asks.Published.After(f.newest) {
		f.forget()
	}
	from := f.next
	f.mu.Unlock()
	stream, err := f.open(ctx)
	if err != nil {
		return err
	}
	if err := f.read(ctx, stream, from, asks.Seq); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.readTo(asks.Seq, asks.Published) // also if no message of the pattern was there
	return nil
}

// few is a number of messages that are read one by one.
const few = 64

// read reads the messages from a sequence on to the end. Up to another one there may be many.
func (f *family) read(ctx context.Context, stream jetstream.Stream, from, to uint64) error {
	if err := f.readToEnd(ctx, stream, from, to); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.whole {
		f.whole, f.most = true, max(leastPlaces, 2*f.places)
	}
	return nil
}

func (f *family) readToEnd(ctx context.Context, stream jetstream.Stream, from, to uint64) error {
	subject := f.q.names.AnyJob(usher.Kind(f.name + ".*"))
	for {
		var err error
		if from, err = f.readMany(ctx, stream, from, to); err != nil {
			return err
		}
		n := 0
		if err := eachMessage(ctx, stream, subject, from, func(m *rawMessage) bool {
			f.add(m)
			from = m.Sequence + 1
			n++
			return n < few
		}); err != nil || n < few {
			return err
		}
		newest, err := stream.GetLastMsgForSubject(ctx, subject)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil // all have left the stream
		}
		if err != nil {
			return fmt.Errorf("read stream of %s: %w", subject, err)
		}
		to = newest.Sequence
	}
}

// readTo notes that the stream was read up to a message. b.mu is held.
func (f *family) readTo(seq uint64, published time.Time) {
	f.next = max(f.next, seq+1)
	if published.After(f.newest) { // the clocks of NATS's servers may differ
		f.newest = published
	}
}

// readMany reads messages up to a sequence, many at once, and returns where to go on. It
// stops early where most have left the stream; eachMessage skips these.
func (f *family) readMany(ctx context.Context, stream jetstream.Stream, from, to uint64) (uint64, error) {
	const many = 512
	for from+few <= to {
		messages, failed := getMessages(ctx, stream, from, min(many, to-from+1))
		there := 0
		for _, m := range messages {
			if m == nil {
				continue
			}
			there++
			from = m.Sequence + 1
			if kind, _ := f.q.names.Kind(m.Subject); kind.Family() == f.name {
				f.add(m)
			}
		}
		f.mu.Lock()
		f.next = from
		f.mu.Unlock()
		if failed != nil {
			return from, fmt.Errorf("read the stream of jobs: %w", failed)
		}
		if 2*there < len(messages) {
			break
		}
	}
	return from, nil
}

// getMessages gets n messages from a sequence on, several at once. Messages that have left
// the stream are nil. After an error it returns those before the first that was not read.
func getMessages(ctx context.Context, stream jetstream.Stream, from, n uint64) ([]*rawMessage, error) {
	const atOnce = 16
	messages, read := make([]*rawMessage, n), make([]bool, n)
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

// has reports whether the stream was read up to a sequence.
func (f *family) has(seq uint64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return seq < f.next
}

// knows reports whether the backlog has the messages of a kind.
func (b *backlog) knows(kind usher.Kind) bool {
	family, all := strings.CutSuffix(string(b.pattern), ".*")
	return kind == b.pattern || all && kind.Family() == family
}

// open returns the stream of jobs.
func (f *family) open(ctx context.Context) (jetstream.Stream, error) {
	f.mu.Lock()
	stream := f.stream
	f.mu.Unlock()
	if stream != nil {
		return stream, nil
	}
	stream, err := f.q.js.Stream(ctx, f.q.names.JobsStream())
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stream = stream
	return stream, nil
}

// add notes the place of a message.
func (f *family) add(m *rawMessage) {
	seen := f.q.outlineOf(m)
	target, p := seen.target, seen.place
	f.mu.Lock()
	defer f.mu.Unlock()
	f.readTo(m.Sequence, m.Time)
	if target == "" {
		return
	}
	for _, b := range f.backlogs {
		if b.knows(seen.kind) {
			at, _ := slices.BinarySearchFunc(b.targets[target], p, byOrder)
			b.targets[target] = slices.Insert(b.targets[target], at, p)
			f.places++
		}
	}
	f.arrived.note(target)
}

func byOrder(a, b place) int {
	return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(a.seq, b.seq))
}

// outline is what a message says of its place, without a check of the rest.
type outline struct {
	place

	kind     usher.Kind
	target   string // "" if the message is no job
	deadline *json.RawMessage
}

// outlineOf reads a message's place.
func (q *Queue) outlineOf(m *rawMessage) (seen outline) {
	body, header, err := message.Unwrap(m.Header, m.Data)
	var job usher.Job
	if err != nil || json.Unmarshal(body, &struct {
		Segment  *string           `json:"segment"`
		Campaign *string           `json:"campaign"`
		Deadline **json.RawMessage `json:"deadline"`
	}{&job.Segment, &job.Campaign, &seen.deadline}) != nil {
		return outline{}
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
	b.of.mu.Lock()
	defer b.of.mu.Unlock()
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
	b.of.mu.Lock()
	defer b.of.mu.Unlock()
	places := b.targets[target]
	i, _ := slices.BinarySearchFunc(places, p, byOrder)
	if i == 0 {
		return place{}, false
	}
	return places[i-1], true
}

// before returns the number of places on a target before an order.
func (b *backlog) before(target string, order uint64) int {
	b.of.mu.Lock()
	defer b.of.mu.Unlock()
	n, _ := slices.BinarySearchFunc(b.targets[target], place{order: order}, byOrder)
	return n
}

// remove forgets a message that has left the stream, or whose job has ended.
func (b *backlog) remove(target string, p place) {
	b.of.mu.Lock()
	defer b.of.mu.Unlock()
	places := b.targets[target]
	i, found := slices.BinarySearchFunc(places, p, byOrder)
	if !found {
		return
	}
	b.of.places--
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
	return b.of.q.messages.Read(raw.Subject, raw.Header, raw.Data, raw.Sequence, raw.Time), nil
}

func (b *backlog) raw(ctx context.Context, p place) (*rawMessage, error) {
	stream, err := b.of.open(ctx)
	if err != nil {
		return nil, err
	}
	raw, err := stream.GetMsg(ctx, p.seq)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, nil
	}
	return raw, err
}
