package terminal

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"usher/internal/readable"
)

// A Table is rows of cells, whose columns are aligned by spaces. A table without a header lists facts.
//
// A table is as wide as the terminal at most, see Width. If it has too many columns, texts
// are shortened; if that is not enough, columns are left out. On a terminal of less than 80
// columns, each row is a card instead.
type Table struct {
	Header []string // may be empty
	Rows   [][]Cell
	Right  []int // numbers of the right-aligned columns, from 1

	Whole bool  // the texts must not be shortened: a table that does not fit has a card for each row
	Cut   []int // numbers of the columns that may be shortened, the most important one last; nil: all texts but the first
	Drop  []int // numbers of the columns that may be left out, the most important one last; nil: all but the first two, from the right
	Named int   // number of the column whose texts are "NAME: WHAT", of which NAME is shortened first; 0: none
}

// A Cell is a text of a table.
type Cell struct {
	Text string
	Red  bool // drawn in red
}

// draw returns a text of the cell, such as a line of it, in the cell's colour.
func (c Cell) draw(w io.Writer, text string) string {
	if c.Red {
		return Red(w, text)
	}
	return Colour(w, text)
}

// Add adds a row. It replaces characters that a terminal would interpret.
func (t *Table) Add(texts ...string) {
	row := make([]Cell, len(texts))
	for i, text := range texts {
		row[i].Text = readable.Printable(text)
	}
	t.Rows = append(t.Rows, row)
}

// Redden draws the last cell of the row that was added last in red.
func (t *Table) Redden() {
	row := t.Rows[len(t.Rows)-1]
	row[len(row)-1].Red = true
}

// cardsBelow is the width of a terminal below which a row that does not fit is a card.
const cardsBelow = 80

// Write writes the table to w.
func (t *Table) Write(w io.Writer) error {
	if err := t.write(w, Width(w)); err != nil {
		return fmt.Errorf("print table: %w", err)
	}
	return nil
}

func (t *Table) write(w io.Writer, width int) error {
	natural := t.naturalWidths()
	fits := width == 0 || plainWidth(natural) <= width
	switch {
	case len(t.Header) == 0 && !fits:
		return t.writeFacts(w, width)
	case !fits && (width < cardsBelow || t.Whole):
		return t.writeCards(w, width)
	case fits:
		return t.writePlain(w, natural)
	}
	f := t.fit(natural, width)
	if err := f.table.writePlain(w, f.table.naturalWidths()); err != nil {
		return err
	}
	return f.writeDropped(w, width)
}

// header returns the headers as a row.
func (t *Table) header() []Cell {
	row := make([]Cell, len(t.Header))
	for i, text := range t.Header {
		row[i].Text = text
	}
	return row
}

// naturalWidths returns the widths that the columns need.
func (t *Table) naturalWidths() []int {
	var widths []int
	for _, cells := range append([][]Cell{t.header()}, t.Rows...) {
		for i, cell := range cells {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], TextWidth(cell.Text))
		}
	}
	return widths
}

// columnGap is the number of spaces between columns.
const columnGap = 2

// plainWidth returns the width of a table.
func plainWidth(widths []int) int {
	sum := -columnGap
	for _, width := range widths {
		sum += width + columnGap
	}
	return max(sum, 0)
}

// writePlain pads each cell to the width of its column.
func (t *Table) writePlain(w io.Writer, widths []int) error {
	var lines []string
	if len(t.Header) > 0 {
		lines = append(lines, Bold(w, t.plainLine(w, t.header(), widths)))
	}
	for _, cells := range t.Rows {
		lines = append(lines, t.plainLine(w, cells, widths))
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// plainLine returns a row with two spaces between its columns.
func (t *Table) plainLine(w io.Writer, cells []Cell, widths []int) string {
	var line strings.Builder
	for i, cell := range cells {
		pad := strings.Repeat(" ", max(0, widths[i]-TextWidth(cell.Text)))
		if slices.Contains(t.Right, i+1) {
			line.WriteString(pad + cell.draw(w, cell.Text) + "  ")
		} else {
			line.WriteString(cell.draw(w, cell.Text) + pad + "  ")
		}
	}
	return strings.TrimRight(line.String(), " ")
}
