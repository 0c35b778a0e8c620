package terminal

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"usher/internal/readable"
)

// A Table is rows of cells. With a header it is drawn with borders on a terminal.
// Otherwise its columns are aligned by spaces: a table without a header lists facts,
// and borders around a long fact would break on a narrow terminal.
type Table struct {
	Header []string // may be empty
	Rows   [][]string
	Right  []int // numbers of the right-aligned columns, from 1
}

// Add adds a row. It replaces characters that a terminal would interpret.
func (t *Table) Add(cells ...string) {
	for i := range cells {
		cells[i] = readable.Printable(cells[i])
	}
	t.Rows = append(t.Rows, cells)
}

// Write writes the table to w.
func (t *Table) Write(w io.Writer) error {
	if !IsTerminal(w) || len(t.Header) == 0 {
		return t.writePlain(w)
	}
	drawn := table.NewWriter()
	drawn.SetStyle(table.StyleLight)
	drawn.Style().Format.Header = text.FormatDefault
	drawn.AppendHeader(toRow(t.Header))
	for _, cells := range t.Rows {
		row := toRow(cells)
		for i := range row {
			row[i] = Colour(w, cells[i])
		}
		drawn.AppendRow(row)
	}
	var columns []table.ColumnConfig
	for _, n := range t.Right {
		columns = append(columns, table.ColumnConfig{Number: n, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	drawn.SetColumnConfigs(columns)
	if _, err := fmt.Fprintln(w, drawn.Render()); err != nil {
		return fmt.Errorf("print table: %w", err)
	}
	return nil
}

// writePlain pads each cell to the width of its column.
func (t *Table) writePlain(w io.Writer) error {
	rows := t.Rows
	if len(t.Header) > 0 {
		rows = append([][]string{t.Header}, rows...)
	}
	widths := map[int]int{}
	for _, cells := range rows {
		for i, cell := range cells {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, cells := range rows {
		if _, err := fmt.Fprintln(w, t.plainLine(w, cells, widths)); err != nil {
			return fmt.Errorf("print table: %w", err)
		}
	}
	return nil
}

// plainLine returns a row with two spaces between its columns.
func (t *Table) plainLine(w io.Writer, cells []string, widths map[int]int) string {
	var line strings.Builder
	for i, cell := range cells {
		pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
		if slices.Contains(t.Right, i+1) {
			line.WriteString(pad + Colour(w, cell) + "  ")
		} else {
			line.WriteString(Colour(w, cell) + pad + "  ")
		}
	}
	return strings.TrimRight(line.String(), " ")
}

func toRow(cells []string) table.Row {
	row := make(table.Row, len(cells))
	for i, cell := range cells {
		row[i] = cell
	}
	return row
}
