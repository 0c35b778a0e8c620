package hashing

import "bytes"

// listSeparators are the characters of which each list of ids in one line has at least
// one: what separates its elements, or the bracket of a JSON array.
const listSeparators = ", ;|\t["

// passReach is how many characters before the first separator a kernel may stop.
const passReach = 512

// SingleLines returns the size and the number of the lines that text begins with and that
// hold no list of ids, because they have no comma, semicolon, vertical bar, space, tab or
// opening bracket. It counts lines with their line feeds, so that a last line without one
// is never among them.
func SingleLines(text []byte) (size, lines int) { return fastest.singleLines(text) }

func (k *kernel) singleLines(text []byte) (size, lines int) {
	size, lines = k.passSingles(text)
	rest := text[size:min(size+passReach, len(text))]
	if i := bytes.IndexAny(rest, listSeparators); i >= 0 {
		rest = rest[:i]
	}
	lines += bytes.Count(rest, []byte{'\n'})
	return bytes.LastIndexByte(text[:size+len(rest)], '\n') + 1, lines
}
