package rows

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// appendCell appends a cell's rows to out, a line each, and returns how many: k
// for a cell of k ids, else one. It appends at most maxLine+1 bytes, or two.
func AppendCell(out, cell []byte, maxLine int) ([]byte, int) {
	cell = TrimSpace(cell)
	if len(cell) <= maxLine && !HasUUIDShape(cell) && SeveralIDs(cell) {
		return appendIDs(out, cell)
	}
	return AppendRow(out, cell, maxLine), 1
}

// hyphenated reports whether a cell has the length and the hyphens of a UUID:
// nearly all have, and no list of ids does, so that they need no closer look.
func HasUUIDShape(cell []byte) bool {
	return len(cell) == 36 && cell[8] == '-' && cell[13] == '-' && cell[18] == '-' && cell[23] == '-'
}

// appendRow appends a value as one row: an empty one is an empty line, one over
// maxLine is a row that cannot be read, a line end within it becomes a space.
func AppendRow(out, value []byte, maxLine int) []byte {
	if len(value) > maxLine {
		return append(out, InvalidRow+"\n"...)
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
func SeveralIDs(cell []byte) bool {
	if !slices.ContainsFunc(cell, IsSeparator) {
		return false
	}
	pieces, size := 0, 0
	for _, c := range cell {
		switch {
		case !IsSeparator(c) && !IsHex(c) && c != '-' && c != '{' && c != '}':
			return false
		case !IsSeparator(c):
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
		if !IsSeparator(c) {
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

func IsSeparator(c byte) bool { return c == ',' || c == ';' || c == '|' || IsSpace(c) }

func IsHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// putUUID writes a line of 36 bytes, a word at a time.
func PutUUID(out *[37]byte, id *[36]byte) {
	for i := 0; i < 32; i += 8 {
		binary.LittleEndian.PutUint64(out[i:], binary.LittleEndian.Uint64(id[i:]))
	}
	binary.LittleEndian.PutUint32(out[32:], binary.LittleEndian.Uint32(id[32:]))
	out[36] = '\n'
}
