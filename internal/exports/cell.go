package exports

import (
	"bytes"
	"slices"
)

// appendCell appends a cell's rows to out, a line each, and returns how many: k
// for a cell of k ids, else one. It appends at most maxLine+1 bytes, or two.
func appendCell(out, cell []byte, maxLine int) ([]byte, int) {
	cell = trimSpace(cell)
	if len(cell) <= maxLine && !hyphenated(cell) && severalIDs(cell) {
		return appendIDs(out, cell)
	}
	return appendRow(out, cell, maxLine), 1
}

// hyphenated reports whether a cell has the length and the hyphens of a UUID:
// nearly all have, and no list of ids does, so that they need no closer look.
func hyphenated(cell []byte) bool {
	return len(cell) == 36 && cell[8] == '-' && cell[13] == '-' && cell[18] == '-' && cell[23] == '-'
}

// appendRow appends a value as one row: an empty one is an empty line, one over
// maxLine is a row that cannot be read, a line end within it becomes a space.
func appendRow(out, value []byte, maxLine int) []byte {
	if len(value) > maxLine {
		return append(out, invalidRow+"\n"...)
	}
	from := len(out)
	out = append(out, value...)
	for line := out[from:]; ; {
		i := bytes.IndexByte(line, '\n')
		if i < 0 {
			return append(out, '\n')
		}
		line[i] = ' '
		line = line[i+1:]
	}
}

// severalIDs reports whether a cell is a list of ids: something separates, and
// every piece looks like an id.
func severalIDs(cell []byte) bool {
	if !slices.ContainsFunc(cell, isSeparator) {
		return false
	}
	pieces, size := 0, 0
	for _, c := range cell {
		switch {
		case !isSeparator(c) && !isHex(c) && c != '-' && c != '{' && c != '}':
			return false
		case !isSeparator(c):
			size++
			continue
		case size > 0 && size < minPiece:
			return false
		case size > 0:
			pieces++
		}
		size = 0
	}
	return pieces > 0 && (size == 0 || size >= minPiece)
}

// minPiece is how long a piece of a list must be to look like an id.
const minPiece = 8

// appendIDs appends the pieces of a list of ids.
func appendIDs(out, cell []byte) ([]byte, int) {
	rows := 0
	open := false
	for _, c := range cell {
		if !isSeparator(c) {
			out = append(out, c)
			open = true
		} else if open {
			out = append(out, '\n')
			rows++
			open = false
		}
	}
	if open {
		out = append(out, '\n')
		rows++
	}
	return out, rows
}

func isSeparator(c byte) bool { return c == ',' || c == ';' || c == '|' || isSpace(c) }
