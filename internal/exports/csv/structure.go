package csv

// chunkBytes is how much text is taken at once. The text and its structure stay in
// the first-level cache.
const chunkBytes = 8 << 10

// structure is where the fields of a chunk of text end, found 64 bytes at a time.
// The chunk begins with a record.
//
// It covers the text up to the first quote that clearQuoted calls odd. The text
// after that quote, and a record that does not end in the chunk, are read one
// record at a time.
type structure struct {
	text  []byte
	masks masks
	tail  [maskBytes]byte

	separators [chunkBytes + listRoom]uint16 // offsets of delimiters and line ends outside quotes
	ends       [chunkBytes + listRoom]uint16 // offsets of line ends alone

	fields  int  // number of separators
	records int  // number of ends
	odd     bool // text has an odd quote
}

func newStructure() *structure { return &structure{masks: makeMasks(chunkBytes / maskBytes)} }

// read finds the structure of the first chunk of text. If flat, a quoted field may
// not have line ends, as in an export that is cut into parts.
func (s *structure) read(text []byte, delimiter byte, flat bool) {
	s.text = text[:min(len(text), chunkBytes)]
	words := len(s.text) / maskBytes
	findMasks(s.masks.slice(0, words), s.text, delimiter)
	if rest := s.text[words*maskBytes:]; len(rest) > 0 {
		clear(s.tail[copy(s.tail[:], rest):])
		findMasks(s.masks.slice(words, words+1), s.tail[:], delimiter)
		words++
	}
	words, s.odd = clearQuoted(s.masks, words, s.text, flat)
	s.fields = listMarks(s.separators[:], s.masks.separators[:words])
	s.records = listMarks(s.ends[:], s.masks.ends[:words])
}

// count returns the number of fields from a separator up to the end of a record.
func (s *structure) count(first, end int) int {
	n := 1
	for int(s.separators[first+n-1]) != end {
		n++
	}
	return n
}
