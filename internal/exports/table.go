package exports

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"usher"
	"usher/hashing"
	"usher/internal/exports/avro"
	"usher/internal/exports/choose"
	"usher/internal/exports/csv"
	"usher/internal/exports/layout"
	"usher/internal/exports/names"
	"usher/internal/exports/ndjson"
	"usher/internal/exports/parquet"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
	"usher/internal/exports/unpack"
	"usher/internal/exports/xlsx"
)

// Table has the cells of an export that has no device ids, in memory.
type Table struct {
	Format    usher.Format // of the file, or of the last file of a folder
	Delimiter string       // of CSV, or of the last such file; otherwise empty
	Header    []string     // the names of the columns, as the export writes them
	Rows      [][]string   // each has a cell for each column
}

// Limits of tables.
const (
	MaxTableRows  = 1_000_000
	maxTableBytes = 64 << 20 // of text
)

// Table reads a whole export whose columns have names. wanted are names of which the header must
// have all, whatever their case: they tell the delimiter of CSV. Files of a folder, and of a zip
// archive, are one table; a column that a file lacks is empty in its rows.
func (o *Opener) Table(ctx context.Context, src *usher.Source, wanted ...string) (*Table, error) {
	from := places.OriginOf(src)
	at, err := places.Locate(from, src)
	if err != nil {
		return nil, err
	}
	t := &tableReader{Opener: o, src: *src, wanted: wanted, table: &Table{}}
	if !at.IsFolder() {
		f, err := o.access.Open(ctx, from, at, headRange)
		if err != nil {
			return nil, err
		}
		defer func() { _ = f.Close() }() // only read
		if err := at.Unchanged(src, usher.File{Name: f.Name, Size: f.Size, Stamp: f.Stamp}); err != nil {
			return nil, err
		}
		return t.table, t.file(ctx, f)
	}
	files, err := o.access.List(ctx, from, at, src.DoneMarker, o.options.MaxFiles)
	if err == nil {
		err = at.Unchanged(src, files...)
	}
	for _, listed := range files {
		if err != nil {
			return nil, err
		}
		err = t.listed(ctx, at, listed)
	}
	return t.table, err
}

// TableOf reads a table that is in memory. from names it in messages.
func (o *Opener) TableOf(ctx context.Context, from string, data []byte, src *usher.Source, wanted ...string) (*Table, error) {
	t := &tableReader{Opener: o, src: *src, wanted: wanted, table: &Table{}}
	return t.table, t.file(ctx, places.InMemory(places.Origin(from), data))
}

// tableReader adds the rows of files to a table.
type tableReader struct {
	*Opener

	src    usher.Source
	wanted []string
	table  *Table
	bytes  int64
}

func (t *tableReader) listed(ctx context.Context, at places.Location, listed usher.File) error {
	if listed.Size == 0 {
		return nil
	}
	f, err := t.openListed(ctx, at, &t.src, listed, headRange)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // only read
	return t.file(ctx, f)
}

// file adds the rows of a file.
func (t *tableReader) file(ctx context.Context, f *places.File) error {
	plan := usher.Plan{Compression: choose.Declared(t.src.Compression), Encoding: choose.Declared(t.src.Encoding), Format: usher.Format(choose.Declared(t.src.Format)), Sheet: t.src.Sheet}
	h, err := t.readHead(ctx, f, &plan, noWindows)
	if err != nil {
		return err
	}
	t.table.Format = plan.Format
	switch {
	case plan.Format == usher.FormatParquet:
		return t.parquet(ctx, f)
	case plan.Format == usher.FormatAvro:
		in := places.NewInput(ctx, f, 0, f.Size)
		r, err := avro.Open(in, in, avro.Layout{MaxRatio: t.options.MaxRatio})
		if err != nil {
			return err
		}
		defer r.Close()
		return t.objects(r, f.Origin)
	case plan.Format == usher.FormatXLSX:
		return t.sheet(ctx, f, plan.Sheet, h)
	case plan.Compression == "zip":
		return t.archive(ctx, f, plan)
	}
	in, err := t.stream(ctx, places.NewInput(ctx, f, 0, f.Size), &plan)
	if err != nil {
		return err
	}
	defer in.close()
	return t.text(in, f.Origin, plan)
}

