package exports

import (
	"bytes"
	"slices"
	"strings"

	"usher/hashing"
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

// looksLikeIDs reports whether a cell looks like a device id or a list with one.
func looksLikeIDs(cell []byte) bool {
	if looksLikeID(cell) {
		return true
	}
	elements, n := rows.AppendList(nil, cell)
	return n > 0 && slices.ContainsFunc(bytes.Split(elements, []byte{'\n'}), looksLikeID)
}

// hasOtherWords reports whether a list of ids has elements that are neither ids nor
// placeholders.
func hasOtherWords(list []byte) bool {
	elements, _ := rows.AppendList(nil, list)
	return slices.ContainsFunc(bytes.Split(bytes.TrimSuffix(elements, []byte{'\n'}), []byte{'\n'}), func(element []byte) bool {
		return len(element) > 0 && !looksLikeID(element) && !hashing.IsPlaceholder(element)
	})
}

// spelling counts how ids are written.
type spelling struct {
	uuids        int // with hyphens
	compact      int // 32 digits
	versions     int // of these, those that may be UUIDs without hyphens, of version 4
	upper, lower int // UUIDs all of whose letters are of this case
}

// count counts a value that looksLikeID.
func (s *spelling) count(value []byte) {
	value = bytes.Trim(rows.TrimSpace(value), `"'{}`)
	switch {
	case isUUID(value):
		s.uuids++
	case len(value) == 32:
		s.compact++
		if value[12] == '4' && strings.IndexByte("89abAB", value[16]) >= 0 {
			s.versions++
		}
	default:
		return
	}
	upper, lower := false, false
	for _, c := range value { // of digits and letters up to F
		upper = upper || 'A' <= c && c <= 'F'
		lower = lower || c >= 'a'
	}
	if upper && !lower {
		s.upper++
	}
	if lower && !upper {
		s.lower++
	}
}
