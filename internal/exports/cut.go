package exports

import "usher"

// cut divides size bytes into parts of partBytes, of more only where that would
// make over maxParts. An empty export is one part.
func cut(size, partBytes int64, maxParts int) []usher.Part {
	partBytes = max(partBytes, (size+int64(maxParts)-1)/int64(maxParts), 1)
	var parts []usher.Part
	for from := int64(0); size-from > partBytes; from += partBytes {
		parts = append(parts, usher.Part{From: from, To: from + partBytes})
	}
	var last int64
	if n := len(parts); n > 0 {
		last = parts[n-1].To
	}
	return append(parts, usher.Part{From: last, To: -1})
}

// whole is the one part of an export that is not cut.
func whole() []usher.Part { return []usher.Part{{From: 0, To: -1}} }

// isCut reports whether part is one of several.
func isCut(part usher.Part) bool { return part.From > 0 || part.To >= 0 }
