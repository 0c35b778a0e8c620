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
	Rows   [][]string
	Right  []int // numbers of the right-aligned columns, from 1

	Whole bool  // the texts must not be shortened: a table that does not fit has a card for each row
	Cut   []int // numbers of the columns that may be shortened, the most important one last; nil: all texts but the first
	Drop  []int // numbers of the columns that may be left out, the most important one last; nil: all but the first two, from the right
	Named int   // number of the column whose texts are "NAME: WHAT", of which NAME is shortened first; 0: none

	red []string // cells that are drawn in red
}

// Redden has the cells with a text drawn in red; "" is none.
func (t *Table) Redden(cell string) {
	if cell = readable.Printable(cell); cell != "" {
		t.red = append(t.red, cell)
	}
}

// colour returns a cell as it is drawn.
func (t *Table) colour(w io.Writer, cell string) string {
	if slices.Contains(t.red, cell) {
		return Red(w, cell)
	}
	return Colour(w, cell)
}

// Add adds a row. It replaces characters that a terminal would interpret.
func (t *Table) Add(cells ...string) {
	for i := range cells {
		cells[i] = readable.Printable(cells[i])
	}
	t.Rows = append(t.Rows, cells)
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

// naturalWidths returns the widths that the columns need.
func (t *Table) naturalWidths() []int {
	var widths []int
	for _, cells := range append([][]string{t.Header}, t.Rows...) {
		for i, cell := range cells {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], TextWidth(cell))
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
		lines = append(lines, Bold(w, t.plainLine(w, t.Header, widths)))
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
func (t *Table) plainLine(w io.Writer, cells []string, widths []int) string {
	var line strings.Builder
	for i, cell := range cells {
		pad := strings.Repeat(" ", max(0, widths[i]-TextWidth(cell)))
		if slices.Contains(t.Right, i+1) {
			line.WriteString(pad + t.colour(w, cell) + "  ")
		} else {
			line.WriteString(t.colour(w, cell) + pad + "  ")
		}
	}
	return strings.TrimRight(line.String(), " ")
}
