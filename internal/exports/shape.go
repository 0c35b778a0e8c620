package exports

import (
	"bytes"

	"usher/internal/exports/rows"
)

// isUUID reports whether value is a UUID with hyphens, 8-4-4-4-12.
func isUUID(value []byte) bool {
	if len(value) != 36 {
		return false
	}
	for i, c := range value {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return false
			}
		} else if !rows.IsHex(c) {
			return false
		}
	}
	return true
}

// looksLikeID reports whether a value looks like a device id: a UUID, a digest of 32,
// 40 or 64 hexadecimal digits, or 12 to 16 hexadecimal digits with a letter, also in
// braces or quotes. It is strict, since customer numbers and dates are hexadecimal
// digits, too. Columns and headers are detected by it.
func looksLikeID(value []byte) bool {
	value = bytes.Trim(rows.TrimSpace(value), `"'{}`)
	if isUUID(value) {
		return true
	}
	letters := false
	for _, c := range value {
		if !rows.IsHex(c) {
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

// looksLikeIDs is looksLikeID for a cell that may hold several ids.
func looksLikeIDs(cell []byte) bool {
	cell = rows.TrimSpace(cell)
	if looksLikeID(cell) {
		return true
	}
	if !rows.SeveralIDs(cell) {
		return false
	}
	for _, piece := range bytes.FieldsFunc(cell, func(r rune) bool { return r < 0x80 && rows.IsSeparator(byte(r)) }) {
		if !looksLikeID(piece) {
			return false
		}
	}
	return true
}
