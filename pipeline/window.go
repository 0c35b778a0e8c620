package pipeline

import (
	"context"
	"math/bits"
	"sort"

	"usher"
	"usher/hashing"
)

// windowRows is how many rows of a part a window has.
const windowRows = usher.WindowRows

// window is a run of a part's rows, from a fixed one on, with what they came to:
// their digests, in order, and what was dropped between them. It is filled as a
// whole before any of it is sent, since only then its duplicates can be found in
// caches instead of in memory.
type window struct {
	base     int64             // the part's row that it begins with
	rows     int               // taken so far
	digests  int               // of them; the others are in rejects
	sizes    [partitions]int32 // how many digests begin with which byte, for the sieve
	segments []*segment        // all but the last are full; nil: let go of
	rejects  []reject          // by row
	samples  []usher.Sample    // of rejects, by row
	cutShort bool              // more rows belong to it, but reading failed
	dropped  marks             // digests that are not sent: duplicates and suppressed ones
	held     marks             // suppressed ones
}

// reject is a row that was dropped, counted from its window's first, and why.
type reject uint32

func newReject(row int, why hashing.Reason) reject { return reject(row)<<8 | reject(why) }

func (r reject) row() int               { return int(r >> 8) }
func (r reject) reason() hashing.Reason { return hashing.Reason(r & 0xff) }

// reset makes the window ready for rows from base on.
func (w *window) reset(base int64) {
	w.base, w.rows, w.digests, w.cutShort = base, 0, 0, false
	clear(w.sizes[:])
	w.segments, w.rejects, w.samples = w.segments[:0], w.rejects[:0], nil
	w.dropped, w.held = w.dropped[:0], w.held[:0]
}

// release lets go of the segments that lie before place from, or from place to
// on; batches may still hold them.
func (w *window) release(from, to int) {
	for i, s := range w.segments {
		if s != nil && ((i+1)*segmentIDs <= from || i*segmentIDs >= to) {
			s.release()
			w.segments[i] = nil
		}
	}
}

// room returns the free end of the last segment, after it has seen to it that
// there is some.
func (w *window) room(ctx context.Context, pool *segments) ([]hashing.Digest, error) {
	used := w.digests % segmentIDs
	last := len(w.segments) - 1
	switch {
	case w.digests == len(w.segments)*segmentIDs: // none yet, or all are full
		ids := pool.full
		if w.base == 0 && last < 0 {
			ids = min(firstIDs, ids)
		}
		s, err := pool.get(ctx, ids)
		if err != nil {
			return nil, err
		}
		w.segments = append(w.segments, s)
		last++
	case used == len(w.segments[last].digests): // an upload's first one, which began small
		w.segments[last].grow(pool.full)
	}
	return w.segments[last].digests[used:], nil
}

// add says that room's first digests are the window's next.
func (w *window) add(digests []hashing.Digest) {
	for i := range digests {
		w.sizes[digests[i][0]]++
	}
	w.digests += len(digests)
}

// at is the digest in place i.
func (w *window) at(i int) *hashing.Digest {
	return &w.segments[i/segmentIDs].digests[i%segmentIDs]
}

// list is the n digests from place i on, whose segments it holds.
func (w *window) list(i, n int) list {
	l := list{ids: n}
	for end := i + n; i < end; {
		s, from := w.segments[i/segmentIDs], i%segmentIDs
		digests := s.digests[from:min(segmentIDs, from+end-i)]
		s.retain()
		l.spans = append(l.spans, span{s, digests})
		i += len(digests)
	}
	return l
}

// row is the row of the digest in place i, from the window's first: before it
// come as many digests as its place says, and the rejects among them.
func (w *window) row(i int) int {
	return i + sort.Search(len(w.rejects), func(j int) bool { return w.rejects[j].row()-j > i })
}

// place is how many digests lie before a row.
func (w *window) place(row int) int {
	return row - sort.Search(len(w.rejects), func(j int) bool { return w.rejects[j].row() >= row })
}

// suppress drops the digests from place from on that are on the list.
func (w *window) suppress(list *Suppression, from int) {
	w.dropped, w.held = w.dropped.sized(w.digests), w.held.sized(w.digests)
	for i := from; i < w.digests; i++ {
		if !w.dropped.has(i) && list.has(w.at(i)) {
			w.dropped.set(i)
			w.held.set(i)
		}
	}
}

// each calls f with the digests of each segment.
func (w *window) each(f func(digests []hashing.Digest)) {
	for i, s := range w.segments {
		f(s.digests[:min(segmentIDs, w.digests-i*segmentIDs)])
	}
}

// compact closes the gaps that dropped digests leave, and lets go of the memory
// behind. From then on list takes places among those that are left.
func (w *window) compact() {
	first := w.dropped.next(0, w.digests)
	to := first
	for i := first; i < w.digests; i++ {
		*w.at(to) = *w.at(i)
		if !w.dropped.has(i) {
			to++
		}
	}
	w.release(0, to)
}

// marks is a set of places, a bit each. An empty one has none.
type marks []uint64

// sized returns an empty set for places below n, or m itself where it is one.
func (m marks) sized(n int) marks {
	words := (n + 63) / 64
	if len(m) == words {
		return m
	}
	if cap(m) < words {
		return make(marks, words)
	}
	m = m[:words]
	clear(m)
	return m
}

func (m marks) set(i int)      { m[i/64] |= 1 << (i % 64) }
func (m marks) has(i int) bool { return len(m) > 0 && m[i/64]>>(i%64)&1 == 1 }

// count is how many places from..to-1 are in the set.
func (m marks) count(from, to int) (n int) {
	if len(m) == 0 {
		return 0
	}
	for at := from; at < to; {
		word := m[at/64] >> (at % 64)
		left := 64 - at%64
		if to-at < left {
			word &= 1<<(to-at) - 1
		}
		n += bits.OnesCount64(word)
		at += left
	}
	return n
}

// next is the first place from..to-1 that is in the set; to where none is.
func (m marks) next(from, to int) int {
	for at := from; at < to && len(m) > 0; at += 64 - at%64 {
		if word := m[at/64] >> (at % 64); word != 0 {
			return min(to, at+bits.TrailingZeros64(word))
		}
	}
	return to
}

// pass goes over places from..to-1 until n of them are not in the set, and
// returns the place after the last of these, and how many there were.
func (m marks) pass(from, to, n int) (at, passed int) {
	if len(m) == 0 {
		at = min(to, from+n)
		return at, at - from
	}
	for at = from; at < to && passed < n; {
		end := min(to, at+64-at%64)
		free := end - at - m.count(at, end)
		if passed+free < n {
			at, passed = end, passed+free
			continue
		}
		for ; passed < n; at++ {
			if !m.has(at) {
				passed++
			}
		}
	}
	return at, passed
}
