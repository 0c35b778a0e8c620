package pipeline

import (
	"io"
	"slices"

	"usher"
	"usher/hashing"
)

// idBytes is the length of an id in a batch's text: its digest in hex and a comma.
const idBytes = hashing.HexLen + 1

// list has the digests of a batch, or of a piece of one, as spans of segments.
type list struct {
	spans []span
	ids   int
}

// span is a sequence of digests in a segment.
type span struct {
	segment *segment
	digests []hashing.Digest
}

// release releases all segments.
func (l *list) release() {
	for _, s := range l.spans {
		s.segment.release()
	}
	l.spans, l.ids = nil, 0
}

// piece returns a part of the list. It does not retain the segments.
func (l *list) piece(from, ids int) list {
	p := list{ids: ids}
	for _, s := range l.spans {
		if skip := min(from, len(s.digests)); skip > 0 {
			s.digests, from = s.digests[skip:], from-skip
		}
		if n := min(ids, len(s.digests)); n > 0 {
			p.spans = append(p.spans, span{s.segment, s.digests[:n]})
			ids -= n
		}
	}
	return p
}

// batch returns the list as a batch, which retains the segments.
func (l *list) batch(number int64, yield func()) *usher.Batch {
	held := list{spans: slices.Clone(l.spans), ids: l.ids}
	for _, s := range held.spans {
		s.segment.retain()
	}
	return usher.NewBatch(number, held.ids, &text{held.spans, held.ids, yield}, held.release)
}

// addTo adds the digests to a sketch.
func (l *list) addTo(s *sketch) {
	for _, span := range l.spans {
		s.add(span.digests)
	}
}

// text is the joined hex of digests, generated while it is read.
type text struct {
	spans []span
	ids   int
	yield func() // see Options
}

// ReadAt is safe for concurrent use.
func (t *text) ReadAt(p []byte, from int64) (n int, err error) {
	t.yield()
	size := int64(t.ids)*idBytes - 1
	if from >= size {
		return 0, io.EOF
	}
	if int64(len(p)) > size-from {
		p, err = p[:size-from], io.EOF
	}
	id, within := int(from/idBytes), int(from%idBytes)
	for _, s := range t.spans {
		if id >= len(s.digests) {
			id -= len(s.digests)
			continue
		}
		n += write(p[n:], s.digests[id:], within)
		if n == len(p) {
			break
		}
		id, within = 0, 0
	}
	return n, err
}

// write fills p with digests in hex, each followed by a comma, starting at byte within of
// the first digest. It returns the number of bytes written.
func write(p []byte, digests []hashing.Digest, within int) (n int) {
	if within > 0 {
		n = copy(p, digestText(&digests[0])[within:])
		digests = digests[1:]
	}
	if whole := min((len(p)-n)/idBytes, len(digests)); whole > 0 {
		joined := hashing.Join(p[n:n:n+whole*idBytes-1], digests[:whole])
		n += len(joined)
		p[n] = ','
		n++
		digests = digests[whole:]
	}
	if len(digests) > 0 {
		n += copy(p[n:], digestText(&digests[0]))
	}
	return n
}

// digestText returns a digest in hex, followed by a comma.
func digestText(d *hashing.Digest) []byte {
	return append(d.AppendHex(make([]byte, 0, idBytes)), ',')
}
