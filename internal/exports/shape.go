package exports

import (
	"bytes"
	"slices"
	"strings"

	"usher/hashing"
	"usher/internal/exports/rows"
)

// hasOtherWords reports whether a list of ids has elements that are neither ids nor
// placeholders.
func hasOtherWords(list []byte) bool {
	elements, _ := rows.AppendList(nil, list)
	return slices.ContainsFunc(bytes.Split(bytes.TrimSuffix(elements, []byte{'\n'}), []byte{'\n'}), func(element []byte) bool {
		return len(element) > 0 && !rows.LooksLikeID(element) && !hashing.IsPlaceholder(element)
	})
}

// spelling counts how ids are written.
type spelling struct {
	uuids        int // with hyphens
	compact      int // 32 digits
	versions     int // of these, those that may be UUIDs without hyphens, of version 4
	upper, lower int // UUIDs all of whose letters are of this case
}

// count counts a value that rows.LooksLikeID.
func (s *spelling) count(value []byte) {
	value = bytes.Trim(rows.TrimSpace(value), `"'{}`)
	switch {
	case rows.IsUUID(value):
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
