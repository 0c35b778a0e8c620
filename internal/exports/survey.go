package exports

import (
	"context"

	"usher/internal/exports/choose"
	"usher/internal/exports/watch"

	"usher"
	"usher/internal/exports/names"
	"usher/internal/exports/parquet"
	"usher/internal/exports/places"
)

// Survey describes what a plan does not use, for people who inspect an export. It is
// based on the export's head, or on the first values of each column.
type Survey struct {
	Cells int          // of the wanted column that were examined and are not blank
	Lists int          // of these cells, those with several ids
	Bytes bool         // the wanted column has 16 bytes a value, so usher decides on the letters' case
	Types []TypeColumn // the columns that might be source.typeColumn
	Says  []Saying     // the columns that say no of rows, or of which kind their ids are
}

// Saying is a column that says no of rows, or of which kind their ids are.
type Saying = choose.Saying

// AnswerText says in words what to do with a row, by the word of a value of a Saying.
func AnswerText(says string) string { return choose.AnswerText(says) }

// TypeColumn is a column that seems to have the type of each row's id.
type TypeColumn struct {
	Column string // as source.typeColumn names it
	Rows   [usher.RowTypes]int
}

// Survey examines an export that Plan has planned.
func (o *Opener) Survey(ctx context.Context, src *usher.Source, plan usher.Plan) (Survey, error) {
	var s Survey
	if src == nil || src.IDs != nil || plan.Format == usher.FormatText {
		return s, nil
	}
	f, err := o.openFirst(ctx, src, plan)
	if err != nil {
		return s, err
	}
	defer func() { _ = f.Close() }() // only read
	columns, wanted, err := o.survey(ctx, f, &plan)
	if err != nil {
		return s, err
	}
	s.Says = choose.SearchOf(src, &plan, "").Sayings(columns, wanted, choose.FindNamed(columns, choose.Declared(src.TypeColumn)))
	for i := range columns {
		c := &columns[i]
		if i == wanted {
			s.Cells, s.Lists, s.Bytes = c.Filled, c.Lists, c.Bytes
		} else if c.HasTypes() {
			name := c.Name
			if c.Number > 0 && c.Number == plan.TypeColumn {
				name = src.TypeColumn // which may be its number
			}
			s.Types = append(s.Types, TypeColumn{Column: name, Rows: c.Types})
		}
	}
	return s, nil
}

// survey counts the export's columns. Each has the name that a source gives it.
// wanted is the plan's column.
func (o *Opener) survey(ctx context.Context, f *places.File, plan *usher.Plan) (columns []choose.Column, wanted int, err error) {
	if plan.Format == usher.FormatParquet {
		return o.surveyParquet(ctx, f, plan)
	}
	known := *plan
	h, err := o.readHead(ctx, f, &known, noWindows)
	if err != nil {
		return nil, -1, err
	}
	return h.Survey(plan)
}

// watchSheet counts the values of all columns of a sheet, whose column of ids was chosen by values.
func (o *Opener) watchSheet(ctx context.Context, f *places.File, plan *usher.Plan) *watch.Sheet {
	return watch.NewSheet(f.Origin, plan.Column+1, func() ([]choose.Column, error) {
		columns, _, err := o.survey(ctx, f, plan)
		return columns, err
	})
}

func (o *Opener) surveyParquet(ctx context.Context, f *places.File, plan *usher.Plan) (columns []choose.Column, wanted int, err error) {
	footer, err := parquet.ReadFooter(ctx, f)
	if err != nil {
		return nil, -1, err
	}
	columns, wanted = columnsOf(footer), footer.Find(plan.Path, plan.Column)
	for i := range footer.Columns {
		c := &footer.Columns[i]
		columns[i].Name, columns[i].Bytes = c.Path, c.HoldsBytes()
		if i >= choose.MaxExamined || c.HoldsBytes() || !c.HoldsText() && (!c.HoldsWords(&footer.Columns[wanted]) || names.Says(c.Path) == "") || c.IsList() && i != wanted {
			continue
		}
		if err := o.examineGroups(ctx, f, footer, i, &columns[i]); err != nil {
			return nil, -1, err
		}
	}
	return columns, wanted, nil
}
