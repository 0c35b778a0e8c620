package exports

import (
	"context"
	"iter"
	"slices"

	"usher"
	"usher/hashing"
	"usher/internal/exports/choose"
	"usher/internal/exports/names"
	"usher/internal/exports/ndjson"
	"usher/internal/exports/parquet"
	"usher/internal/exports/places"
)

// besideOf returns what is beside the column of ids, which is at an index. Without names, the
// columns with ids are counted.
func besideOf(columns []choose.Column, at int, named bool) usher.Beside {
	if !named {
		return usher.Beside{IDColumns: len(choose.Pick(columns, func(i int) bool { return columns[i].HoldsIDs() }))}
	}
	var b usher.Beside
	for i := range columns {
		if i != at && columns[i].Name != "" && len(b.Columns) < usher.MaxColumns {
			b.Columns = append(b.Columns, hashing.MaskIDs(columns[i].Name))
		}
	}
	return b
}

// besideCells is besideOf for CSV and sheets.
func besideCells(records [][]string, columns []choose.Column, plan *usher.Plan) usher.Beside {
	b := besideOf(columns, plan.Column, plan.Header != "")
	if plan.TypeColumn == 0 {
		return b
	}
	b.TypeName = hashing.MaskIDs(plan.TypeHeader)
	b.TypeValues = typeValues(func(yield func(string) bool) {
		for _, cell := range cellsOf(rowsBelow(records, plan.Header != ""), plan.TypeColumn-1) {
			if !yield(string(cell)) {
				return
			}
		}
	})
	return b
}

// besidePaths is besideOf for records.
func besidePaths(records [][]byte, columns []choose.Column, plan *usher.Plan) usher.Beside {
	b := besideOf(columns, choose.Find(columns, plan.Path), true)
	if plan.TypePath == "" {
		return b
	}
	finder := ndjson.NewFinder(plan.TypePath)
	b.TypeValues = typeValues(func(yield func(string) bool) {
		for _, record := range records {
			for _, value := range finder.Values(record) {
				if !yield(value) {
					return
				}
			}
		}
	})
	return b
}

// besideParquet is besideOf for Parquet.
func (o *Opener) besideParquet(ctx context.Context, f *places.File, footer *parquet.Footer, plan *usher.Plan) (usher.Beside, error) {
	b := besideOf(columnsOf(footer), plan.Column, true)
	if plan.TypePath == "" {
		return b, nil
	}
	var values []string
	for _, group := range sampledGroups(footer) {
		err := o.entries(ctx, f, footer, group, footer.Find(plan.TypePath), -1, func(value, _ []byte) { values = append(values, string(value)) })
		if err != nil {
			return b, err
		}
	}
	b.TypeValues = typeValues(slices.Values(values))
	return b, nil
}

// typeValues returns the different values of a column of types in order, none if they are too
// many or too long to be types.
func typeValues(all iter.Seq[string]) []string {
	const most, longest = 20, 32
	var values []string
	for value := range all {
		if value = names.HeaderText([]byte(value)); slices.Contains(values, value) {
			continue
		}
		if len(values) == most || len(value) > longest || hashing.MaskIDs(value) != value {
			return nil
		}
		values = append(values, value)
	}
	slices.Sort(values)
	return values
}
