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

// layoutParquet finds the column of device ids of a Parquet export, and the row
// groups that go together in parts of partBytes of text.
func (o *Opener) layoutParquet(ctx context.Context, f *places.File, src *usher.Source, plan *usher.Plan, partBytes int64) error {
	in, err := parquet.ReadFooter(ctx, f)
	if err != nil {
		return err
	}
	h := &head{Origin: f.Origin}
	var at int
	wanted := declared(src.Column)
	if wanted != "" {
		at, err = h.leafOf(in, "column", src.Column)
	} else {
		at, err = o.chooseLeaf(ctx, f, h, in)
	}
	if err != nil {
		return err
	}
	if l := &in.Columns[at]; !l.HoldsText() {
		return h.Broken("set source.column to a column of strings", "the column that source.column names holds no text in its Parquet data")
	}
	plan.Path = in.Columns[at].Path
	if declared(src.TypeColumn) != "" {
		types, err := h.leafOf(in, "typeColumn", src.TypeColumn)
		switch {
		case err != nil:
			return err
		case types == at:
			return h.sameColumn()
		case !in.Columns[types].HoldsTypes():
			return h.Broken("set source.typeColumn to a column of strings, one a row", "the column that source.typeColumn names holds none in its Parquet data")
		}
		plan.TypePath = in.Columns[types].Path
	}
	if src.Cut == nil || *src.Cut {
		plan.Parts = cutGroups(in.Groups, partBytes, o.options.MaxParts)
	}
	return nil
}

// leafOf is the column that the source names: by its path, by its number, else by
// its name loosely.
func (h *head) leafOf(in *parquet.Footer, field, wanted string) (int, error) {
	if at := in.Find(wanted); at >= 0 {
		return at, nil
	}
	if n, err := strconv.Atoi(wanted); err == nil && n >= 1 && n <= len(in.Columns) {
		return n - 1, nil
	}
	at := -1
	for i := range in.Columns {
		if !sameName(in.Columns[i].ShownName(), wanted) {
			continue
		}
		if at >= 0 {
			return -1, h.Broken("set source."+field+" to the column's number", "it has several columns of the name that source.%s gives", field)
		}
		at = i
	}
	if at < 0 {
		return -1, h.noColumn(field, listed(columnsOf(in)))
	}
	return at, nil
}

// columnsOf are the footer's columns, of whose values nothing is known.
func columnsOf(f *parquet.Footer) []column {
	columns := make([]column, len(f.Columns))
	for i := range f.Columns {
		columns[i].name = f.Columns[i].ShownName()
	}
	return columns
}

// maxLooked is how many columns are looked into.
const maxLooked = 64

// chooseLeaf finds the column of device ids: by its name alone where that tells,
// else by looking at the first values of each that may be it.
func (o *Opener) chooseLeaf(ctx context.Context, f *places.File, h *head, in *parquet.Footer) (int, error) {
	columns := columnsOf(in)
	var able []int
	var named []int
	for i := range in.Columns {
		if !in.Columns[i].HoldsText() {
			continue
		}
		able = append(able, i)
		if nameRank(columns[i].name) == 3 {
			named = append(named, i)
		}
	}
	if len(named) == 1 {
		return named[0], nil
	}
	if len(able) == 0 {
		return -1, h.Broken("write the device ids as strings", "it has no column of text in its Parquet data")
	}
	candidates := make([]column, 0, len(able))
	for _, i := range able[:min(len(able), maxLooked)] {
		if err := o.look(ctx, f, in, i, &columns[i]); err != nil {
			return -1, err
		}
		candidates = append(candidates, columns[i])
	}
	at := choosePath(candidates)
	if at < 0 {
		return -1, h.ambiguous(columns)
	}
	return able[at], nil
}

// look counts the first values of a column.
func (o *Opener) look(ctx context.Context, f *places.File, in *parquet.Footer, at int, c *column) error {
	if len(in.Groups) == 0 || in.Groups[0].Away(at) {
		return nil
	}
	r := parquet.NewReader(ctx, f, in, in.Groups[:1], at, -1, o.pages)
	defer r.Close()
	for range sampleRows {
		value, there, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if there {
			c.count(value)
		}
	}
	return nil
}

// openParquet reads the row groups of a part.
func (o *Opener) openParquet(ctx context.Context, f *places.File, plan *usher.Plan, part usher.Part) (*parquetRows, error) {
	of, err := parquet.ReadFooter(ctx, f)
	if err != nil {
		return nil, err
	}
	if err := alikeParquet(f, of, plan, part); err != nil {
		return nil, err
	}
	types, to := -1, part.To
	if to < 0 {
		to = int64(len(of.Groups))
	}
	if part.From > to || to > int64(len(of.Groups)) {
		return nil, f.Changed()
	}
	if plan.TypePath != "" {
		types = of.Find(plan.TypePath)
	}
	return &parquetRows{
		reader: parquet.NewReader(ctx, f, of, of.Groups[part.From:to], of.Find(plan.Path), types, o.pages),
		ctx:    ctx, file: f, types: types >= 0, blocks: o.blocks, maxLine: o.options.MaxLine, ratio: o.options.MaxRatio,
	}, nil
}

// alikeParquet refuses a file without a column that the plan reads.
func alikeParquet(f *places.File, of *parquet.Footer, plan *usher.Plan, part usher.Part) error {
	missing := ""
	if at := of.Find(plan.Path); at < 0 || !of.Columns[at].HoldsText() {
		missing = plan.Path
	} else if at := of.Find(plan.TypePath); plan.TypePath != "" && (at < 0 || !of.Columns[at].HoldsTypes()) {
		missing = plan.TypePath
	}
	switch {
	case missing == "":
		return nil
	case len(part.Files) == 0:
		return f.Changed()
	}
	return f.Broken("write all files of the folder in one way, or submit a job for each kind",
		"it has no column %s like the first file of its folder; it has: %s", missing, listed(columnsOf(of)))
}

// cutGroups makes parts of row groups, counted from 0, that have partBytes of
// text or more.
func cutGroups(groups []parquet.RowGroup, partBytes int64, maxParts int) []usher.Part {
	const rowBytes = 37 // about
	var all int64
	for _, g := range groups {
		all += g.Rows * rowBytes
	}
	partBytes = max(partBytes, 2*all/int64(maxParts)+1) // two neighbours have more together
	var parts []usher.Part
	from, size := 0, int64(0)
	for i, g := range groups {
		if size > 0 && size+g.Rows*rowBytes > partBytes {
			parts = append(parts, usher.Part{From: int64(from), To: int64(i)})
			from, size = i, 0
		}
		size += g.Rows * rowBytes
	}
	return append(parts, usher.Part{From: int64(from), To: -1})
}
