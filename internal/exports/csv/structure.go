package csv

import "bytes"

// chunkBytes is how much text is taken at once. The text and its structure stay in
// the first-level cache.
const chunkBytes = 8 << 10

// structure is where the fields of a chunk of text end, found 64 bytes at a time.
// The chunk begins with a record.
//
// It covers the text up to the first quote that clearQuoted calls odd, or the first
// backslash that may escape something. The text after that, and a record that does not
// end in the chunk, are read one record at a time.
type structure struct {
	text  []byte
	masks masks
	tail  [maskBytes]byte

	separators [chunkBytes]uint16 // offsets of delimiters and line ends outside quotes
	ends       [chunkBytes]uint16 // offsets of line ends alone

	fields   int  // number of separators
	records  int  // number of ends
	odd      bool // text has more than the structure covers
	lineEnds bool // there may be line ends inside quotes
}

func newStructure() *structure { return &structure{masks: makeMasks(chunkBytes / maskBytes)} }

// read finds the structure of the first chunk of text. If flat, it ends before a quoted
// field with line ends, which an export that is cut into parts cannot have, and which
// is looked at twice unless the dialect is settled.
func (s *structure) read(text []byte, d *Dialect, flat bool) {
	s.text = text[:min(len(text), chunkBytes)]
	known := d.plainText(s.text)
	words := len(known) / maskBytes
	findMasks(s.masks.slice(0, words), known, d.Delimiter)
	if rest := known[words*maskBytes:]; len(rest) > 0 {
		clear(s.tail[copy(s.tail[:], rest):])
		findMasks(s.masks.slice(words, words+1), s.tail[:], d.Delimiter)
		words++
	}
	s.odd, s.lineEnds = len(known) < len(s.text), false
	if !d.Bare {
		var odd bool
		words, odd, s.lineEnds = clearQuoted(s.masks, words, known, flat)
		s.odd = s.odd || odd
	}
	s.fields = list(s.separators[:], s.masks.separators[:words])
	s.records = list(s.ends[:], s.masks.ends[:words])
	if !d.isSettled() && s.hasLoneCR() {
		s.records, s.odd = 0, true
	}
}

// plainText returns the beginning of text that the masks can follow: up to the first
// backslash that may escape something.
func (d *Dialect) plainText(text []byte) []byte {
	i := -1
	switch {
	case d.Escape != EscapeDouble:
		i = bytes.IndexByte(text, '\\')
	case d.Assumed:
		i = bytes.Index(text, []byte(`\"`))
	}
	if i < 0 {
		return text
	}
	return text[:i]
}

// hasLoneCR reports whether the records have a CR that is not part of the line end of
// a record.
func (s *structure) hasLoneCR() bool {
	if s.records == 0 {
		return false
	}
	text := s.text[:s.ends[s.records-1]]
	if bytes.IndexByte(text, '\r') < 0 {
		return false
	}
	atEnds := 0
	for _, end := range s.ends[:s.records] {
		if end > 0 && s.text[end-1] == '\r' {
			atEnds++
		}
	}
	return bytes.Count(text, []byte{'\r'}) != atEnds
}

// count returns the number of fields from a separator up to the end of a record.
func (s *structure) count(first, end int) int {
	n := 1
	for int(s.separators[first+n-1]) != end {
		n++
	}
	return n
}
