package csv

import (
	"bytes"
	"math/bits"
)

// quote is the character that fields are quoted with.
const quote = '"'

// field is one field of a record.
type field struct {
	value   []byte // for a quoted field, the text between its quotes
	extra   []byte // the text after the closing quote, which is taken literally
	doubled bool   // the quotes in value are doubled
	size    int    // bytes, including the delimiter or line end after it
	last    bool   // the last field of its record
}

// nextField scans the field that data begins with. data ends where a line or the
// export ends. open is true if a quote is not closed in data.
func nextField(data []byte, delimiter byte) (f field, open bool) {
	if len(data) == 0 || data[0] != quote {
		f.value, f.size, f.last = bareField(data, delimiter)
		return f, false
	}
	for at := 1; ; {
		i := bytes.IndexByte(data[at:], quote)
		if i < 0 {
			return field{}, true
		}
		at += i + 1
		if at < len(data) && data[at] == quote {
			f.doubled = true
			at++
			continue
		}
		f.value = data[1 : at-1]
		if at < len(data) && data[at] == delimiter {
			f.size = at + 1
			return f, false
		}
		f.extra, f.size, f.last = bareField(data[at:], delimiter)
		f.size += at
		return f, false
	}
}

// bareField scans up to the delimiter or the line end.
func bareField(data []byte, delimiter byte) (value []byte, size int, last bool) {
	for i, c := range data {
		if c == delimiter {
			return data[:i], i + 1, false
		}
		if c == '\n' {
			return bytes.TrimSuffix(data[:i], []byte{'\r'}), i + 1, true
		}
	}
	return bytes.TrimSuffix(data, []byte{'\r'}), len(data), true
}

// isPiece reports whether the field's text is one piece of the data that was
// scanned.
func (f *field) isPiece() bool { return !f.doubled && len(f.extra) == 0 }

// text returns the field's text, in scratch unless it is one piece of the data.
func (f *field) text(scratch []byte) []byte {
	if f.isPiece() {
		return f.value
	}
	scratch = scratch[:0]
	for rest := f.value; ; {
		i := bytes.IndexByte(rest, quote)
		if i < 0 || !f.doubled {
			scratch = append(scratch, rest...)
			break
		}
		scratch = append(scratch, rest[:i+1]...)
		rest = rest[i+2:]
	}
	return append(scratch, f.extra...)
}

// SplitRecord splits the record that data begins with. size is the size of the
// record with its line end. open is true if a quote is not closed in data.
func SplitRecord(data []byte, delimiter byte) (record []string, size int, open bool) {
	for {
		f, open := nextField(data[size:], delimiter)
		if open {
			return nil, 0, true
		}
		record = append(record, string(f.text(nil)))
		size += f.size
		if f.last {
			return record, size, false
		}
	}
}

// indexQuote returns the index of the first quote, or the length of data.
func indexQuote(data []byte) int {
	if i := bytes.IndexByte(data, quote); i >= 0 {
		return i
	}
	return len(data)
}

// clearQuoted clears the delimiters and line ends inside quotes from the first n
// words of the masks of text. It returns how many of the words are valid, and
// whether text has a quote that the masks cannot follow: one that stands neither at
// an end of a field nor doubled inside it, or, if flat, one around a line end. The
// words after such a quote are not valid.
func clearQuoted(m masks, n int, text []byte, flat bool) (valid int, odd bool) {
	q := quoting{start: 1}
	m = m.slice(0, n)
	for i, quotes := range m.quotes {
		if quotes|q.inside|q.closed == 0 {
			q.start = m.separators[i] >> 63
			continue
		}
		inside, first := q.next(quotes, m.separators[i], m.ends[i], flat, text[i*maskBytes:])
		odd = first < maskBytes
		if odd {
			inside |= ^uint64(0) << first
		}
		m.separators[i] &^= inside
		m.ends[i] &^= inside
		if odd {
			return i + 1, true
		}
	}
	return n, false
}

// quoting is the state between two words of the masks.
type quoting struct {
	inside uint64 // all bits are set inside quotes
	start  uint64 // 1 if a field may begin with the next byte
	closed uint64 // 1 if the last byte is a quote that closes, or the first of two
}

// next returns the bytes of the next word that are inside quotes, and the index of
// the first byte that clearQuoted calls odd, or 64. text begins with the word.
func (q *quoting) next(quotes, separators, ends uint64, flat bool, text []byte) (inside uint64, first int) {
	inside = parity(quotes) ^ q.inside // from an opening quote up to its closing quote
	opening, closing := quotes&inside, quotes&^inside
	var odd uint64
	if flat {
		odd = ends & inside
	}
	separators &^= inside
	odd |= opening &^ ((separators|closing)<<1 | q.start)
	behind := (closing<<1 | q.closed) &^ (separators | opening)
	q.inside = uint64(int64(inside) >> 63)
	q.start, q.closed = (separators|closing)>>63, closing>>63
	for ; behind != 0; behind &= behind - 1 {
		// A quote may also close before CR LF.
		at := bits.TrailingZeros64(behind)
		if at+1 >= len(text) || text[at] != '\r' || text[at+1] != '\n' {
			odd |= 1 << at
			break
		}
	}
	return inside, bits.TrailingZeros64(odd)
}

// parity returns the bits up to which an odd number of bits of x are set.
func parity(x uint64) uint64 {
	x ^= x << 1
	x ^= x << 2
	x ^= x << 4
	x ^= x << 8
	x ^= x << 16
	return x ^ x<<32
}
