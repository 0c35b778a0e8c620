package exports

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"usher"
	"usher/hashing"
	"usher/internal/exports/choose"
	"usher/internal/exports/csv"
	"usher/internal/exports/names"
	"usher/internal/exports/places"
	"usher/internal/exports/xlsx"
)

// otherSheet is the beginning of a sheet that is not read.
type otherSheet struct {
	name    string
	records [][]string
}

const (
	mostSheets = 20 // that are looked at
	sheetRows  = 20 // of each
)

// otherSheets reads the beginnings of the sheets that are not hidden, but for the one at an index.
// One that cannot be read is left out: it is not needed.
func (w *workbook) otherSheets(ctx context.Context, from places.Origin, at int) ([]otherSheet, error) {
	var others []otherSheet
	for i, name := range w.Sheets {
		if i == at || w.Hidden[i] || len(others) == mostSheets {
			continue
		}
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		text, err := w.Text(i, xlsx.Cells{Rows: sheetRows})
		if err != nil {
			continue
		}
		data, _, err := readBeginning(text)
		text.Close()
		if err != nil {
			continue
		}
		h := &head{Origin: from, text: data, all: true}
		others = append(others, otherSheet{name, fieldsOf(h.firstRecords(&usher.Plan{Delimiter: sheetDelimiter}, sheetRows))})
	}
	return others, nil
}

// checkBook refuses a sheet whose ids are formulas without values, and one that goes on in another.
func (h *head) checkBook(s choose.Search, plan *usher.Plan) error {
	return cmp.Or(h.checkFormulas(plan.Column, h.firstRecords(&usher.Plan{Delimiter: sheetDelimiter}, 1)), h.checkSheets(s, plan, plan.Column))
}

// checkSheets refuses a table that goes on in another sheet, and warns of other sheets with ids.
// at is the column of the ids.
func (h *head) checkSheets(s choose.Search, plan *usher.Plan, at int) error {
	var same, other []string
	records := fieldsOf(h.firstRecords(&usher.Plan{Delimiter: sheetDelimiter}, sheetRows))
	if len(records) == 0 {
		return nil
	}
	for _, sheet := range h.otherSheets {
		name := strconv.Quote(hashing.MaskIDs(sheet.name))
		switch {
		case goesOn(records[0], sheet.records, at) && names.FileSaysNo(plan.Sheet) == names.FileSaysNo(sheet.name):
			same = append(same, name)
		case slices.ContainsFunc(sheet.records, hasIDs):
			other = append(other, name)
		}
	}
	own := strconv.Quote(hashing.MaskIDs(plan.Sheet))
	if len(same) > 0 && !s.Removes {
		return h.Broken("put all rows on one sheet; or set source.sheet to "+own+" for a job of this sheet alone, and submit one for each of the others",
			"its table goes on in another sheet: %s with the same columns as %s", listOfNames(same), own)
	}
	s.OtherSheets(h.Origin, own, append(same, other...), len(h.sheets))
	return nil
}

// goesOn reports whether the records of a sheet continue a table: they have the same header, or
// none and an id in the same column.
func goesOn(first []string, records [][]string, column int) bool {
	if len(records) == 0 {
		return false
	}
	at := slices.IndexFunc(records, func(record []string) bool {
		return slices.EqualFunc(first, record, func(a, b string) bool { return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b)) })
	})
	if at >= 0 {
		return at < len(records)-1 || hasIDs(records[at])
	}
	return len(records[0]) == len(first) && column < len(first) && isID(records[0][column])
}

// listOfNames joins a few names.
func listOfNames(names []string) string {
	const most = 5
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

// checkFormulas refuses a sheet whose column of ids has formulas without values.
func (h *head) checkFormulas(column int, records []csv.Record) error {
	n := h.formulas[column]
	if n == 0 {
		return nil
	}
	name := strconv.Itoa(column + 1)
	if len(records) > 0 {
		if header := headerName(records[0].Fields, column); isWord(header) {
			name += " (" + header + ")"
		}
	}
	return h.Broken("open it in a spreadsheet and save it, which calculates them; or submit what soffice --headless --convert-to csv FILE writes",
		"%d of its first cells in column %s are formulas whose values it does not have, as of a program that does not calculate them", n, name)
}
