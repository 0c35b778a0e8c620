package exports

import (
	"context"
	"strconv"

	"usher/internal/exports/watch"

	"usher"
	"usher/internal/exports/choose"
	"usher/internal/exports/names"
	"usher/internal/exports/parquet"
	"usher/internal/exports/places"
)

// layoutParquet finds the column of device ids of a Parquet export, and makes parts
// of row groups that have partBytes of text.
func (o *Opener) layoutParquet(ctx context.Context, f *places.File, src *usher.Source, s choose.Search, plan *usher.Plan, partBytes int64) error {
	footer, err := parquet.ReadFooter(ctx, f)
	if err != nil {
		return err
	}
	h := &head{Origin: f.Origin}
	var at int
	if declared(src.Column) != "" {
		at, err = h.findParquetColumn(footer, "column", src.Column)
		plan.Why = whyNamed
	} else {
		at, plan.Why, err = o.chooseParquetColumn(ctx, f, h, footer, s)
	}
	if err != nil {
		return err
	}
	if !footer.Columns[at].HoldsText() {
		return h.Broken("set source.column to a column of strings", "source.column names a column of its Parquet data that holds no strings")
	}
	plan.Path, plan.Column = footer.Columns[at].Path, at
	if err := h.layoutParquetTypes(footer, src, plan, at); err != nil {
		return err
	}
	sample, err := o.sampleParquet(ctx, f, footer, s, plan)
	if err == nil {
		err = s.Settle(sample, declared(src.Column) == "", plan)
	}
	if err != nil {
		return err
	}
	if gaps := watch.NewParquetGaps(f, footer, columnsOf(footer), o.memory, plan); gaps != nil {
		if err := gaps.Sampled(ctx, sampledGroups(footer), sampleRows, plan); err != nil {
			return err
		}
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
	case !footer.Columns[at].HoldsTypes(&footer.Columns[ids]):
		return h.Broken("set source.typeColumn to a column of strings, one a row", "source.typeColumn names a column of its Parquet data that does not hold one string a row")
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
	columns := columnsOf(footer)
	switch named := choose.Pick(columns, func(i int) bool { return names.Same(columns[i].Name, wanted) }); len(named) {
	case 0:
		return -1, h.noColumn(field, wanted, "one of: "+choose.Listed(columns))
	case 1:
		return named[0], nil
	default:
		return -1, h.severalNamed(field, columns, named)
	}
}

// columnsOf returns the columns of a footer, without counts.
func columnsOf(footer *parquet.Footer) []choose.Column {
	columns := make([]choose.Column, len(footer.Columns))
	for i := range footer.Columns {
		columns[i].Name, columns[i].Number = footer.Columns[i].ShownName(), i+1
	}
	return columns
}

// sampleGroups is the number of row groups that are examined.
const sampleGroups = 8

// chooseParquetColumn finds the column of device ids. It decides by the names if it can.
// Otherwise it examines the first values of all columns of text.
func (o *Opener) chooseParquetColumn(ctx context.Context, f *places.File, h *head, footer *parquet.Footer, s choose.Search) (at int, why string, err error) {
	var text []int
	var columns []choose.Column
	for i, c := range columnsOf(footer) {
		if footer.Columns[i].HoldsText() {
			text, columns = append(text, i), append(columns, c)
		}
	}
	if len(text) == 0 {
		return -1, "", h.Broken("write the device ids as strings", "its Parquet data has no column of strings")
	}
	c := s.Choose(columns)
	if c.At >= 0 && c.Known {
		return text[c.At], c.Why, nil
	}
	for i := range columns[:min(len(columns), choose.MaxExamined)] {
		if err := o.examineGroups(ctx, f, footer, text[i], &columns[i]); err != nil {
			return -1, "", err
		}
	}
	if c = s.Choose(columns); c.At < 0 {
		return -1, "", c.Err(f.Origin)
	}
	return text[c.At], c.Why, nil
}

// examineGroups counts the first values of a column, in the first row group that has any.
func (o *Opener) examineGroups(ctx context.Context, f *places.File, footer *parquet.Footer, at int, c *choose.Column) error {
	for _, group := range sampledGroups(footer) {
		err := o.entries(ctx, f, footer, group, at, -1, func(value, _ []byte) { c.Count(value) })
		if err != nil || c.Filled > 0 {
			return err
		}
	}
	return nil
}

// examine counts the first values of a column.
func (o *Opener) examine(ctx context.Context, f *places.File, footer *parquet.Footer, at int, c *choose.Column) error {
	if len(footer.Groups) == 0 {
		return nil
	}
	return o.entries(ctx, f, footer, footer.Groups[:1], at, -1, func(value, _ []byte) { c.Count(value) })
}

// sampledGroups returns a few row groups from all over a file, each as a slice of one.
func sampledGroups(footer *parquet.Footer) [][]parquet.RowGroup {
	var groups [][]parquet.RowGroup
	n := len(footer.Groups)
	for i := range min(n, sampleGroups) {
		at := i * n / min(n, sampleGroups)
		groups = append(groups, footer.Groups[at:at+1])
	}
	return groups
}

// entries calls f with the first values of a column in a row group, and with those of a
// column of types unless types is -1.
func (o *Opener) entries(ctx context.Context, file *places.File, footer *parquet.Footer, group []parquet.RowGroup, at, types int, f func(value, typed []byte)) error {
	columns := []int{at}
	if types >= 0 {
		columns = append(columns, types)
	}
	rows := 0
	return parquet.Each(ctx, file, footer, o.memory, group, columns, func(values [][]byte) bool {
		if rows++; rows > sampleRows {
			return false
		}
		if values[0] != nil {
			f(values[0], values[len(values)-1])
		}
		return true
	})
}
