package exports

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"usher"
	"usher/internal/exports/column"
	"usher/internal/exports/parquet"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
)

// parquetGaps looks for ids in other columns of row groups where the chosen one has none.
type parquetGaps struct {
	opener *Opener
	file   *places.File
	footer *parquet.Footer
	own    int // the chosen column
	fits   func(value []byte) bool
	least  int // bytes of a value that fits
}

// gapsOf returns nil if such ids are not looked for.
func (o *Opener) gapsOf(f *places.File, footer *parquet.Footer, plan *usher.Plan) *parquetGaps {
	is, least := column.Fits(plan)
	own := footer.Find(plan.Path)
	if is == nil || own < 0 || !footer.Columns[own].HoldsText() || footer.Columns[own].IsList() {
		return nil
	}
	return &parquetGaps{o, f, footer, own, is, least}
}

// sampled looks at the first rows of a few row groups. It notes in the plan which columns have
// ids beside those of the chosen one. If that has ids in all of these rows, it looks only in
// columns whose names say that they may have ids.
func (g *parquetGaps) sampled(ctx context.Context, groups [][]parquet.RowGroup, plan *usher.Plan) error {
	gaps := 0
	for _, group := range groups {
		if err := g.entries(ctx, group, -1, sampleRows, func(value, _ []byte) { gaps += one(rows.IsGap(value)) }); err != nil {
			return err
		}
	}
	for i, at := range g.candidates(plan) {
		if i >= maxExamined || gaps < rows.EnoughIDs && !g.isNamed(at) {
			continue
		}
		seen, err := g.look(ctx, groups, at, sampleRows)
		switch {
		case err != nil:
			return err
		case seen.filled():
			return seen.gaps.Err(g.file.Origin, g.label(g.own))
		case !rows.HardlyAny(seen.both, seen.ids):
			plan.OtherPaths = append(plan.OtherPaths, g.footer.Columns[at].Path)
		}
	}
	return nil
}

// whole looks at all rows of row groups, in the columns whose names say that they may have
// ids, and in those that turn out to have some.
func (g *parquetGaps) whole(ctx context.Context, groups []parquet.RowGroup, plan *usher.Plan) error {
	for i, at := range g.candidates(plan) {
		likely, err := g.isNamed(at), error(nil)
		if !likely && i < maxExamined {
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
func (g *parquetGaps) holds(ctx context.Context, groups []parquet.RowGroup, at int) (bool, error) {
	if slices.ContainsFunc(groups, func(group parquet.RowGroup) bool { return group.Away(at) }) {
		return false, nil
	}
	r := parquet.NewReader(ctx, g.file, g.footer, groups, g.opener.memory, at)
	defer r.Close()
	for ids := 0; ids < rows.EnoughIDs; {
		value, present, err := r.Next()
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		ids += one(present && len(value) >= g.least && g.fits(value))
	}
	return true, nil
}

// isNamed reports whether the name of a column says that it has ids of devices.
func (g *parquetGaps) isNamed(at int) bool {
	return column.MeaningOf(g.footer.Columns[at].ShownName()).IsDevice()
}

// candidates returns the columns of strings whose names do not say that their ids are others,
// without those that the plan knows to have ids beside the chosen one.
func (g *parquetGaps) candidates(plan *usher.Plan) []int {
	columns := columnsOf(g.footer)
	meanings := column.Meanings(columns)
	return column.Pick(columns, func(i int) bool {
		return i != g.own && g.footer.Columns[i].HoldsTypes(&g.footer.Columns[g.own]) && meanings[i].Sense <= column.SenseAdvertising &&
			meanings[i].Digest == meanings[g.own].Digest && !slices.Contains(plan.OtherPaths, g.footer.Columns[i].Path)
	})
}

func (g *parquetGaps) label(at int) string { return "column " + columnsOf(g.footer)[at].Label() }

// besideIDs has the counts of a column beside the chosen one.
type besideIDs struct {
	gaps      rows.Gaps
	ids, both int // rows with an id, and of these, those that have one in the column as well
}

// filled reports whether the column has the ids that are meant where the chosen one has none.
func (b *besideIDs) filled() bool { return b.gaps.Filled(true) && rows.HardlyAny(b.both, b.ids) }

// look counts the ids of a column in the first rows of each slice of row groups, or in all if
// most is -1.
func (g *parquetGaps) look(ctx context.Context, groups [][]parquet.RowGroup, at, most int) (seen besideIDs, err error) {
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
func (g *parquetGaps) entries(ctx context.Context, groups []parquet.RowGroup, at, most int, f func(value, other []byte)) error {
	for i := range groups {
		if groups[i].Away(g.own) || at >= 0 && groups[i].Away(at) {
			return nil
		}
	}
	r := parquet.NewReader(ctx, g.file, g.footer, groups, g.opener.memory, g.own, beside(at)...)
	defer r.Close()
	for ; most != 0; most-- {
		value, present, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if !present {
			value = nil
		}
		f(value, valueBeside(r))
	}
	return nil
}

// one returns 1 for true.
func one(is bool) int {
	if is {
		return 1
	}
	return 0
}
