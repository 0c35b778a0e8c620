package exports

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"

	"usher/internal/exports/choose"
	"usher/internal/exports/layout"
	"usher/internal/exports/rows"
	"usher/internal/exports/watch"

	"usher"
	"usher/internal/exports/places"
	"usher/internal/exports/unpack"
	"usher/internal/exports/xlsx"
)

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
func (o *Opener) workbookHead(ctx context.Context, f *places.File, raw []byte, plan *usher.Plan) (*layout.Head, error) {
	const headRows = 1000
	if !unpack.IsZip(raw) {
		if err := unpack.RefuseForeign(f.Origin, raw); err != nil {
			return nil, err
		}
		return nil, f.Broken("set source.format to the format of the file, or leave it out", "it is not an .xlsx workbook")
	}
	plan.Format, plan.Compression, plan.Encoding = usher.FormatXLSX, "none", "utf-8"
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
		return nil, f.Broken(layout.SetSheet(book.Sheets), "its workbook has no sheet of the name that source.sheet gives")
	}
	text, err := book.Text(at, xlsx.Cells{Rows: headRows})
	if err != nil {
		return nil, workbookError(f.Origin, err)
	}
	defer text.Close()
	data, all, err := readBeginning(text)
	h := &layout.Head{Origin: f.Origin, Text: data, All: all && !text.More(), Sheets: book.Sheets, Formulas: text.Unknown()}
	h.Filled, h.Hidden = text.Hidden()
	if err == nil && undeclared {
		h.OtherSheets, err = book.otherSheets(ctx, at)
	}
	return h, workbookError(f.Origin, err)
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
	read := xlsx.Cells{Rows: -1, Wanted: []int{plan.Column}, Whole: watch.NewWords(plan.Header)}
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
	inGaps := read.Row
	read.Row = func(row *xlsx.Row) error {
		if rows.LooksLikeIDs([]byte(row.First)) {
			if err := layout.CheckFormulas(f.Origin, &plan, row.Number, row.Formulas); err != nil {
				return err
			}
		}
		if inGaps == nil {
			return nil
		}
		return inGaps(row)
	}
	text, err := book.Text(at, read)
	if err != nil {
		return nil, workbookError(f.Origin, err)
	}
	var in io.Reader = &sheetText{Text: text, from: f.Origin, gaps: gaps}
	if sheet != nil {
		in = sheet.Over(in)
	}
	cells := &sheetRows{o.readText(in, f.Origin, &plan, whole()[0], plan.Header != ""), text}
	return &Reader{rows: cells, file: f, setContext: func(ctx context.Context) { book.archive.SetContext(ctx) }, close: text.Close, plan: plan}, nil
}

// sheetRows are the rows of a sheet, with a warning of those that are hidden.
type sheetRows struct {
	watch.Rows

	text *xlsx.Text
}

// Warnings returns what the rows have shown, after the last one.
func (r *sheetRows) Warnings() []usher.Warning {
	list := watch.WarningsOf(r.Rows)
	if _, hidden := r.text.Hidden(); hidden > 0 {
		list = usher.AddWarnings(list, choose.HiddenRows(hidden))
	}
	return list
}

// Matched returns the values of source.only that rows have had.
func (r *sheetRows) Matched() []string { return watch.MatchedBy(r.Rows) }

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

// otherSheets reads the beginnings of the sheets that are not hidden, but for the one at an index.
// One that cannot be read is left out: it is not needed.
func (w *workbook) otherSheets(ctx context.Context, at int) ([]layout.OtherSheet, error) {
	const most = 20
	var others []layout.OtherSheet
	for i, name := range w.Sheets {
		if i == at || w.Hidden[i] || len(others) == most {
			continue
		}
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		text, err := w.Text(i, xlsx.Cells{Rows: layout.SheetRows})
		if err != nil {
			continue
		}
		data, _, err := readBeginning(text)
		text.Close()
		if err != nil {
			continue
		}
		others = append(others, layout.OtherSheet{Name: name, Text: data})
	}
	return others, nil
}