// archive adds the rows of the files of an archive.
func (t *tableReader) archive(ctx context.Context, f *places.File, plan usher.Plan) error {
	a, err := unpack.OpenFiles(ctx, f, t.options.MaxRatio)
	if err != nil {
		return err
	}
	for i := range a.Len() {
		in, err := a.OpenMember(i)
		if err != nil {
			return err
		}
		var from io.Reader = in
		if plan.Encoding != "utf-8" {
			from = unpack.NewUTF16Reader(in, a.OriginOf(i), plan.Encoding)
		}
		err = t.text(from, a.OriginOf(i), plan)
		_ = in.Close() // only read
		if err != nil {
			return err
		}
	}
	return nil
}

// readAll reads a text, within the limit of all files together.
func (t *tableReader) readAll(in io.Reader, from places.Origin) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(in, maxTableBytes-t.bytes+1))
	if err != nil {
		return nil, err
	}
	if t.bytes += int64(len(text)); t.bytes > maxTableBytes {
		return nil, from.Broken("split it into several files, such as one for each month", "it has more than %d MiB", maxTableBytes>>20)
	}
	return rows.TrimBOM(text), nil
}

// text adds the rows of a text: CSV, NDJSON or JSON.
func (t *tableReader) text(in io.Reader, from places.Origin, plan usher.Plan) error {
	text, err := t.readAll(in, from)
	if err != nil {
		return err
	}
	h := &layout.Head{Origin: from, Text: text, All: true}
	if err := h.SkipLines(t.src.Skip); err != nil {
		return err
	}
	if rows.IsBlank(h.Text) {
		return nil
	}
	src := t.src
	if choose.Declared(src.Delimiter) == "" {
		src.Delimiter = h.DelimiterOf(t.wanted)
	}
	if err := h.CheckText(src.Delimiter); err != nil {
		return err
	}
	if plan.Format == "" {
		if plan.Format, err = h.Format(&src); err != nil {
			return err
		}
	}
	switch t.table.Format = plan.Format; plan.Format {
	case usher.FormatNDJSON, usher.FormatJSON:
		return t.objects(bytes.NewReader(h.Text), from)
	case usher.FormatCSV, usher.FormatText:
		return t.csv(h, &src, &plan)
	}
	return usher.Refuse(usher.InvalidJob, "accepted are auto, csv, ndjson, json, parquet, avro and xlsx", "read source: source.format is unknown")
}

// Column returns the index of a column with a name, whatever its case; -1: there is none.
func (t *Table) Column(name string) int { return layout.ColumnNamed(t.Header, name) }

// csv adds the records of CSV.
func (t *tableReader) csv(h *layout.Head, src *usher.Source, plan *usher.Plan) error {
	if _, err := h.DecideDialect(src, plan); err != nil {
		return err
	}
	t.table.Delimiter = plan.Delimiter
	records := h.FirstRecords(plan, MaxTableRows+1)
	if len(records) == 0 {
		return nil
	}
	header := make([]string, len(records[0].Fields))
	for i, cell := range records[0].Fields {
		header[i] = names.HeaderText([]byte(cell))
	}
	into, err := t.columns(header, h.Origin)
	if err != nil {
		return err
	}
	// The cells of a sheet are whole, whatever their number.
	mayBeCut := plan.Format != usher.FormatXLSX && !bytes.HasSuffix(h.Text, []byte("\n"))
	for n, r := range records[1:] {
		switch {
		case mayBeCut && n == len(records)-2 && len(r.Fields) < len(header):
			return h.Broken("write the export again; if its last row is whole, end it with a line end", "it ends in the middle of row %d", n+1)
		case r.Open || r.Broken:
			return h.Broken(csv.SetEscape, "row %d cannot be read: its quotes are not closed", n+1)
		case len(r.Fields) > len(header):
			return h.Broken("write a cell for each column; put \" around cells that have the delimiter in them", "row %d has %d cells, and the header %d", n+1, len(r.Fields), len(header))
		}
		if err := t.add(into, r.Fields, h.Origin); err != nil {
			return err
		}
	}
	return nil
}

// columns returns the place of each column of a file in the table.
func (t *tableReader) columns(header []string, from places.Origin) ([]int, error) {
	into := make([]int, len(header))
	for i, name := range header {
		switch {
		case name == "" && i == len(header)-1: // a delimiter at the end of each line
			into[i] = -1
			continue
		case hashing.MaskIDs(name) != name:
			return nil, from.Broken("write a header, whose first cell is date", "its first row has something that looks like a device id instead of names of columns")
		case slices.Contains(header[:i], name):
			return nil, from.Broken("give each column its own name", "two of its columns are named %q", name)
		}
		at := slices.Index(t.table.Header, name)
		if at < 0 {
			at = len(t.table.Header)
			t.table.Header = append(t.table.Header, name)
			for n := range t.table.Rows {
				t.table.Rows[n] = append(t.table.Rows[n], "")
			}
		}
		into[i] = at
	}
	return into, nil
}

