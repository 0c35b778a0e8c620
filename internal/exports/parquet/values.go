package parquet

import "encoding/binary"

// fieldValues are the values of a page that are there, in order.
type fieldValues interface {
	// next returns a value, which is good until the next call. ok is false where
	// the data is damaged, or has no more.
	next() (value []byte, ok bool)
}

// plainValues are values of a fixed width, or each with its length before it.
type plainValues struct {
	src   []byte
	width int // 0: not fixed
}

func (p *plainValues) next() ([]byte, bool) {
	n := p.width
	if n == 0 {
		if len(p.src) < 4 {
			return nil, false
		}
		n = int(binary.LittleEndian.Uint32(p.src))
		p.src = p.src[4:]
	}
	if n < 0 || n > len(p.src) {
		return nil, false
	}
	value := p.src[:n]
	p.src = p.src[n:]
	return value, true
}

// dictionary is a column's values that come again.
type dictionary struct {
	text []byte
	ends []uint32 // in text, of each value
}

// newDictionary takes n values apart. ok is false where there are not as many.
func newDictionary(src []byte, n, width int) (d *dictionary, ok bool) {
	each := max(width, 4)
	if n < 0 || n > len(src)/each {
		return nil, false
	}
	d = &dictionary{text: make([]byte, 0, len(src)), ends: make([]uint32, 0, n)}
	plain := &plainValues{src: src, width: width}
	for range n {
		value, ok := plain.next()
		if !ok {
			return nil, false
		}
		d.text = append(d.text, value...)
		d.ends = append(d.ends, uint32(len(d.text)))
	}
	return d, true
}

// listedValues are values of a dictionary, by their places in it.
type listedValues struct {
	from   *dictionary
	places hybrid
}

func (l *listedValues) next() ([]byte, bool) {
	place, ok := l.places.next()
	if !ok || uint64(place) >= uint64(len(l.from.ends)) {
		return nil, false
	}
	from := uint32(0)
	if place > 0 {
		from = l.from.ends[place-1]
	}
	return l.from.text[from:l.from.ends[place]], true
}

// lengthValues are values whose lengths all stand before them, as
// DELTA_LENGTH_BYTE_ARRAY has it.
type lengthValues struct {
	lengths *deltas
	text    []byte
}

func newLengthValues(src []byte) (*lengthValues, bool) {
	over, ok := newDeltas(src)
	if !ok {
		return nil, false
	}
	text, ok := over.rest()
	if !ok {
		return nil, false
	}
	lengths, _ := newDeltas(src)
	return &lengthValues{lengths: lengths, text: text}, true
}

func (l *lengthValues) next() ([]byte, bool) {
	n, ok := l.lengths.next()
	if !ok || n < 0 || n > int64(len(l.text)) {
		return nil, false
	}
	value := l.text[:n]
	l.text = l.text[n:]
	return value, true
}

// prefixedValues share their beginnings with the value before, as
// DELTA_BYTE_ARRAY has it.
type prefixedValues struct {
	shared   *deltas
	suffixes *lengthValues
	value    []byte
}

func newPrefixedValues(src []byte) (*prefixedValues, bool) {
	over, ok := newDeltas(src)
	if !ok {
		return nil, false
	}
	behind, ok := over.rest()
	if !ok {
		return nil, false
	}
	suffixes, ok := newLengthValues(behind)
	if !ok {
		return nil, false
	}
	shared, _ := newDeltas(src)
	return &prefixedValues{shared: shared, suffixes: suffixes}, true
}

func (p *prefixedValues) next() ([]byte, bool) {
	n, ok := p.shared.next()
	suffix, also := p.suffixes.next()
	if !ok || !also || n < 0 || n > int64(len(p.value)) {
		return nil, false
	}
	p.value = append(p.value[:n], suffix...)
	return p.value, true
}

// splitValues are values of a fixed width of which first all first bytes stand,
// then all second ones, as BYTE_STREAM_SPLIT has it.
type splitValues struct {
	src   []byte
	n, at int
	value []byte
}

func newSplitValues(src []byte, width int) (*splitValues, bool) {
	if width <= 0 || len(src)%width != 0 {
		return nil, false
	}
	return &splitValues{src: src, n: len(src) / width, value: make([]byte, width)}, true
}

func (s *splitValues) next() ([]byte, bool) {
	if s.at == s.n {
		return nil, false
	}
	for i := range s.value {
		s.value[i] = s.src[i*s.n+s.at]
	}
	s.at++
	return s.value, true
}
