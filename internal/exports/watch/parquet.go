package watch

import (
	"context"
	"fmt"

	"usher"
	"usher/internal/exports/choose"
	"usher/internal/exports/names"
	"usher/internal/exports/parquet"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
)

// ParquetGaps looks for ids in other columns of row groups where the chosen one has none.
type ParquetGaps struct {
	file    *places.File
	footer  *parquet.Footer
	columns []choose.Column // of the footer
	memory  *parquet.Memory
	own     int // the chosen column
	fits    func(value []byte) bool
	least   int // bytes of a value that fits
}

// NewParquetGaps returns nil if such ids are not looked for.
func NewParquetGaps(f *places.File, footer *parquet.Footer, columns []choose.Column, memory *parquet.Memory, plan *usher.Plan) *ParquetGaps {
	is, least := Fits(plan)
	own := footer.Find(plan.Path, plan.Column)
	if is == nil || own < 0 || !footer.Columns[own].HoldsText() || footer.Columns[own].IsList() {
		return nil
	}
	return &ParquetGaps{f, footer, columns, memory, own, is, least}
}

// Sampled looks at the first rows, at most so many, of a few row groups. It notes in the plan which columns have
// ids beside those of the chosen one. If that has ids in all of these rows, it looks only in
// columns whose names say that they may have ids.
func (g *ParquetGaps) Sampled(ctx context.Context, groups [][]parquet.RowGroup, most int, plan *usher.Plan) error {
	gaps := 0
	for _, group := range groups {
		if err := g.entries(ctx, group, -1, most, func(value, _ []byte) { gaps += one(rows.IsGap(value)) }); err != nil {
			return err
		}
	}
	for i, at := range g.candidates(plan) {
		if i >= choose.MaxExamined || gaps < rows.EnoughIDs && !g.isNamed(at) {
			continue
		}
		seen, err := g.look(ctx, groups, at, most)
		switch {
		case err != nil:
			return err
		case seen.filled():
			return seen.gaps.Err(g.file.Origin, g.label(g.own))
		case !rows.HardlyAny(seen.both, seen.ids):
			plan.OtherPaths = append(plan.OtherPaths, choose.PlaceOf(g.footer.Columns[at].Path))
		}
	}
	return nil
}

// Whole looks at all rows of row groups, in the columns whose names say that they may have
// ids, and in those that turn out to have some.
func (g *ParquetGaps) Whole(ctx context.Context, groups []parquet.RowGroup, plan *usher.Plan) error {
	for i, at := range g.candidates(plan) {
		likely, err := g.isNamed(at), error(nil)
		if !likely && i < choose.MaxExamined {
			likely, err = g.holds(ctx, groups, at)
		}
		if err != nil {
			return err
		}
		if !likely {
			continue
		}
		seen, err := g.look(ctx, [][]parquet.RowGroup{groups}, at, -1)
		if err != nil {
			return err
		}
		if seen.filled() && (g.isNamed(at) || seen.ids >= rows.EnoughIDs) {
			return seen.gaps.Err(g.file.Origin, g.label(g.own))
		}
	}
	return nil
}

// holds reports whether a column has ids that fit, in any rows. It reads no other column.
func (g *ParquetGaps) holds(ctx context.Context, groups []parquet.RowGroup, at int) (bool, error) {
	ids := 0
	err := parquet.Each(ctx, g.file, g.footer, g.memory, groups, []int{at}, func(values [][]byte) bool {
		ids += one(len(values[0]) >= g.least && g.fits(values[0]))
		return ids < rows.EnoughIDs
	})
	return ids >= rows.EnoughIDs, err
}

// isNamed reports whether the name of a column says that it has ids of devices.
func (g *ParquetGaps) isNamed(at int) bool {
	return names.MeaningOf(g.columns[at].Name).IsDevice()
}

// candidates returns the columns of strings whose names do not say that their ids are others,
// without those that the plan knows to have ids beside the chosen one.
func (g *ParquetGaps) candidates(plan *usher.Plan) []int {
	meanings := choose.Meanings(g.columns)
	return choose.Pick(g.columns, func(i int) bool {
		return i != g.own && g.footer.Columns[i].HoldsTypes(&g.footer.Columns[g.own]) && meanings[i].Sense <= names.SenseAdvertising &&
			meanings[i].Digest == meanings[g.own].Digest && !isOther(plan, g.footer.Columns[i].Path)
	})
}

func (g *ParquetGaps) label(at int) string { return "column " + g.columns[at].Label() }

// besideIDs has the counts of a column beside the chosen one.
type besideIDs struct {
	gaps      rows.Gaps
	ids, both int // rows with an id, and of these, those that have one in the column as well
}

// filled reports whether the column has the ids that are meant where the chosen one has none.
func (b *besideIDs) filled() bool { return b.gaps.Filled(true) && rows.HardlyAny(b.both, b.ids) }

// look counts the ids of a column in the first rows of each slice of row groups, or in all if
// most is -1.
func (g *ParquetGaps) look(ctx context.Context, groups [][]parquet.RowGroup, at, most int) (seen besideIDs, err error) {
	place, sampled, row := g.label(at), "a part", 0
	if most >= 0 {
		sampled = "those that were sampled"
	}
	for _, group := range groups {
		err := g.entries(ctx, group, at, most, func(value, other []byte) {
			row++
			switch filled := g.fits(other); {
			case !rows.IsGap(value):
				seen.ids++
				seen.both += one(rows.LooksLikeID(other))
			case seen.gaps.Watched() != "" || filled && seen.gaps.Begin(place, fmt.Sprintf("row %d of %s", row, sampled)):
				seen.gaps.AddGap(filled)
			}
		})
		if err != nil {
			return seen, err
		}
	}
	return seen, nil
}

// entries calls f with the values of the chosen column and of another one, unless that is -1.
// A missing value is empty.
func (g *ParquetGaps) entries(ctx context.Context, groups []parquet.RowGroup, at, most int, f func(value, other []byte)) error {
	columns := []int{g.own}
	if at >= 0 {
		columns = append(columns, at)
	}
	return parquet.Each(ctx, g.file, g.footer, g.memory, groups, columns, func(values [][]byte) bool {
		if most == 0 {
			return false
		}
		most--
		f(values[0], values[len(values)-1])
		return true
	})
}

// one returns 1 for true.
func one(is bool) int {
	if is {
		return 1
	}
	return 0
}
