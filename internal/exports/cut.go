package exports

import (
	"usher"
	"usher/internal/exports/parquet"
)

// cut divides size bytes into parts of partBytes, or of more if there would be over
// maxParts. The first part has at least first bytes. An empty export is one part.
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

// cutGroups makes parts of row groups, counted from 0, that have partBytes of text
// or more.
func cutGroups(groups []parquet.RowGroup, partBytes int64, maxParts int) []usher.Part {
	const rowBytes = 37 // about
	var all int64
	for i := range groups {
		all += groups[i].Rows * rowBytes
	}
	partBytes = max(partBytes, 2*all/int64(maxParts)+1) // two neighbouring parts have more than that together
	var parts []usher.Part
	from, size := 0, int64(0)
	for i := range groups {
		bytes := groups[i].Rows * rowBytes
		if size > 0 && size+bytes > partBytes {
			parts = append(parts, usher.Part{From: int64(from), To: int64(i)})
			from, size = i, 0
		}
		size += bytes
	}
	return append(parts, usher.Part{From: int64(from), To: -1})
}

// headerBytes is the size of the largest header of a file in a folder: the first
// part of a file has at least that many bytes.
const headerBytes = 4 << 10

// maxFiles is the largest number of files in a part, unless there are too many files for
// that: each name stands in the message of the part.
const maxFiles = 256

// cutFiles makes parts of files: parts of each large file if the files can be cut, and
// parts of several small ones, because each part costs some writes and a request.
// The files in whole are not cut.
func cutFiles(files []usher.File, whole map[string]bool, cuttable bool, partBytes int64, maxParts int) []usher.Part {
	together := partBytes / 4 // compressed text is three to eight times as long when it is read
	if room := int64(maxParts - len(files)); cuttable && room > 0 {
		var size int64
		for _, f := range files {
			size += f.Size
		}
		partBytes = max(partBytes, size/room+1) // leaves room for the last part of each file
		together = partBytes
	} else {
		cuttable = false
	}
	least := (len(files) + maxParts - 1) / maxParts // files in a part, so that there is room for all
	var parts []usher.Part
	from, bytes := 0, int64(0) // the first file that is in no part, and the size of those up to here
	take := func(to int) {
		if from < to {
			parts = append(parts, usher.Part{To: -1, Files: files[from:to]})
		}
		from, bytes = to, 0
	}
	for i, f := range files {
		if n := i - from; n >= least && (bytes+f.Size > together || n >= maxFiles) {
			take(i)
		}
		if cuttable && f.Size > partBytes && !whole[f.Name] {
			take(i)
			for _, p := range cut(f.Size, partBytes, headerBytes, maxParts) {
				p.Files = files[i : i+1]
				parts = append(parts, p)
			}
			from = i + 1
			continue
		}
		bytes += f.Size
	}
	take(len(files))
	return parts
}

// whole returns the only part of an export that is not cut.
func whole() []usher.Part { return []usher.Part{{From: 0, To: -1}} }

// isCut reports whether part is one of several.
func isCut(part usher.Part) bool { return part.From > 0 || part.To >= 0 }
