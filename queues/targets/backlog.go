package targets

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/message"
)

// Backlog has the places of some kinds of an index's family.
type Backlog struct {
	index   *Index
	pattern usher.Kind         // of the kinds: a kind, or the .* of the family
	targets map[string][]Place // by order
}

// After returns the next place on a target behind p, in the order of the jobs. The zero
// place is before all others.
func (b *Backlog) After(target string, p Place) (next Place, found bool) {
	b.index.mu.Lock()
	defer b.index.mu.Unlock()
	places := b.targets[target]
	i, at := slices.BinarySearchFunc(places, p, byOrder)
	if at {
		i++
	}
	if i == len(places) {
		return Place{}, false
	}
	return places[i], true
}

// Previous returns the last place on a target before p.
func (b *Backlog) Previous(target string, p Place) (previous Place, found bool) {
	b.index.mu.Lock()
	defer b.index.mu.Unlock()
	places := b.targets[target]
	i, _ := slices.BinarySearchFunc(places, p, byOrder)
	if i == 0 {
		return Place{}, false
	}
	return places[i-1], true
}

// Last returns the last place on a target.
func (b *Backlog) Last(target string) (last Place, found bool) {
	return b.Previous(target, Place{Order: math.MaxUint64, Seq: math.MaxUint64})
}

// Targets returns the targets that have places.
func (b *Backlog) Targets() []string {
	b.index.mu.Lock()
	defer b.index.mu.Unlock()
	return slices.Collect(maps.Keys(b.targets))
}

// HasBefore reports whether a place on a target is before p.
func (b *Backlog) HasBefore(target string, p Place) bool {
	_, found := b.Previous(target, p)
	return found
}

// HasOthers reports whether there is a place on a target but p.
func (b *Backlog) HasOthers(target string, p Place) bool {
	b.index.mu.Lock()
	defer b.index.mu.Unlock()
	return slices.ContainsFunc(b.targets[target], func(other Place) bool { return other != p })
}

// before returns the number of places on a target before an order.
func (b *Backlog) before(target string, order uint64) int {
	b.index.mu.Lock()
	defer b.index.mu.Unlock()
	n, _ := slices.BinarySearchFunc(b.targets[target], Place{Order: order}, byOrder)
	return n
}

// Remove forgets a message that has left the stream, or whose job has ended while a delivery carries it. No other
// message may be forgotten: if it is not deleted, only its place leads to it. A message that was not read yet is left
// out when it is: a pause is taken before the index has read its message, and would otherwise stay in the way of the
// next one on its campaign.
func (b *Backlog) Remove(target string, p Place) {
	b.index.mu.Lock()
	defer b.index.mu.Unlock()
	if p.Seq >= b.index.next {
		b.index.ended[p.Seq] = goneJob
		return
	}
	for _, list := range b.family().backlogs {
		list.remove(target, p)
	}
}

// LeaveWay notes that a job has ended, and is in nobody's way any more. Its message keeps its place in the backlog
// of the family until it is deleted.
func (b *Backlog) LeaveWay(target string, p Place) {
	b.index.mu.Lock()
	defer b.index.mu.Unlock()
	if p.Seq >= b.index.next {
		b.index.ended[p.Seq] = endedJob
		return
	}
	for _, list := range b.family().backlogs {
		if !list.hasAll() {
			list.remove(target, p)
		}
	}
}

func (b *Backlog) family() *family { return b.index.families[b.pattern.Family()] }

// hasAll reports whether the backlog has all kinds of the family, and not only one that runs alone.
func (b *Backlog) hasAll() bool { return strings.HasSuffix(string(b.pattern), ".*") }

// remove forgets a place. b.index.mu is held.
func (b *Backlog) remove(target string, p Place) {
	places := b.targets[target]
	i, found := slices.BinarySearchFunc(places, p, byOrder)
	if !found {
		return
	}
	b.index.places--
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
func (b *Backlog) removeGone(ctx context.Context, target string) error {
	for p, found := b.After(target, Place{}); found; p, found = b.After(target, Place{}) {
		if raw, err := b.index.raw(ctx, p.Seq); raw != nil || err != nil {
			return err
		}
		b.Remove(target, p)
	}
	return nil
}

// Message reads the message at a place; nil if it has left the stream.
func (b *Backlog) Message(ctx context.Context, p Place) (*message.Message, error) {
	raw, err := b.index.raw(ctx, p.Seq)
	if raw == nil || err != nil {
		return nil, err
	}
	return b.index.messages.Read(raw.Subject, raw.Header, raw.Data, raw.Sequence, raw.Time), nil
}

func (x *Index) raw(ctx context.Context, seq uint64) (*jetstream.RawStreamMsg, error) {
	raw, err := x.leader.Message(ctx, seq)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, nil
	}
	return raw, err
}
