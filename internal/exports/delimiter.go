package exports

import (
	"bytes"
	"slices"

	"usher"
	"usher/internal/exports/column"
	"usher/internal/exports/csv"
	"usher/internal/exports/names"
	"usher/internal/exports/rows"
)

// decideDelimiter decides on the plan's delimiter: the declared one, the one that
// the first line declares, or the one that fits the head. It stays empty if none does.
func (h *head) decideDelimiter(plan *usher.Plan) error {
	if plan.Delimiter != "" {
		return nil
	}
	first, _ := rows.CutLine(h.text)
	if d, ok := csv.DeclaredDelimiter(first); ok {
		plan.Delimiter = string(d)
		return nil
	}
	switch found := h.delimiters(plan); len(found) {
	case 0:
		return nil
	case 1:
		plan.Delimiter = string(found[0])
		return nil
	default:
		return h.Broken("set source.delimiter to one of them, and source.column if need be", "several characters may be its delimiter: %q", found)
	}
}

// delimiters returns the delimiters that split the head into records of the same
// number of fields, at least two. If some of them lead to a known name or to a
// column of ids, it returns only those.
func (h *head) delimiters(plan *usher.Plan) []byte {
	if h.holdsLists() {
		return nil
	}
	var fitting, telling []byte
	for _, d := range []byte(csv.Delimiters) {
		if bytes.IndexByte(h.text, d) < 0 {
			continue
		}
		try := *plan
		try.Delimiter = string(d)
		records := fieldsOf(complete(h.records(&try)))
		if !isEven(records) && !isNamed(records) {
			continue
		}
		fitting = append(fitting, d)
		_, columns := h.columnsOf(records)
		if slices.ContainsFunc(columns, func(c column.Column) bool { return c.HoldsIDs() || names.RankOf(c.Name) >= names.RankTelling }) {
			telling = append(telling, d)
		}
	}
	if len(telling) > 0 {
		return telling
	}
	return fitting
}
