package exports

import "usher"

// cut divides size bytes into parts of partBytes, of more only where that would
// make over maxParts. The first part has at least first bytes. An empty export
// is one part.
func cut(size, partBytes, first int64, maxParts int) []usher.Part {
	partBytes = max(partBytes, (size+int64(maxParts)-1)/int64(maxParts), 1)
	var parts []usher.Part
	from := int64(0)
	for to := max(partBytes, first); to < size; to += partBytes {
		parts = append(parts, usher.Part{From: from, To: to})
		from = to
	}
	return append(parts, usher.Part{From: from, To: -1})
}

// whole is the one part of an export that is not cut.
func whole() []usher.Part { return []usher.Part{{From: 0, To: -1}} }

// isCut reports whether part is one of several.
func isCut(part usher.Part) bool { return part.From > 0 || part.To >= 0 }
