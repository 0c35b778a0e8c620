package rows

import (
	"bytes"
	"slices"

	"usher/hashing"
)

// ShortestID tracks the length of the shortest id, to tell whether the last id of a
// file that has no line end was cut off. The zero value has seen no id.
type ShortestID struct{ length int }

// minLength is the length of the shortest value that counts as an id.
const minLength = 8

// NewShortestID returns a ShortestID that has seen an id of that length; 0: none.
func NewShortestID(length int) ShortestID { return ShortestID{length} }

// Length returns the length of the shortest id, 0 if there was none.
func (s *ShortestID) Length() int { return s.length }

// Add adds a value, which counts if it has the characters of an id. Of a list of ids,
// the last one counts.
func (s *ShortestID) Add(value []byte) {
	value = bytes.TrimRight(lastOfList(value), enclosing)
	if n := len(value); n >= minLength && (s.length == 0 || n < s.length) && isHexOrHyphen(value) {
		s.length = n
	}
}

// AddLength adds an id of that length.
func (s *ShortestID) AddLength(length int) {
	if s.length == 0 || s.length > length {
		s.length = length
	}
}

// IsCut reports whether a value may be the beginning of an id: it has the characters
// of one and is shorter than all others. If no id was seen, it is shorter than a UUID, and has the
// length of no id. Of a list of ids, the last one may be cut. If ids were seen, a bracket that is
// not closed is cut as well.
func (s *ShortestID) IsCut(value []byte) bool {
	if s.length > 0 && opensBracket(value) {
		return true
	}
	value = lastOfList(value)
	if len(value) == 0 || !isHexOrHyphen(value) || string(value) == "-" {
		return false
	}
	if s.length == 0 {
		const uuid, compact, android = 36, 32, 16
		return len(value) < uuid && len(value) != compact && len(value) != android
	}
	return len(value) < s.length
}

// opensBracket reports whether a value begins with the bracket of an array or a list and has
// no bracket that closes it.
func opensBracket(value []byte) bool {
	return len(value) > 0 && (value[0] == '[' || value[0] == '{') && bytes.IndexByte(value, closingBracket(value[0])) < 0
}

// enclosing are the quotes and brackets of lists.
const enclosing = "\"'\\[]{}()"

// lastOfList returns what follows the last separator of a list that begins with an id,
// without the quotes and brackets in front of it. A value without a separator is a list of one
// element. It returns any other value as it is.
func lastOfList(value []byte) []byte {
	first := slices.IndexFunc(value, isSeparator)
	if first >= 0 && !isID(bytes.Trim(value[:first], enclosing)) {
		return value
	}
	last := bytes.LastIndexFunc(value, func(r rune) bool { return r < 0x80 && isSeparator(byte(r)) })
	return bytes.TrimLeft(value[last+1:], enclosing)
}

func isHexOrHyphen(value []byte) bool {
	for _, c := range value {
		if !hashing.IsHexDigit(c) && c != '-' {
			return false
		}
	}
	return true
}
