package exports

import (
	"iter"

	"usher"
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
		if looksLikeID(line) {
			shortest.Add(line)
		}
	}
	plan.Shortest = shortest.Length()
	first := names.HeaderText(lines[0])
	if !looksLikeID(lines[0]) && (names.RankOf(first) > names.RankUnknown || names.Same(first, src.Column)) {
		plan.Header, lines = first, lines[1:]
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