// add adds a row of a file.
func (t *tableReader) add(into []int, cells []string, from places.Origin) error {
	if len(t.table.Rows) == MaxTableRows {
		return from.Broken("split it into several files, such as one for each month", "it has more than %d rows", MaxTableRows)
	}
	row := make([]string, len(t.table.Header))
	for i, cell := range cells {
		if into[i] >= 0 {
			row[into[i]] = strings.TrimSpace(cell)
		}
	}
	t.table.Rows = append(t.table.Rows, row)
	return nil
}

// objects adds the objects of NDJSON, or of a JSON document.
func (t *tableReader) objects(in io.Reader, from places.Origin) error {
	document := ndjson.NewDocument(in, from, t.options.BlockBytes/2-8, false)
	for n := 1; ; n++ {
		record, err := document.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if t.bytes += int64(len(record)); t.bytes > 4*maxTableBytes {
			return from.Broken("split it into several files, such as one for each month", "its records have more than %d MiB", 4*maxTableBytes>>20)
		}
		cells := map[string]any{}
		decoder := json.NewDecoder(bytes.NewReader(record))
		decoder.UseNumber()
		if record == nil || decoder.Decode(&cells) != nil {
			return from.Broken("write an object with a date, a campaign and numbers for each record", "record %d is no such object", n)
		}
		names := slices.Sorted(maps.Keys(cells))
		texts := make([]string, len(names))
		for i, name := range names {
			switch v := cells[name].(type) {
			case string:
				texts[i] = v
			case json.Number:
				texts[i] = v.String()
			case nil:
			default:
				return from.Broken("write numbers and texts, and no lists or objects", "record %d has something else in the field %s", n, hashing.MaskIDs(name))
			}
		}
		into, err := t.columns(names, from)
		if err != nil {
			return err
		}
		if err := t.add(into, texts, from); err != nil {
			return err
		}
	}
}

// sheet adds the rows of a sheet of a workbook.
func (t *tableReader) sheet(ctx context.Context, f *places.File, name string, h *layout.Head) error {
	book, err := t.openWorkbook(ctx, f)
	if err != nil {
		return err
	}
	at := slices.Index(book.Sheets, name)
	if at < 0 {
		return f.Changed()
	}
	if len(h.Formulas) > 0 {
		return f.Broken("open it in a spreadsheet and save it again, or save the sheet as CSV UTF-8", "its workbook has formulas without values")
	}
	text, err := book.Text(at, xlsx.Cells{Rows: -1})
	if err != nil {
		return workbookError(f.Origin, err)
	}
	defer text.Close()
	all, err := t.readAll(text, f.Origin)
	if err != nil {
		return workbookError(f.Origin, err)
	}
	whole := &layout.Head{Origin: f.Origin, Text: all, All: true}
	if err := whole.SkipLines(t.src.Skip); err != nil {
		return err
	}
	as := t.src
	as.Delimiter, as.Quote, as.Escape = layout.SheetDelimiter, "double", "double"
	return t.csv(whole, &as, &usher.Plan{Format: usher.FormatXLSX})
}

// parquet adds the rows of a Parquet file.
func (t *tableReader) parquet(ctx context.Context, f *places.File) error {
	footer, err := parquet.ReadFooter(ctx, f)
	if err != nil {
		return err
	}
	var header []string
	var readers []*parquet.Reader
	defer func() {
		for _, r := range readers {
			r.Close()
		}
	}()
	for i := range footer.Columns {
		if c := &footer.Columns[i]; c.IsList() || !c.HoldsCells() {
			return f.Broken("write the columns as texts, whole numbers, floating-point numbers and dates", "its column %s has another type", hashing.MaskIDs(c.Path))
		}
		header = append(header, footer.Columns[i].Path)
		readers = append(readers, parquet.NewReader(ctx, f, footer, footer.Groups, t.memory, i))
	}
	into, err := t.columns(header, f.Origin)
	if err != nil {
		return err
	}
	for {
		cells := make([]string, len(readers))
		for i, r := range readers {
			value, present, err := r.Next()
			switch {
			case errors.Is(err, io.EOF) && i == 0:
				return nil
			case err != nil:
				return err
			case present:
				cells[i] = string(value)
			}
		}
		if t.bytes += int64(len(strings.Join(cells, ""))); t.bytes > maxTableBytes {
			return f.Broken("split it into several files, such as one for each month", "it has more than %d MiB", maxTableBytes>>20)
		}
		if err := t.add(into, cells, f.Origin); err != nil {
			return err
		}
	}
}
