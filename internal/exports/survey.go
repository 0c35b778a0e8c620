package exports

import (
	"context"
	"strconv"

	"usher"
	"usher/internal/exports/parquet"
	"usher/internal/exports/places"
)

// Survey is what of an export a plan does not use, for people who look at one.
// It is of the export's head, or of each column's first values.
type Survey struct {
	Files int          // of an archive; 0: it is none
	Cells int          // of the wanted column that were looked at and hold anything
	Lists int          // of those, how many hold several ids
	Bytes bool         // that column holds 16 bytes a value: their letters' case is ours
	Types []TypeColumn // those that might be source.typeColumn
}

// TypeColumn is a column that seems to say of each row which type of id it has.
type TypeColumn struct {
	Column string // as source.typeColumn names it
	Rows   [usher.RowTypes]int
}

// Survey looks at what an export has beside what plan, which is Plan's, reads.
func (o *Opener) Survey(ctx context.Context, src *usher.Source, plan usher.Plan) (Survey, error) {
	var s Survey
	if src == nil || src.IDs != nil || plan.Format == "text" {
		return s, nil
	}
	f, err := o.openFirst(ctx, src, plan)
	if err != nil {
		return s, err
	}
	defer func() { _ = f.Close() }() // only read
	if plan.Compression == "zip" {
		a, err := o.openArchive(ctx, f)
		if err != nil {
			return s, err
		}
		s.Files = len(a.members)
	}
	columns, wanted, err := o.survey(ctx, f, &plan)
	if err != nil {
		return s, err
	}
	for i := range columns {
		c := &columns[i]
		if i == wanted {
			s.Cells, s.Lists, s.Bytes = c.filled, c.lists, c.bytes
		} else if known := c.filled - c.types[usher.RowOther]; known > 0 && 5*known >= 4*c.filled {
			s.Types = append(s.Types, TypeColumn{Column: c.name, Rows: c.types})
		}
	}
	return s, nil
}

// survey counts what the export's columns hold, each by the name that a source
// gives it, and tells which of them is the plan's.
func (o *Opener) survey(ctx context.Context, f *places.File, plan *usher.Plan) (columns []column, wanted int, err error) {
	if plan.Format == "parquet" {
		return o.surveyParquet(ctx, f, plan)
	}
	told := *plan
	h, err := o.head(ctx, f, &told)
	if err != nil {
		return nil, -1, err
	}
	if plan.Format == "ndjson" {
		columns = h.paths()
		for i := range columns {
			if columns[i].name == plan.Path {
				return columns, i, nil
			}
		}
		return columns, -1, nil
	}
	rows := h.records(plan.Delimiter[0])
	if len(rows) == 0 {
		return nil, -1, nil
	}
	_, columns = h.columnsOf(rows)
	for i := range columns {
		if !readsAsName(columns[i].name) {
			columns[i].name = strconv.Itoa(i + 1)
		}
	}
	return columns, plan.Column, nil
}

func (o *Opener) surveyParquet(ctx context.Context, f *places.File, plan *usher.Plan) (columns []column, wanted int, err error) {
	in, err := parquet.ReadFooter(ctx, f)
	if err != nil {
		return nil, -1, err
	}
	columns, wanted = columnsOf(in), in.Find(plan.Path)
	for i := range in.Columns {
		columns[i].name, columns[i].bytes = in.Columns[i].Path, in.Columns[i].HoldsBytes()
		if l := &in.Columns[i]; i >= maxLooked || l.HoldsBytes() || !l.HoldsText() || l.IsList() && i != wanted {
			continue
		}
		if err := o.look(ctx, f, in, i, &columns[i]); err != nil {
			return nil, -1, err
		}
	}
	return columns, wanted, nil
}
