package hashing

import "bytes"

// listSeparators are the separators of lists, and the bracket of a JSON array. Each list of
// ids in one line contains at least one of them.
const listSeparators = ", ;|\t["

// passReach is how many characters too early a kernel may stop.
const passReach = 512

// SingleLines returns the size and the number of the lines at the beginning of text that
// are not lists of ids: they have no comma, semicolon, vertical bar, space, tab or opening
// bracket, end in LF or CR LF, and have no other CR. It stops before a last line without a
// line ending.
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
