package rows

import "bytes"

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
