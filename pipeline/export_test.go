package pipeline

import (
	"context"

	"usher"
	"usher/hashing"
)

// WithWindow returns the options with windows of that many rows.
func (o Options) WithWindow(rows int64) Options {
	o.Window = rows
	return o
}

// Sifted returns the digests without duplicates, in order, and their places.
func (b *Buffers) Sifted(digests []hashing.Digest) (fresh []hashing.Digest, places []int) {
	o := Options{Buffers: b}.withDefaults()
	m := b.take(&o)
	defer m.give()
	w := m.filled(digests)
	defer m.giveWindow(w)
	m.sift(w, o.Yield)
	for i := range w.digests {
		if !w.dropped.has(i) {
			places = append(places, i)
		}
	}
	w.compact()
	l := w.list(0, len(places))
	defer l.release()
	for _, s := range l.spans {
		fresh = append(fresh, s.digests...)
	}
	return fresh, places
}

// filled returns a window with digests.
func (m *memory) filled(digests []hashing.Digest) *window {
	w := m.takeWindow(0)
	for len(digests) > 0 {
		free, err := w.room(context.Background(), m.segments)
		if err != nil {
			panic(err)
		}
		n := copy(free, digests)
		w.add(free[:n])
		w.rows += n
		digests = digests[n:]
	}
	return w
}

// Sieved is a window that can be sieved repeatedly.
type Sieved struct {
	memory *memory
	window *window
}

// NewSieved returns a window with digests.
func NewSieved(digests []hashing.Digest) *Sieved {
	o := Options{}.withDefaults()
	m := o.Buffers.take(&o)
	return &Sieved{m, m.filled(digests)}
}

// Duplicates returns the number of duplicates in the window.
func (s *Sieved) Duplicates() int {
	s.window.dropped = s.window.dropped[:0]
	s.memory.sift(s.window, func() {})
	return s.window.dropped.count(0, s.window.digests)
}

// BatchOf returns a batch of ids digests, starting at from, in segments of each digests.
func BatchOf(digests []hashing.Digest, each, from, ids int) *usher.Batch {
	pool := newSegments(each, len(digests))
	l := list{ids: len(digests)}
	for len(digests) > 0 {
		s := &segment{digests: digests[:min(each, len(digests))], pool: pool}
		l.spans, digests = append(l.spans, span{s, s.digests}), digests[len(s.digests):]
	}
	piece := l.piece(from, ids)
	return piece.batch(1, func() {})
}

// Passes returns the results of pass, count and next for a set of places.
func Passes(places []bool, from, n int) (at, passed, count, next int) {
	m := marks(nil).sized(len(places))
	for i, in := range places {
		if in {
			m.set(i)
		}
	}
	at, passed = m.pass(from, len(places), n)
	return at, passed, m.count(from, at), m.next(from, len(places))
}

// NewSize returns a Size with a minimum number of ids.
func NewSize(minimum int) *Size { return &Size{minimum: minimum} }

// Next is Size.next.
func (s *Size) Next(ids int) int { return s.next(ids) }

// Succeeded is Size.succeeded.
func (s *Size) Succeeded(ids int) { s.succeeded(ids) }

// Shrink is Size.shrink.
func (s *Size) Shrink(ids int, tooLarge bool) bool { return s.shrink(ids, tooLarge) }

// SketchOf returns the sketch of digests.
func SketchOf(digests []hashing.Digest) []byte {
	var s sketch
	s.add(digests)
	return s
}
