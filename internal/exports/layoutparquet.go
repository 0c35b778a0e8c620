package exports

import (
	"context"
	"errors"
	"io"
	"strconv"

	"usher"
	"usher/internal/exports/parquet"
	"usher/internal/exports/places"
)

// layoutParquet finds the column of device ids of a Parquet export, and makes parts
// of row groups that have partBytes of text.
func (o *Opener) layoutParquet(ctx context.Context, f *places.File, src *usher.Source, plan *usher.Plan, partBytes int64) error {
	footer, err := parquet.ReadFooter(ctx, f)
	if err != nil {
		return err
	}
	h := &head{Origin: f.Origin}
	var at int
	if declared(src.Column) != "" {
		at, err = h.findParquetColumn(footer, "column", src.Column)
	} else {
		at, err = o.chooseParquetColumn(ctx, f, h, footer)
	}
	if err != nil {
		return err
	}
	if !footer.Columns[at].HoldsText() {
		return h.Broken("set source.column to a column of strings", "the column that source.column names holds no text in its Parquet data")
	}
	plan.Path = footer.Columns[at].Path
	if err := h.layoutParquetTypes(footer, src, plan, at); err != nil {
		return err
	}
	if mayCut(src) {
		plan.Parts = cutGroups(footer.Groups, partBytes, o.options.MaxParts)
	}
	return nil
}

// layoutParquetTypes finds the column of types that the source names. ids is the
// column of ids.
func (h *head) layoutParquetTypes(footer *parquet.Footer, src *usher.Source, plan *usher.Plan, ids int) error {
	if declared(src.TypeColumn) == "" {
		return nil
	}
	at, err := h.findParquetColumn(footer, "typeColumn", src.TypeColumn)
	switch {
	case err != nil:
		return err
	case at == ids:
		return h.sameColumn()
	case !footer.Columns[at].HoldsTypes():
		return h.Broken("set source.typeColumn to a column of strings, one a row", "the column that source.typeColumn names holds none in its Parquet data")
	}
	plan.TypePath = footer.Columns[at].Path
	return nil
}

// findParquetColumn finds the column that a field of the source names: by path, by
// number, or by a similar name.
func (h *head) findParquetColumn(footer *parquet.Footer, field, wanted string) (int, error) {
	if at := footer.Find(wanted); at >= 0 {
		return at, nil
	}
	if n, err := strconv.Atoi(wanted); err == nil && n >= 1 && n <= len(footer.Columns) {
		return n - 1, nil
	}
	at := -1
	for i := range footer.Columns {
		if !sameName(footer.Columns[i].ShownName(), wanted) {
			continue
		}
		if at >= 0 {
			return -1, h.Broken("set source."+field+" to the column's number", "it has several columns of the name that source.%s gives", field)
		}
		at = i
	}
	if at < 0 {
		return -1, h.noColumn(field, listed(columnsOf(footer)))
	}
	return at, nil
}

// columnsOf returns the columns of a footer, without counts.
func columnsOf(footer *parquet.Footer) []column {
	columns := make([]column, len(footer.Columns))
	for i := range footer.Columns {
		columns[i].name = footer.Columns[i].ShownName()
	}
	return columns
}

// maxExamined is how many columns are examined.
const maxExamined = 64

// chooseParquetColumn finds the column of device ids. It decides by the name if one
// column has a usual name. Otherwise it examines the first values of all columns of
// text.
func (o *Opener) chooseParquetColumn(ctx context.Context, f *places.File, h *head, footer *parquet.Footer) (int, error) {
	columns := columnsOf(footer)
	var text, named []int
	for i := range footer.Columns {
		if !footer.Columns[i].HoldsText() {
			continue
		}
		text = append(text, i)
		if nameRank(columns[i].name) == nameUsual {
			named = append(named, i)
		}
	}
	if len(named) == 1 {
		return named[0], nil
	}
	if len(text) == 0 {
		return -1, h.Broken("write the device ids as strings", "it has no column of text in its Parquet data")
	}
	candidates := make([]column, 0, len(text))
	for _, i := range text[:min(len(text), maxExamined)] {
		if err := o.examine(ctx, f, footer, i, &columns[i]); err != nil {
			return -1, err
		}
		candidates = append(candidates, columns[i])
	}
	at := choosePath(candidates)
	if at < 0 {
		return -1, h.ambiguous(columns)
	}
	return text[at], nil
}

// examine counts the first values of a column.
func (o *Opener) examine(ctx context.Context, f *places.File, footer *parquet.Footer, at int, c *column) error {
	if len(footer.Groups) == 0 || footer.Groups[0].Away(at) {
		return nil
	}
	r := parquet.NewReader(ctx, f, footer, footer.Groups[:1], at, -1, o.memory)
	defer r.Close()
	for range sampleRows {
		value, present, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if present {
			c.count(value)
		}
	}
	return nil
}
