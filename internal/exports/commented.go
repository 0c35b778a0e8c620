package exports

import (
	"bytes"
	"slices"
	"strconv"

	"usher/internal/exports/column"
	"usher/internal/exports/rows"
)

// commentMarks are what the rows begin with that somebody has commented out.
var commentMarks = []string{"#", "//", "--", ";", "%", "!"}

// findCommented finds rows of CSV with an id that the writer has commented out, as #4,U5
// among 3,U4 and 5,U6. If the first cell of the others is of another kind, the mark may be part of
// the text of a cell, and they are only warned of.
func (h *head) findCommented(s column.Search, header bool, delimiter string) {
	if s.Evidence == nil || s.Evidence.Examined(h.Origin) {
		return
	}
	lines := h.sampledLines()
	if header && len(lines) > 0 {
		lines = lines[1:]
	}
	for _, mark := range commentMarks {
		if delimiter == mark {
			continue
		}
		marked, kinds, n, all := map[cellKind]int{}, map[cellKind]int{}, 0, 0
		for _, line := range lines {
			cell, rest, _ := bytes.Cut(line, []byte(delimiter))
			if rows.CountIDs(rest, "") == 0 {
				continue
			}
			all++
			if bare, is := bytes.CutPrefix(cell, []byte(mark)); is {
				n++
				marked[kindOf(bare)]++
			} else {
				kinds[kindOf(cell)]++
			}
		}
		if n == 0 || 2*n >= all {
			continue
		}
		usual := mostFrequent(kinds)
		hint := "set source.skip to " + strconv.Quote(mark) + ", which leaves them out"
		if h.skip != "" || h.skippedLines > 0 {
			hint = "take them out, as grep -v '^" + mark + "' FILE > KEPT.csv does"
		}
		sure := usual != wordCell && 2*marked[usual] > n
		s.Commented(h.Origin, mark, n, all, hint, sure)
	}
}

// cellKind is what the cells of a column look like.
type cellKind uint8

const (
	emptyCell cellKind = iota
	numberCell
	idCell
	wordCell
)

func kindOf(cell []byte) cellKind {
	cell = bytes.Trim(rows.TrimSpace(cell), `"`)
	switch {
	case len(cell) == 0:
		return emptyCell
	case !slices.ContainsFunc(cell, func(c byte) bool { return c < '0' || c > '9' }):
		return numberCell
	case rows.LooksLikeID(cell):
		return idCell
	}
	return wordCell
}

func mostFrequent(kinds map[cellKind]int) cellKind {
	usual := emptyCell
	for kind, n := range kinds {
		if n > kinds[usual] || n == kinds[usual] && kind > usual {
			usual = kind
		}
	}
	return usual
}
