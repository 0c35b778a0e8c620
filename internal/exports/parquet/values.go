package parquet

import "encoding/binary"

// values are the values of a page, without its nulls.
type values interface {
	// next returns the next value, which is valid until the next call. It reports
	// false if the data is damaged or has no more values.
	next() (value []byte, ok bool)
}

// plainValues are values of a fixed width, or values with their length before
// them.
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

// dictionary has the values that a column repeats, as plain values.
type dictionary struct {
	src    []byte
	prefix uint32   // bytes before each value
	ends   []uint32 // in src, of each value
}

// newDictionary finds n values in src. It reports false if there are fewer.
func newDictionary(src []byte, n, width int) (d *dictionary, ok bool) {
	d = &dictionary{src: src}
	least := width
	if width == 0 {
		d.prefix, least = 4, 4
	}
	if n < 0 || n > len(src)/least {
		return nil, false
	}
	d.ends = make([]uint32, 0, n)
	plain := &plainValues{src: src, width: width}
	for range n {
		if _, ok := plain.next(); !ok {
			return nil, false
		}
		d.ends = append(d.ends, uint32(len(src)-len(plain.src)))
	}
	return d, true
}

// dictionaryValues are values of a dictionary, by their index.
type dictionaryValues struct {
	from    *dictionary
	indexes hybrid
}

func (v *dictionaryValues) next() ([]byte, bool) {
	index, ok := v.indexes.next()
	d := v.from
	if !ok || uint64(index) >= uint64(len(d.ends)) {
		return nil, false
	}
	from := d.prefix
	if index > 0 {
		from += d.ends[index-1]
	}
	return d.src[from:d.ends[index]], true
}

// lengthValues are values of DELTA_LENGTH_BYTE_ARRAY: all lengths, then all values.
type lengthValues struct {
	lengths *deltas
	text    []byte
}

func newLengthValues(src []byte) (*lengthValues, bool) {
	lengths, text, ok := splitDeltas(src)
	return &lengthValues{lengths: lengths, text: text}, ok
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

// prefixedValues are values of DELTA_BYTE_ARRAY, which share a prefix with the
// value before them: all lengths of prefixes, then all suffixes.
type prefixedValues struct {
	shared   *deltas
	suffixes *lengthValues
	value    []byte
}

func newPrefixedValues(src []byte) (*prefixedValues, bool) {
	shared, rest, ok := splitDeltas(src)
	if !ok {
		return nil, false
	}
	suffixes, ok := newLengthValues(rest)
	return &prefixedValues{shared: shared, suffixes: suffixes}, ok
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

// splitValues are values of BYTE_STREAM_SPLIT: the first bytes of all values, then
// all second bytes, and so on.
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
