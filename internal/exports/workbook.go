package exports

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"usher/internal/exports/choose"
	"usher/internal/exports/watch"

	"usher"
	"usher/internal/exports/names"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
	"usher/internal/exports/unpack"
	"usher/internal/exports/xlsx"
)

// sheetDelimiter is the delimiter of a sheet as Book.Text writes it.
const sheetDelimiter = ","

// workbook is an open .xlsx workbook.
type workbook struct {
	*xlsx.Book

	archive *unpack.Archive
}

// openWorkbook opens a workbook.
func (o *Opener) openWorkbook(ctx context.Context, f *places.File) (*workbook, error) {
	a, err := unpack.OpenArchive(ctx, f, o.options.MaxRatio)
	if err != nil {
		return nil, err
	}
	book, err := xlsx.Open(func(name string) (io.ReadCloser, error) {
		at := a.Find(name)
		if at < 0 {
			return nil, nil
		}
		return a.OpenPart(at)
	})
	return &workbook{Book: book, archive: a}, workbookError(f.Origin, err)
}

// workbookError returns the error for the job that reading a workbook has led to.
func workbookError(from places.Origin, err error) error {
	switch {
	case errors.Is(err, xlsx.ErrDamaged):
		return from.Broken("save it again and submit the job when the file is complete", "its workbook is damaged")
	case errors.Is(err, xlsx.ErrLimit):
		return from.Broken("save the sheet as CSV UTF-8", "its workbook has a text of more than 1 MiB, or more rows, columns, sheets or texts than Excel allows")
	case errors.Is(err, xlsx.ErrStrings):
		return from.Broken("save the sheet as CSV UTF-8", "its workbook has more than 8 MiB of shared strings that are not in the order of its rows")
	}
	return err
}

// isWorkbook reports whether a zip archive is a workbook.
func (o *Opener) isWorkbook(ctx context.Context, f *places.File) (bool, error) {
	a, err := unpack.OpenArchive(ctx, f, o.options.MaxRatio)
	return err == nil && a.Find("xl/workbook.xml") >= 0 && a.Find("[Content_Types].xml") >= 0, err
}

// workbookHead reads the beginning of the plan's sheet as CSV. If the plan names none, it
// is the first one that is not hidden.
func (o *Opener) workbookHead(ctx context.Context, f *places.File, raw []byte, plan *usher.Plan) (*head, error) {
	const headRows = 1000
	if !unpack.IsZip(raw) {
		if err := unpack.RefuseForeign(f.Origin, raw); err != nil {
			return nil, err
		}
		return nil, f.Broken("set source.format to the format of the file, or leave it out", "it is not an .xlsx workbook")
	}
	plan.Format, plan.Compression, plan.Encoding = "xlsx", "none", "utf-8"
	book, err := o.openWorkbook(ctx, f)
	if err != nil {
		return nil, err
	}
	undeclared := plan.Sheet == ""
	if undeclared {
		plan.Sheet = book.Sheets[book.Visible]
	}
	at := slices.Index(book.Sheets, plan.Sheet)
	if at < 0 {
		return nil, f.Broken(setSheet(book.Sheets), "its workbook has no sheet of the name that source.sheet gives")
	}
	text, err := book.Text(at, xlsx.Cells{Rows: headRows})
	if err != nil {
		return nil, workbookError(f.Origin, err)
	}
	defer text.Close()
	data, all, err := readBeginning(text)
	h := &head{Origin: f.Origin, text: data, all: all && !text.More(), sheets: book.Sheets, formulas: text.Unknown()}
	if err == nil && undeclared {
		h.otherSheets, err = book.otherSheets(ctx, f.Origin, at)
	}
	return h, workbookError(f.Origin, err)
}

// setSheet is the hint to name one of the sheets.
func setSheet(sheets []string) string {
	const most = 30
	var quoted []string
	for _, name := range sheets[:min(len(sheets), most)] {
		quoted = append(quoted, strconv.Quote(name))
	}
	return "set source.sheet to one of: " + strings.Join(quoted, ", ")
}

