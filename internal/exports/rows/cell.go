package rows

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// InvalidRow is the value of a row that cannot be read. It is not an id.
const InvalidRow = "?"

// AppendCell appends the rows of a cell to out, one line each, and returns their
// number: one for each id if the cell is a list of ids, otherwise one. It appends
// at most maxLine+1 bytes, or two.
func AppendCell(out, cell []byte, maxLine int) ([]byte, int) {
	cell = TrimSpace(cell)
	if len(cell) <= maxLine && !HasUUIDShape(cell) && SeveralIDs(cell) {
		return appendIDs(out, cell)
	}
	return AppendRow(out, cell, maxLine), 1
}

// HasUUIDShape reports whether a cell has the length and the hyphens of a UUID.
// Most cells do, and no list of ids does, so this is checked first.
func HasUUIDShape(cell []byte) bool {
	return len(cell) == 36 && cell[8] == '-' && cell[13] == '-' && cell[18] == '-' && cell[23] == '-'
}

// AppendRow appends a value as one row. An empty value is an empty line, a value
// over maxLine is InvalidRow, and a line end in the value becomes a space.
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

// SeveralIDs reports whether a cell is a list of ids: it has a separator, and
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

// minPiece is the length of the shortest piece that looks like an id.
const minPiece = 8

// appendIDs appends the pieces of a list of ids.
func appendIDs(out, cell []byte) ([]byte, int) {
	rows := 0
	inPiece := false
	for _, c := range cell {
		if !IsSeparator(c) {
			out = append(out, c)
			inPiece = true
		} else if inPiece {
			out = append(out, '\n')
			rows++
			inPiece = false
		}
	}
	if inPiece {
		out = append(out, '\n')
		rows++
	}
	return out, rows
}

// IsSeparator reports whether c separates the ids of a list.
func IsSeparator(c byte) bool { return c == ',' || c == ';' || c == '|' || IsSpace(c) }

// IsHex reports whether c is a hexadecimal digit.
func IsHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// PutUUID writes 36 bytes and a line end, eight bytes at a time.
func PutUUID(out *[37]byte, id *[36]byte) {
	for i := 0; i < 32; i += 8 {
		binary.LittleEndian.PutUint64(out[i:], binary.LittleEndian.Uint64(id[i:]))
	}
	binary.LittleEndian.PutUint32(out[32:], binary.LittleEndian.Uint32(id[32:]))
	out[36] = '\n'
}
