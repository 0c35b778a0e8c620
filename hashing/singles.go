package hashing

import "bytes"

// listSeparators are the characters of which each list of ids in one line has at least
// one: what separates its elements, or the bracket of a JSON array.
const listSeparators = ", ;|\t["

// passReach is how many characters too early a kernel may stop.
const passReach = 512

// SingleLines returns the size and the number of the lines that text begins with, that
// hold no list of ids, because they have no comma, semicolon, vertical bar, space, tab or
// opening bracket, and that end in LF or CR LF, with no other CR. A last line without an
// end is never among them.
func SingleLines(text []byte) (size, lines int) { return fastest.singleLines(text) }

func (k *kernel) singleLines(text []byte) (size, lines int) {
	passed, lines := k.passSingles(text)
	if passed > 0 && text[passed-1] == '\r' {
		passed--
	}
	size = bytes.LastIndexByte(text[:passed], '\n') + 1
	for line := range bytes.Lines(text[size:min(passed+passReach, len(text))]) {
		bare, ended := bytes.CutSuffix(line, []byte{'\n'})
		bare = bytes.TrimSuffix(bare, []byte{'\r'})
		if !ended || bytes.IndexByte(bare, '\r') >= 0 || hasListSeparator(bare) {
			break
		}
		size += len(line)
		lines++
	}
	return size, lines
}
