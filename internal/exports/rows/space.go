package rows

import "bytes"

// isBlank reports whether a line holds no value: nothing but space, by the same
// rule as hashing has, so that both count the same rows.
func IsBlank(line []byte) bool { return len(TrimSpace(line)) == 0 }

// trimSpace cuts off what surrounds a value: spaces, tabs, line ends, no-break
// spaces, and byte order marks.
func TrimSpace(value []byte) []byte {
	for n := spaceAt(value); n > 0; n = spaceAt(value) {
		value = value[n:]
	}
	for n := spaceBefore(value); n > 0; n = spaceBefore(value) {
		value = value[:len(value)-n]
	}
	return value
}

func IsSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// spaceAt is how many bytes of space value begins with, 0 for none.
func spaceAt(value []byte) int {
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

// spaceBefore is how many bytes of space value ends with, 0 for none.
func spaceBefore(value []byte) int {
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

var BOM = []byte("\xEF\xBB\xBF")

func TrimBOM(data []byte) []byte { return bytes.TrimPrefix(data, BOM) }
