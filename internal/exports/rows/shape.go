package rows

import (
	"bytes"
	"slices"
)

// IsUUID reports whether value is a UUID with hyphens, 8-4-4-4-12.
func IsUUID(value []byte) bool {
	if len(value) != 36 {
		return false
	}
	for i, c := range value {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return false
			}
		} else if !IsHex(c) {
			return false
		}
	}
	return true
}

// LooksLikeID reports whether a value looks like a device id: a UUID, a digest of 32,
// 40 or 64 hexadecimal digits, or 12 to 16 hexadecimal digits with a letter, also in
// braces or quotes. It is strict, since customer numbers and dates are hexadecimal
// digits, too. Columns and headers are detected by it.
func LooksLikeID(value []byte) bool {
	value = bytes.Trim(TrimSpace(value), `"'{}`)
	if IsUUID(value) {
		return true
	}
	letters := false
	for _, c := range value {
		if !IsHex(c) {
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
