package rows

import (
	"bytes"
	"fmt"
	"slices"

	"usher/hashing"
	"usher/internal/exports/places"
)

// LooksLikeID reports whether a value looks like a device id: a UUID, a digest of 32,
// 40 or 64 hexadecimal digits, or 12 to 16 hexadecimal digits with a letter, also in
// braces or quotes. It is strict, since customer numbers and dates are hexadecimal
// digits, too. Columns and headers are detected by it.
func LooksLikeID(value []byte) bool {
	value = bytes.Trim(TrimSpace(value), `"'{}`)
	if hashing.IsUUID(value) {
		return true
	}
	letters := false
	for _, c := range value {
		if !hashing.IsHexDigit(c) {
			return false
		}
		letters = letters || c > '9'
	}
	switch n := len(value); n {
	case 32, 40, 64:
		return true
	default:
		return 12 <= n && n <= 16 && letters
	}
}

// LooksLikeIDs reports whether a cell looks like a device id or a list with one.
func LooksLikeIDs(cell []byte) bool {
	if LooksLikeID(cell) {
		return true
	}
	elements, n := AppendList(nil, cell)
	return n > 0 && slices.ContainsFunc(bytes.Split(elements, []byte{'\n'}), LooksLikeID)
}

// IDCounter counts the ids in a row that cannot be parsed. The zero value counts what looks
// like an id. A counter with a key is for JSON: if the key occurs, it counts at most as many ids
// as keys, since a record may have ids of other kinds as well.
type IDCounter struct {
	key       string
	ids, keys int
	word      []byte // the word that the text so far ends with
}

// NewIDCounter returns a counter for records of JSON that have their ids under a key; "" for
// other text.
func NewIDCounter(key string) IDCounter { return IDCounter{key: key} }

// longestWord is longer than any id, and than any key that is counted.
const longestWord = 65

// Add adds a piece of text. A word may be divided between two pieces.
func (c *IDCounter) Add(text []byte) {
	for _, b := range text {
		switch {
		case !isWordByte(b):
			c.endWord()
		case len(c.word) < longestWord:
			c.word = append(c.word, b)
		}
	}
}

// Count ends the text and returns its number of ids.
func (c *IDCounter) Count() int {
	c.endWord()
	if c.keys > 0 {
		return min(c.keys, c.ids) // a key may be without an id
	}
	return c.ids
}

func (c *IDCounter) endWord() {
	switch {
	case len(c.word) == 0:
		return
	case string(c.word) == c.key:
		c.keys++
	case LooksLikeID(c.word):
		c.ids++
	}
	c.word = c.word[:0]
}

// isWordByte reports whether b may be part of a word: an ASCII letter or digit, a hyphen, an
// underscore, or a byte of any other letter.
func isWordByte(b byte) bool {
	return hashing.IsHexDigit(b) || 'a' <= b|0x20 && b|0x20 <= 'z' || b == '-' || b == '_' || b >= 0x80
}

// CountIDs returns the number of ids in a row that cannot be parsed. key is that of
// NewIDCounter.
func CountIDs(text []byte, key string) int {
	c := NewIDCounter(key)
	c.Add(text)
	return c.Count()
}

// SeveralIDs is the error for a row that would count as one although it has several ids. where
// names the row and says why it counts as one. more is what else may be done about it; "": nothing.
func SeveralIDs(from places.Origin, where string, ids int, more string) error {
	return from.Broken("submit a job for each of the exports that were put together here, or correct or remove that row"+more,
		"%s and has %s, more than each of the rows that usher sampled", where, idsOf(ids))
}

func idsOf(n int) string {
	if n == 1 {
		return "1 id"
	}
	return fmt.Sprintf("%d ids", n)
}
