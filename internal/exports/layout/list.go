package layout

import (
	"bytes"
	"strconv"
	"strings"

	"usher"
	"usher/hashing"
	"usher/internal/exports/choose"
	"usher/internal/exports/names"
	"usher/internal/exports/rows"
)

// layoutText finds the header of a plain list. Only a known name, or one that says something
// else, is a header, since anything else may be a row.
func (h *Head) layoutText(src *usher.Source, s choose.Search, plan *usher.Plan) error {
	if choose.Declared(src.TypeColumn) != "" {
		return h.Broken("remove source.typeColumn, or set source.format to csv", "it is a plain list, which has no column of types")
	}
	if len(src.Only) > 0 {
		return h.Broken("remove source.only, or set source.format to csv", "it is a plain list, which has no columns for source.only")
	}
	lines := h.sampledLines()
	if len(lines) == 0 {
		return nil
	}
	plan.ShortestID = h.shortestID()
	first := names.HeaderText(lines[0])
	if !rows.LooksLikeID(lines[0]) && (names.RankOf(first) > names.RankUnknown || isOtherName(first) || names.Same(first, src.Column)) {
		if err := h.checkName(lines[0]); err != nil {
			return err
		}
		plan.Header, lines = first, lines[1:]
	}
	if err := h.refuseColumnsOfBlanks(plan.Header, lines); err != nil {
		return err
	}
	if choose.Declared(src.Format) == "" {
		plan.MostIDs = 1
		if err := h.refuseOtherLines(lines); err != nil {
			return err
		}
	}
	columns := countLines(plan.Header, lines)
	switch wanted := choose.Declared(src.Column); {
	case wanted == "":
		c := s.Choose(columns)
		if c.At < 0 {
			return c.Err(h.Origin)
		}
		plan.Why, plan.Chosen = c.Why, true
	case wanted == "1", names.Same(first, src.Column):
		plan.Why = choose.WhyNamed
	default:
		return choose.NoColumn(h.Origin, "column", src.Column, "1, since the export is a plain list")
	}
	return s.Complete(&choose.Sample{From: h.Origin, Columns: columns, Named: plan.Header != ""}, false, plan)
}

// isOtherName reports whether the first line of a list is a header that says that the lines are not
// ids of devices. A state may be a row.
func isOtherName(line string) bool {
	const most = 3 // words of a name
	return names.LooksLikeName(line) && len(strings.Fields(line)) <= most && names.SaysOther(line) && !names.IsState(line)
}

// shortestID returns the length of the shortest id of the first lines, 0 if they have none.
func (h *Head) shortestID() int {
	var shortest rows.ShortestID
	examined := h.lines(SampleRows)
	for _, line := range examined[:len(examined)-h.unended()] {
		shortest.Add(line) // as a reader of the whole export does
	}
	return shortest.Length()
}

// checkName refuses a header that has a device id in it, which would be shown and stored.
func (h *Head) checkName(cell []byte) error {
	if !names.HoldsID(cell) {
		return nil
	}
	return h.Broken("remove the value from it, or set source.skip to "+strconv.Itoa(h.skippedLines+1)+" if the first row is no header",
		"the name of the column of device ids looks like an id, %s", hashing.MaskIDs(names.HeaderText(cell)))
}

// refuseColumnsOfBlanks refuses a list whose header has several names, separated by
// blanks, and whose lines have as many ids: these are columns.
func (h *Head) refuseColumnsOfBlanks(header string, lines [][]byte) error {
	words := strings.FieldsFunc(header, func(r rune) bool { return strings.ContainsRune(" \t,()", r) })
	if len(words) < 2 || names.MeaningOf(strings.Join(words, "")).Known {
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
	return h.Broken("set source.delimiter to the character that separates them, such as a blank or a comma, and source.column to one of: "+strings.Join(words, ", "),
		"its header names %d columns, and its rows have as many ids", len(words))
}

// refuseOtherLines refuses a list that has many lines of another format: records of
// NDJSON, or ids with other words beside them.
func (h *Head) refuseOtherLines(lines [][]byte) error {
	many := func(n int) bool { return n > 10 || 100*n > len(lines) }
	records, words := 0, 0
	for _, line := range lines {
		switch {
		case line[0] == '{' && bytes.HasPrefix(rows.TrimSpace(line[1:]), []byte{'"'}):
			records++
		case hasWordsBeside(line):
			words++
		}
	}
	switch {
	case many(records):
		return h.Broken("submit a job for each of the exports that were put together here, or set source.format to text if these lines may count as invalid.malformed",
			"it begins as a plain list, and %d of %d sampled lines are records of NDJSON", records, len(lines))
	case many(words):
		return h.Broken(rows.AsCSV, "it begins as a plain list, and %d of %d sampled lines have other words beside an id", words, len(lines))
	}
	return nil
}

// hasWordsBeside reports whether a line has other words beside an id, and is no list of ids.
func hasWordsBeside(line []byte) bool {
	return bytes.ContainsAny(line, " \t,;|") && rows.HasWordsBeside(line) && !rows.LooksLikeIDs(line)
}

// refuseColumnsOfIDs refuses lines that begin without a header and have as many ids each,
// separated by blanks: these may be lists, or columns one of which is meant. Placeholders count,
// but at least two columns would have ids.
func (h *Head) refuseColumnsOfIDs(lines [][]byte) error {
	elements := make([][][]byte, len(lines))
	most := 0
	for i, line := range lines {
		if bytes.ContainsAny(line, ",;|[{(") {
			return nil
		}
		list, n := rows.AppendList(nil, line)
		elements[i], most = bytes.SplitN(list, []byte{'\n'}, n+1)[:n], max(most, n)
	}
	if most < 2 || most > mostIDColumns || !rows.LooksLikeIDs(lines[0]) {
		return nil
	}
	even, holding := 0, map[int]bool{} // columns that have ids
	for _, line := range elements {
		if len(line) < most {
			continue
		}
		even++
		for at, element := range line {
			if rows.LooksLikeID(element) {
				holding[at] = true
			}
		}
	}
	if len(holding) < 2 || even < 2 || 2*even < len(lines) {
		return nil
	}
	return h.Broken("set source.delimiter to the character that separates them, such as a blank or a tab, and source.column to the number of the column; or set source.format to text if all of them are meant",
		"its lines have %d ids each, which may be lists of ids or columns", most)
}

// mostIDColumns is how many columns of ids an export may have.
const mostIDColumns = 8

// countLines counts the lines of a list as its only column.
func countLines(name string, lines [][]byte) []choose.Column {
	columns := []choose.Column{{Name: name, Number: 1}}
	for _, line := range lines {
		columns[0].Count(line)
	}
	return columns
}
