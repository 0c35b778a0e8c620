package exports

import (
	"fmt"
	"slices"
	"strconv"

	"usher"
	"usher/internal/exports/column"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
	"usher/internal/exports/xlsx"
)

// What marks say of texts. A text that fits looks like an id as well.
const (
	looksLikeID xlsx.Mark = 1 << iota
	fitsGap
)

// sheetGaps looks for ids in other columns of a sheet's rows where the chosen one has none.
type sheetGaps struct {
	rows.Gaps

	from    places.Origin
	plan    *usher.Plan
	fits    func(value []byte) bool
	watched int // a column, from 0
}

// watchSheetGaps has reading a sheet fail if there are such ids. It does nothing if they are
// not looked for.
func watchSheetGaps(from places.Origin, plan *usher.Plan, read *xlsx.Cells) *sheetGaps {
	is, _ := column.Fits(plan)
	if is == nil {
		return nil
	}
	g := &sheetGaps{from: from, plan: plan, fits: is}
	read.Mark, read.Row = g.mark, g.add
	return g
}

func (g *sheetGaps) mark(text string) xlsx.Mark {
	switch {
	case g.fits([]byte(text)):
		return fitsGap | looksLikeID
	case rows.LooksLikeID([]byte(text)):
		return looksLikeID
	}
	return 0
}

// add looks at a row.
func (g *sheetGaps) add(row *xlsx.Row) error {
	gap := rows.IsGap([]byte(row.First))
	if !gap && (g.Watched() == "" || !rows.LooksLikeIDs([]byte(row.First))) {
		return nil
	}
	marked, err := row.Marks()
	if err != nil {
		return err
	}
	if !gap {
		g.AddID(g.watchedHas(marked, looksLikeID))
		return g.judge(false)
	}
	if g.Watched() == "" && !g.begin(marked, row.Number) {
		return nil
	}
	g.AddGap(g.watchedHas(marked, fitsGap))
	return g.judge(false)
}

// begin watches the first column with an id that fits, and reports whether there is one.
func (g *sheetGaps) begin(marked []xlsx.Marked, row int) bool {
	for _, m := range marked {
		other := slices.Contains(g.plan.OtherIDs, m.Column) || slices.Contains(g.plan.UnrelatedIDs, m.Column)
		if m.Mark&fitsGap != 0 && !other && g.Begin(sheetColumn(m.Column), fmt.Sprintf("row %d", row)) {
			g.watched = m.Column
			return true
		}
	}
	return false
}

// watchedHas reports whether the mark of the watched column has a bit.
func (g *sheetGaps) watchedHas(marked []xlsx.Marked, bit xlsx.Mark) bool {
	return slices.ContainsFunc(marked, func(m xlsx.Marked) bool { return m.Column == g.watched && m.Mark&bit != 0 })
}

// judge returns an error if the ids of another column may be meant.
func (g *sheetGaps) judge(ended bool) error {
	if g == nil || !g.Filled(ended) {
		return nil
	}
	return g.Err(g.from, sheetColumn(g.plan.Column))
}

// sheetColumn names a column in messages.
func sheetColumn(at int) string { return "column " + strconv.Itoa(at+1) }