// layoutWorkbook finds the header and the column of a sheet.
func (h *head) layoutWorkbook(src *usher.Source, s choose.Search, plan *usher.Plan) error {
	as := *src
	as.Delimiter, as.Quote, as.Escape = sheetDelimiter, "double", "double"
	if n := h.rowsBeforeHeader(); n > 0 {
		return h.Broken("set source.skip to "+strconv.Itoa(n)+", the number of rows before the header", "its sheet has rows before the header, such as a title")
	}
	err := h.layoutCSV(&as, s, plan)
	if undeclared := src.Sheet == "" && declared(src.Column) == ""; undeclared && len(h.sheets) > 1 {
		records := fieldsOf(h.records(&usher.Plan{Delimiter: sheetDelimiter}))
		if err != nil || !holdsIDs(records, plan.Column) {
			return h.Broken(setSheet(h.sheets)+"; or, for the first one, name the column in source.column",
				"which column of its first visible sheet holds the device ids cannot be determined, and it has %d sheets", len(h.sheets))
		}
	}
	plan.Delimiter, plan.Quote, plan.Escape, plan.Assumed, plan.ShortestID, plan.MostIDs = "", "", "", false, 0, 0
	if err != nil {
		return err
	}
	return h.checkBook(s, plan)
}

// rowsBeforeHeader returns how many rows of a sheet, empty ones included, stand before its
// header. That is a row without ids that has more cells than the first row, and one with a
// usual name if the first row has several. It returns 0 if the first row is the header, or
// if there is none in the first rows.
func (h *head) rowsBeforeHeader() int {
	const most = 20
	first := 0 // cells of the first row
	for i, record := range h.firstRecords(&usher.Plan{Delimiter: sheetDelimiter}, most) {
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

// readWorkbook returns a reader of the plan's sheet.
func (o *Opener) readWorkbook(ctx context.Context, f *places.File, plan usher.Plan) (*Reader, error) {
	book, err := o.openWorkbook(ctx, f)
	if err != nil {
		return nil, err
	}
	at := slices.Index(book.Sheets, plan.Sheet)
	if at < 0 {
		return nil, f.Changed()
	}
	read := xlsx.Cells{Rows: -1, Wanted: []int{plan.Column}, Whole: newWords(plan.Header)}
	if plan.TypeColumn > 0 {
		read.Wanted = append(read.Wanted, plan.TypeColumn-1)
	}
	for _, c := range plan.Checks {
		read.Wanted = append(read.Wanted, c.Number-1)
	}
	var sheet *watch.Sheet
	if plan.ByValues {
		sheet = o.watchSheet(ctx, f, &plan)
		read.Each = sheet.AddCell
	}
	gaps := watch.NewSheetGaps(f.Origin, &plan, &read)
	text, err := book.Text(at, read)
	if err != nil {
		return nil, workbookError(f.Origin, err)
	}
	var in io.Reader = &sheetText{Text: text, from: f.Origin, gaps: gaps}
	if sheet != nil {
		in = sheet.Over(in)
	}
	cells := o.readText(in, f.Origin, &plan, whole()[0], plan.Header != "")
	return &Reader{rows: cells, file: f, setContext: func(ctx context.Context) { book.archive.SetContext(ctx) }, close: text.Close, plan: plan}, nil
}

// newWords returns a function that reports whether a cell of the column of ids is a word that
// did not occur before and is not the column's name: its row may be another header. After a
// few words it reports none, since the column has words then.
func newWords(header string) func(text string) bool {
	const few = 16
	words := map[string]bool{}
	return func(text string) bool {
		if rows.HasUUIDShape([]byte(text)) || len(words) == few || words[text] || !isWord(text) || names.Same(text, header) {
			return false
		}
		words[text] = true
		return true
	}
}

// sheetText is the text of a sheet, with the errors for the job.
type sheetText struct {
	*xlsx.Text

	from places.Origin
	gaps *watch.SheetGaps
}

// Read implements io.Reader.
func (s *sheetText) Read(p []byte) (int, error) {
	n, err := s.Text.Read(p)
	if errors.Is(err, io.EOF) {
		err = cmp.Or(s.gaps.Check(true), err)
	}
	return n, workbookError(s.from, err)
}
