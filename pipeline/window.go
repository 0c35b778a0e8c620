package pipeline

import (
	"context"
	"math/bits"
	"sort"

	"usher"
	"usher/hashing"
)

// windowRows is the number of rows of a window.
const windowRows = usher.WindowRows

// window is a sequence of a part's rows that begins at a fixed row, with their digests in
// order and the dropped rows. It is filled completely before any of it is sent, so that
// duplicates can be found within the CPU caches.
type window struct {
	base       int64             // number of rows of the part before the window
	rows       int               // rows in the window so far
	digests    int               // rows with a digest; the others are in rejects
	sizes      [partitions]int32 // number of digests by first byte, for the sieve
	segments   []*segment        // all but the last are full; nil: released
	rejects    []reject          // ordered by row
	samples    []usher.Sample    // samples of rejects, ordered by row
	joined     []int64           // rows that may be two ids, counted from 1 in the part
	cutShort   bool              // reading failed before the end of the window
	dropped    marks             // digests that are not sent: duplicate or suppressed
	suppressed marks             // suppressed digests
}

// reject is a dropped row, counted from the start of its window, and its reason.
type reject uint32

func newReject(row int, why hashing.Reason) reject { return reject(row)<<8 | reject(why) }

func (r reject) row() int               { return int(r >> 8) }
func (r reject) reason() hashing.Reason { return hashing.Reason(r & 0xff) }

// reset prepares the window for rows that begin at base.
func (w *window) reset(base int64) {
	w.base, w.rows, w.digests, w.cutShort = base, 0, 0, false
	clear(w.sizes[:])
	w.segments, w.rejects, w.samples, w.joined = w.segments[:0], w.rejects[:0], nil, nil
	w.dropped, w.suppressed = w.dropped[:0], w.suppressed[:0]
}

// release releases the segments before place from and after place to. Batches may still
// retain them.
func (w *window) release(from, to int) {
	for i, s := range w.segments {
		if s != nil && ((i+1)*segmentIDs <= from || i*segmentIDs >= to) {
			s.release()
			w.segments[i] = nil
		}
	}
}

// room returns the free end of the last segment, and adds a segment if it is full.
func (w *window) room(ctx context.Context, pool *segments) ([]hashing.Digest, error) {
	used := w.digests % segmentIDs
	last := len(w.segments) - 1
	switch {
	case w.digests == len(w.segments)*segmentIDs: // no segment yet, or all are full
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
	case used == len(w.segments[last].digests): // an upload's first segment, which begins small
		w.segments[last].grow(pool.full)
	}
	return w.segments[last].digests[used:], nil
}

// add appends the first digests of room to the window.
func (w *window) add(digests []hashing.Digest) {
	for i := range digests {
		w.sizes[digests[i][0]]++
	}
	w.digests += len(digests)
}

// at returns the digest in place i.
func (w *window) at(i int) *hashing.Digest {
	return &w.segments[i/segmentIDs].digests[i%segmentIDs]
}

// list returns n digests, starting at place i, and retains their segments.
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

// row returns the row of the digest in place i, counted from the start of the window: i
// digests and the rejects between them come before it.
func (w *window) row(i int) int {
	return i + sort.Search(len(w.rejects), func(j int) bool { return w.rejects[j].row()-j > i })
}

// place returns the number of digests before a row.
func (w *window) place(row int) int {
	return row - sort.Search(len(w.rejects), func(j int) bool { return w.rejects[j].row() >= row })
}

// suppress drops the suppressed digests, starting at place from.
func (w *window) suppress(list *Suppression, from int) {
	w.dropped, w.suppressed = w.dropped.sized(w.digests), w.suppressed.sized(w.digests)
	for i := from; i < w.digests; i++ {
		if !w.dropped.has(i) && list.Has(w.at(i)) {
			w.dropped.set(i)
			w.suppressed.set(i)
		}
	}
}

// each calls f with the digests of each segment.
func (w *window) each(f func(digests []hashing.Digest)) {
	for i, s := range w.segments {
		f(s.digests[:min(segmentIDs, w.digests-i*segmentIDs)])
	}
}

// compact removes the dropped digests and releases the memory at the end. After it, the
// places in calls of list count only the remaining digests.
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

// marks is a bitmap of places.
type marks []uint64

// sized returns a bitmap for places below n. If m has this size, it is returned unchanged,
// with its marks. Otherwise the bitmap is empty and reuses the memory of m if possible.
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

// count returns how many places from..to-1 are set.
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

// next returns the first place in from..to-1 that is set, or to.
func (m marks) next(from, to int) int {
	for at := from; at < to && len(m) > 0; at += 64 - at%64 {
		if word := m[at/64] >> (at % 64); word != 0 {
			return min(to, at+bits.TrailingZeros64(word))
		}
	}
	return to
}

// pass searches from..to-1 for n places that are not set. It returns the place after the
// last of them, and how many it found.
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

// dropManyJoined forgets the rows that may be two ids if there are too many of them to be
// caused by joined files. They are then values of another form.
func (w *window) dropManyJoined() {
	const few = 10
	if n := len(w.joined); n > few && 100*n > w.rows {
		w.joined = nil
	}
}
