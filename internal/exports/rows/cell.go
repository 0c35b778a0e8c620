package rows

import (
	"bytes"
	"encoding/binary"
	"slices"

	"usher"
)

// InvalidRow is the value of a row whose value is too long or not text. It is not an
// id. A row that cannot be parsed is a usher.MalformedRow instead.
const InvalidRow = "?"

// AppendCell appends the rows of a cell to out, one line each, and returns their
// number: one for each element if the cell is a list of ids, see AppendList, and
// otherwise one. It appends at most maxLine+1 bytes, or two.
func AppendCell(out, cell []byte, maxLine int) ([]byte, int) {
	cell = TrimSpace(cell)
	if len(cell) > maxLine || HasUUIDShape(cell) || !mayBeList(cell) {
		return AppendRow(out, cell, maxLine), 1
	}
	if out, n := AppendList(out, cell); n > 0 {
		return out, n
	}
	if isComposite(cell) {
		cell = []byte(InvalidRow)
	}
	return AppendRow(out, cell, maxLine), 1
}

// mayBeList is a fast approximation of whether a cell is a list: it is true of all
// lists.
func mayBeList(cell []byte) bool {
	switch {
	case len(cell) == 0, len(cell) == 38 && HasUUIDShape(cell[1:37]) && cell[0] != '[' && cell[0] != '(':
		return false // most cells that are quoted or in braces hold a single id
	case startsQuoted(cell), closingBracket(cell[0]) != 0:
		return true
	}
	return slices.ContainsFunc(cell, isSeparator)
}

// isComposite reports whether a cell that is not a list of ids is a JSON object or
// another list. Package hashing would take it for a macro, which counts as junk.
func isComposite(cell []byte) bool {
	first, last := cell[0], cell[len(cell)-1]
	if bytes.HasPrefix(cell, []byte("{{")) {
		return false // {{idfa | upper}}
	}
	return (first == '{' || first == '[') && last == closingBracket(first) && bytes.ContainsAny(cell, `",'`)
}

// HasUUIDShape reports whether a cell has the length and the hyphens of a UUID.
// Most cells do, and no list of ids does, so this is checked first.
func HasUUIDShape(cell []byte) bool {
	return len(cell) == 36 && cell[8] == '-' && cell[13] == '-' && cell[18] == '-' && cell[23] == '-'
}

// AppendRow appends a value as one row. An empty value is an empty line, a value
// over maxLine is InvalidRow, and a line end in the value becomes a space.
func AppendRow(out, value []byte, maxLine int) []byte {
	if len(value) > maxLine || string(value) == usher.MalformedRow || usher.WithheldBy(value) >= 0 {
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

// AppendMalformed appends a usher.MalformedRow.
func AppendMalformed(out []byte) []byte { return append(out, usher.MalformedRow+"\n"...) }

// PutHexID writes a cell and a line end, eight bytes at a time, and returns how many bytes
// these are. The cell is one that hashing.IsHexID knows: no list, and in need of no other check.
func PutHexID(out, cell []byte) int {
	n := 0
	for ; n < len(cell)&^7; n += 8 {
		binary.LittleEndian.PutUint64(out[n:], binary.LittleEndian.Uint64(cell[n:]))
	}
	out[n] = '\n'
	return n + 1
}

// PutUUID writes 36 bytes and a line end, eight bytes at a time.
func PutUUID(out *[37]byte, id *[36]byte) {
	for i := 0; i < 32; i += 8 {
		binary.LittleEndian.PutUint64(out[i:], binary.LittleEndian.Uint64(id[i:]))
	}
	binary.LittleEndian.PutUint32(out[32:], binary.LittleEndian.Uint32(id[32:]))
	out[36] = '\n'
}

// BOM is the byte order mark of UTF-8.
const BOM = "\xEF\xBB\xBF"

// TrimBOM returns data without a byte order mark at its beginning.
func TrimBOM(data []byte) []byte { return bytes.TrimPrefix(data, []byte(BOM)) }

// IsBlank reports whether a line has only spaces. Package hashing follows the same
// rule, so that both count the same rows.
func IsBlank(line []byte) bool { return len(TrimSpace(line)) == 0 }

// TrimSpace returns value without the spaces, tabs, line ends, no-break spaces and
// byte order marks at its ends.
func TrimSpace(value []byte) []byte {
	for n := spaceAtStart(value); n > 0; n = spaceAtStart(value) {
		value = value[n:]
	}
	for n := spaceAtEnd(value); n > 0; n = spaceAtEnd(value) {
		value = value[:len(value)-n]
	}
	return value
}

// IsSpace reports whether c is a space, a tab or part of a line end.
func IsSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// spaceAtStart returns the size of the space that value begins with, or 0.
func spaceAtStart(value []byte) int {
	switch n := len(value); {
	case n == 0:
	case IsSpace(value[0]):
		return 1
	case n >= 2 && value[0] == 0xC2 && value[1] == 0xA0: // U+00A0
		return 2
	case n >= 3 && value[0] == 0xEF && value[1] == 0xBB && value[2] == 0xBF: // U+FEFF
		return 3
	}
	return 0
}

// spaceAtEnd returns the size of the space that value ends with, or 0.
func spaceAtEnd(value []byte) int {
	switch n := len(value); {
	case n == 0:
	case IsSpace(value[n-1]):
		return 1
	case n >= 2 && value[n-2] == 0xC2 && value[n-1] == 0xA0:
		return 2
	case n >= 3 && value[n-3] == 0xEF && value[n-2] == 0xBB && value[n-1] == 0xBF:
		return 3
	}
	return 0
}
