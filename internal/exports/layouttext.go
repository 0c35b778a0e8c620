package exports

import (
	"iter"
	"strconv"
	"strings"

	"usher"
	"usher/hashing"
	"usher/internal/exports/names"
	"usher/internal/exports/rows"
)

// layoutText finds the header of a plain list. Only a known name is a header, since
// anything else may be a row.
func (h *head) layoutText(src *usher.Source, s search, plan *usher.Plan) error {
	if declared(src.TypeColumn) != "" {
		return h.Broken("remove source.typeColumn, or set source.format to csv", "it is a plain list, which has no column of types")
	}
	lines := h.sampledLines()
	if len(lines) == 0 {
		return nil
	}
	var shortest rows.ShortestID
	examined := h.lines(sampleRows)
	for _, line := range examined[:len(examined)-h.unended()] {
		if rows.LooksLikeID(line) {
			shortest.Add(line)
		}
	}
	plan.Shortest = shortest.Length()
	first := names.HeaderText(lines[0])
	if !rows.LooksLikeID(lines[0]) && (names.RankOf(first) > names.RankUnknown || names.Same(first, src.Column)) {
		if err := h.checkName(lines[0]); err != nil {
			return err
		}
		plan.Header, lines = first, lines[1:]
	}
	if err := h.refuseColumnsOfBlanks(plan.Header, lines); err != nil {
		return err
	}
	columns := countLines(plan.Header, lines)
	switch wanted := declared(src.Column); {
	case wanted == "":
		c := choose(columns, s)
		if c.at < 0 {
			return h.unchosen(columns, s, c)
		}
		plan.Why = c.why
	case wanted == "1", names.Same(first, src.Column):
		plan.Why = whyNamed
	default:
		return h.noColumn("column", src.Column, "1, since the export is a plain list")
	}
	h.listEvidence(s, columns)
	return nil
}

// checkName refuses a header that has a device id in it, which would be shown and stored.
func (h *head) checkName(cell []byte) error {
	if !names.HoldsID(cell) {
		return nil
	}
	return h.Broken("remove the value from it, or set source.skip to "+strconv.Itoa(h.skippedLines+1)+" if the first row is no header",
		"the name of the column of device ids looks like one, %s", hashing.MaskIDs(names.HeaderText(cell)))
}

// refuseColumnsOfBlanks refuses a list whose header has several names, separated by
// blanks, and whose lines have as many ids: these are columns.
func (h *head) refuseColumnsOfBlanks(header string, lines [][]byte) error {
	words := strings.FieldsFunc(header, func(r rune) bool { return strings.ContainsRune(" \t,()", r) })
	if len(words) < 2 || names.MeaningOf(strings.Join(words, "")).Whole {
		return nil
	}
	even := 0
	for _, line := range lines {
		if _, n := rows.AppendList(nil, line); n == len(words) {
			even++
		}
	}
	if even == 0 || 2*even < len(lines) {
		return nil
	}
	return h.Broken("set source.delimiter to what separates them, such as a blank or a comma, and source.column to one of: "+strings.Join(words, ", "),
		"its header names %d columns, and its rows have as many ids", len(words))
}

// countLines counts the lines of a list as its only column.
func countLines(name string, lines [][]byte) []column {
	columns := numbered([]column{{name: name}})
	for _, line := range lines {
		columns[0].count(line)
	}
	return columns
}

// listEvidence adds the evidence of a list.
func (h *head) listEvidence(s search, columns []column) {
	s.evidence(h.Origin, columns, 0, func(int) iter.Seq2[string, string] { return nil })
}
