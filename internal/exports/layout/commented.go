package layout

import (
	"bytes"
	"slices"
	"strconv"

	"usher/internal/exports/choose"
	"usher/internal/exports/rows"
)

// commentMarks are what the rows begin with that somebody has commented out.
var commentMarks = []string{"#", "//", "--", ";", "%", "!"}

// findCommented finds rows of CSV with an id that the writer has commented out, as #4,U5
// among 3,U4 and 5,U6. If the first cells of the others are texts or empty, or of another kind, the
// mark may be the text of a cell, and they are only warned of.
func (h *Head) findCommented(s choose.Search, header bool, delimiter string) {
	if s.Evidence == nil || s.Evidence.Examined(h.Origin) {
		return
	}
	lines := h.sampledLines()
	if header && len(lines) > 0 {
		lines = lines[1:]
	}
	for _, mark := range commentMarks {
		begins := func(line []byte) bool { return bytes.HasPrefix(line, []byte(mark)) }
		if delimiter == mark || !slices.ContainsFunc(lines, begins) {
			continue
		}
		marked, others := markedRows(lines, delimiter, mark)
		n, all := total(marked), total(marked)+total(others)
		if n == 0 || 2*n >= all {
			continue
		}
		usual := mostFrequent(others)
		hint := "set source.skip to " + strconv.Quote(mark) + ", which leaves them out"
		if h.skip != "" || h.skippedLines > 0 {
			hint = "take them out, as grep -v '^" + mark + "' FILE > KEPT.csv does"
		}
		sure := (usual == numberCell || usual == idCell) && 2*marked[usual] > n
		s.Commented(h.Origin, mark, n, all, hint, sure)
	}
}

// markedRows counts the rows with an id that begin with a mark, and the others, by the kinds of
// their first cells.
func markedRows(lines [][]byte, delimiter, mark string) (marked, others map[cellKind]int) {
	marked, others = map[cellKind]int{}, map[cellKind]int{}
	for _, line := range lines {
		cell, rest, _ := bytes.Cut(line, []byte(delimiter))
		if rows.CountIDs(rest, "") == 0 {
			continue
		}
		if bare, is := bytes.CutPrefix(cell, []byte(mark)); is {
			marked[kindOf(bare)]++
		} else {
			others[kindOf(cell)]++
		}
	}
	return marked, others
}

func total(kinds map[cellKind]int) int {
	all := 0
	for _, n := range kinds {
		all += n
	}
	return all
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
