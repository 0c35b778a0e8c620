package watch

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"usher"

	"usher/internal/exports/choose"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
	"usher/internal/exports/xlsx"
)

// Sheet counts the values of all columns while a sheet without a header is read, whose column
// of ids was chosen by values. If another column has ids as well, the export is refused.
type Sheet struct {
	from   places.Origin
	counts map[int]*choose.Column // by number
	chosen int                    // the number of the column of ids
	sample func() ([]choose.Column, error)
	reads  int
}

// NewSheet returns the Sheet of a file. chosen is the number of the column of ids, from 1.
// sample returns the columns of the export's sample, whose names an error shows.
func NewSheet(from places.Origin, chosen int, sample func() ([]choose.Column, error)) *Sheet {
	return &Sheet{from: from, counts: map[int]*choose.Column{}, chosen: chosen, sample: sample}
}

// AddCell counts a cell of a sheet, and reports whether it looks like an id. column is its
// number from 0.
func (s *Sheet) AddCell(column int, text string) bool {
	c := s.counts[column+1]
	if c == nil {
		c = &choose.Column{Number: column + 1}
		s.counts[column+1] = c
	}
	c.Count([]byte(text))
	return rows.LooksLikeID([]byte(text))
}

// Over returns a reader of in that fails if another column has ids.
func (s *Sheet) Over(in io.Reader) io.Reader { return &watched{in, s} }

// watched is what a Sheet is over.
type watched struct {
	io.Reader

	sheet *Sheet
}

// Read implements io.Reader.
func (r *watched) Read(p []byte) (int, error) {
	const every = 64
	n, err := r.Reader.Read(p)
	ended := errors.Is(err, io.EOF)
	if r.sheet.reads++; !ended && r.sheet.reads%every > 0 {
		return n, err
	}
	if other := r.sheet.other(ended); other != 0 {
		return 0, r.sheet.refuse(other)
	}
	return n, err
}

// other returns the number of another column of ids, 0 if there is none. Before the end, a few
// values are not enough to tell.
func (s *Sheet) other(ended bool) int {
	for number, c := range s.counts {
		if number != s.chosen && c.HoldsIDs() && (ended || c.IDs >= rows.EnoughIDs) {
			return number
		}
	}
	return 0
}

// refuse returns the error for an export whose other column has ids as well.
func (s *Sheet) refuse(other int) error {
	columns, err := s.sample()
	if err != nil {
		return err
	}
	var which []int
	for _, number := range []int{s.chosen, other} {
		at := slices.IndexFunc(columns, func(c choose.Column) bool { return c.Number == number })
		if at < 0 { // it has no value in the head
			at = len(columns)
			columns = append(columns, choose.Column{Name: strconv.Itoa(number), Number: number})
		}
		which = append(which, at)
	}
	slices.Sort(which)
	return s.from.Broken(choose.SetColumn(columns, which), "which of its columns holds the device ids cannot be determined: more than one has values that look like them")
}

// What marks say of texts. A text that fits looks like an id as well.
const (
	looksLikeID xlsx.Mark = 1 << iota
	fitsGap
)

// SheetGaps looks for ids in other columns of a sheet's rows where the chosen one has none.
type SheetGaps struct {
	rows.Gaps

	from    places.Origin
	plan    *usher.Plan
	fits    func(value []byte) bool
	watched int // a column, from 0
}

// NewSheetGaps has reading a sheet fail if there are such ids. It does nothing if they are
// not looked for.
func NewSheetGaps(from places.Origin, plan *usher.Plan, read *xlsx.Cells) *SheetGaps {
	is, _ := Fits(plan)
	if is == nil {
		return nil
	}
	g := &SheetGaps{from: from, plan: plan, fits: is}
	read.Mark, read.Row = g.mark, g.add
	return g
}

func (g *SheetGaps) mark(text string) xlsx.Mark {
	switch {
	case g.fits([]byte(text)):
		return fitsGap | looksLikeID
	case rows.LooksLikeID([]byte(text)):
		return looksLikeID
	}
	return 0
}

// add looks at a row.
func (g *SheetGaps) add(row *xlsx.Row) error {
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
		return g.Check(false)
	}
	if g.Watched() == "" && !g.begin(marked, row.Number) {
		return nil
	}
	g.AddGap(g.watchedHas(marked, fitsGap))
	return g.Check(false)
}

// begin watches the first column with an id that fits, and reports whether there is one.
func (g *SheetGaps) begin(marked []xlsx.Marked, row int) bool {
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
func (g *SheetGaps) watchedHas(marked []xlsx.Marked, bit xlsx.Mark) bool {
	return slices.ContainsFunc(marked, func(m xlsx.Marked) bool { return m.Column == g.watched && m.Mark&bit != 0 })
}

// Check returns an error if the ids of another column may be meant.
func (g *SheetGaps) Check(ended bool) error {
	if g == nil || !g.Filled(ended) {
		return nil
	}
	return g.Err(g.from, sheetColumn(g.plan.Column))
}

// sheetColumn names a column in messages.
func sheetColumn(at int) string { return "column " + strconv.Itoa(at+1) }
