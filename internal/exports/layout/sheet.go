package layout

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"usher"
	"usher/hashing"
	"usher/internal/exports/choose"
	"usher/internal/exports/names"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
)

// OtherSheet is the beginning of a sheet that is not read, as CSV.
type OtherSheet struct {
	Name string
	Text []byte // of SheetRows rows
}

// SheetRows is the number of rows of a sheet by which it is compared with another one.
const SheetRows = 20

// checkBook refuses a sheet whose ids are formulas without values, and one that goes on in another.
func (h *Head) checkBook(s choose.Search, plan *usher.Plan) error {
	return cmp.Or(h.checkFormulas(plan), h.checkSheets(s, plan, plan.Column))
}

// checkSheets refuses a table that goes on in another sheet, and warns of other sheets with ids.
// at is the column of the ids.
func (h *Head) checkSheets(s choose.Search, plan *usher.Plan, at int) error {
	var same, other []string
	records := fieldsOf(h.FirstRecords(&usher.Plan{Delimiter: SheetDelimiter}, SheetRows))
	if len(records) == 0 {
		return nil
	}
	for _, sheet := range h.OtherSheets {
		name := strconv.Quote(hashing.MaskIDs(sheet.Name))
		beginning := &Head{Origin: h.Origin, Text: sheet.Text, All: true}
		others := fieldsOf(beginning.FirstRecords(&usher.Plan{Delimiter: SheetDelimiter}, SheetRows))
		switch {
		case goesOn(records[0], others, at) && names.FileSaysNo(plan.Sheet) == names.FileSaysNo(sheet.Name):
			same = append(same, name)
		case slices.ContainsFunc(others, hasIDs):
			other = append(other, name)
		}
	}
	s.HiddenRows(h.Origin, h.Hidden, h.Filled)
	if s.Sheet == "" && names.FileSaysNo(plan.Sheet) {
		s.NameSaysNo(h.Origin, "sheet", plan.Sheet, "set source.sheet to the name of the one that is meant")
	}
	own := strconv.Quote(hashing.MaskIDs(plan.Sheet))
	if len(same) > 0 && !s.Removes {
		return h.Broken("put all rows on one sheet; or set source.sheet to "+own+" for a job of this sheet alone, and submit one for each of the others",
			"its table goes on in another sheet: %s with the same columns as %s", listOfNames(same), own)
	}
	s.OtherSheets(h.Origin, own, append(same, other...), len(h.Sheets))
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

// checkFormulas refuses a sheet whose column of ids has formulas without values in its first rows.
func (h *Head) checkFormulas(plan *usher.Plan) error {
	n := h.Formulas[plan.Column]
	if n == 0 {
		return nil
	}
	return h.Broken(formulaHint, "%d of its first cells in column %s are formulas whose values it does not have, as of a program that does not calculate them",
		n, sheetColumn(plan.Column, plan.Header))
}

// CheckFormulas refuses a row with an id if a column that decides what is done with it, that of types or one that may
// say no, has a formula whose value the file does not have: an empty cell would be an answer. formulas are the columns
// of such cells, from 0.
func CheckFormulas(from places.Origin, plan *usher.Plan, row int, formulas []int) error {
	decides := func(at int, name string) error {
		if !slices.Contains(formulas, at) {
			return nil
		}
		return from.Broken(formulaHint, "column %s of row %d has a formula whose value it does not have: its batch and later ones were not sent, but earlier ones may have been",
			sheetColumn(at, name), row)
	}
	if plan.TypeColumn > 0 {
		if err := decides(plan.TypeColumn-1, plan.TypeHeader); err != nil {
			return err
		}
	}
	for _, c := range plan.Checks {
		if !c.Refuse && c.Says != usher.CheckOnly {
			continue
		}
		if err := decides(c.Number-1, c.Name); err != nil {
			return err
		}
	}
	return nil
}

// formulaHint is the hint for a sheet with formulas without values.
const formulaHint = "open it in a spreadsheet and save it, which calculates them; or submit what soffice --headless --convert-to csv FILE writes"

// sheetColumn names a column by its number, from 1, and its header.
func sheetColumn(at int, header string) string {
	name := strconv.Itoa(at + 1)
	if isWord(header) {
		name += " (" + header + ")"
	}
	return name
}

// SheetDelimiter is the delimiter of a sheet as Book.Text writes it.
const SheetDelimiter = ","

// SetSheet is the hint to name one of the sheets.
func SetSheet(sheets []string) string {
	const most = 30
	var quoted []string
	for _, name := range sheets[:min(len(sheets), most)] {
		quoted = append(quoted, strconv.Quote(name))
	}
	return "set source.sheet to one of: " + strings.Join(quoted, ", ")
}

// layoutWorkbook finds the header and the column of a sheet.
func (h *Head) layoutWorkbook(src *usher.Source, s choose.Search, plan *usher.Plan) error {
	as := *src
	as.Delimiter, as.Quote, as.Escape = SheetDelimiter, "double", "double"
	n := h.rowsBeforeHeader()
	if sheet := h.likelySheet(); sheet != "" && src.Sheet == "" && (n > 0 || !hasKnownHeader(fieldsOf(h.FirstRecords(&usher.Plan{Delimiter: SheetDelimiter}, SheetRows)))) {
		return h.Broken("set source.sheet to "+strconv.Quote(sheet)+"; or, for the first one, name the column in source.column",
			"its first visible sheet has no column with a known name of ids, and the sheet %q has one", sheet)
	}
	if n > 0 {
		return h.Broken("set source.skip to "+strconv.Itoa(n)+", the number of rows before the header", "its sheet has rows before the header, such as a title")
	}
	err := h.layoutCSV(&as, s, plan)
	if undeclared := src.Sheet == "" && choose.Declared(src.Column) == ""; undeclared && len(h.Sheets) > 1 {
		records := fieldsOf(h.records(&usher.Plan{Delimiter: SheetDelimiter}))
		if err != nil || !holdsIDs(records, plan.Column) {
			return h.Broken(SetSheet(h.Sheets)+"; or, for the first one, name the column in source.column",
				"which column of its first visible sheet holds the device ids cannot be determined, and it has %d sheets", len(h.Sheets))
		}
	}
	plan.Delimiter, plan.Quote, plan.Escape, plan.Assumed, plan.ShortestID, plan.MostIDs = "", "", "", false, 0, 0
	if err != nil {
		return err
	}
	return h.checkBook(s, plan)
}

// likelySheet returns the only other sheet that has a column with a known name of ids in its first row, "" if
// there is none.
func (h *Head) likelySheet() string {
	found := ""
	for _, sheet := range h.OtherSheets {
		beginning := &Head{Origin: h.Origin, Text: sheet.Text, All: true}
		if records := fieldsOf(beginning.FirstRecords(&usher.Plan{Delimiter: SheetDelimiter}, SheetRows)); !hasKnownHeader(records) {
			continue
		}
		if found != "" || hashing.MaskIDs(sheet.Name) != sheet.Name {
			return ""
		}
		found = sheet.Name
	}
	return found
}

// hasKnownHeader reports whether one of the first rows of a sheet has a usual name of a column of ids.
func hasKnownHeader(records [][]string) bool {
	return slices.ContainsFunc(records, func(record []string) bool {
		return slices.ContainsFunc(record, func(cell string) bool { return names.RankOf(names.HeaderText([]byte(cell))) == names.RankUsual })
	})
}

// rowsBeforeHeader returns how many rows of a sheet, empty ones included, stand before its
// header. That is a row without ids that has more cells than the first row, and one with a
// usual name if the first row has several. It returns 0 if the first row is the header, or
// if there is none in the first rows.
func (h *Head) rowsBeforeHeader() int {
	const most = 20
	first := 0 // cells of the first row
	for i, record := range h.FirstRecords(&usher.Plan{Delimiter: SheetDelimiter}, most) {
		cells := slices.DeleteFunc(slices.Clone(record.Fields), func(cell string) bool { return cell == "" })
		named := isNamed([][]string{record.Fields})
		switch {
		case i == 0 && named, slices.ContainsFunc(cells, func(cell string) bool { return rows.LooksLikeIDs([]byte(cell)) }):
			return 0
		case i == 0:
			first = len(cells)
		case len(cells) > first && (named || first <= 1):
			return h.linesBefore(&record)
		}
	}
	return 0
}

// holdsIDs reports whether a column of records has an id.
func holdsIDs(records [][]string, column int) bool {
	return slices.ContainsFunc(records, func(record []string) bool {
		return column < len(record) && rows.LooksLikeIDs([]byte(record[column]))
	})
}
