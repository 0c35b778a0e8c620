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

// Table is rows of text: a table with lines on a terminal where it has a header,
// aligned columns elsewhere. What has none are facts, some of them long: lines
// around them would break on a narrow terminal.
type Table struct {
	Header []string // none: rows only
	Rows   [][]string
	Right  []int // columns of numbers, from 1 on
}

func (g *Table) Add(cells ...string) {
	for i := range cells {
		cells[i] = readable.Printable(cells[i])
	}
	g.Rows = append(g.Rows, cells)
}

func (g *Table) Write(w io.Writer) error {
	if !IsTerminal(w) || len(g.Header) == 0 {
		return g.writePlain(w)
	}
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	t.AppendHeader(toRow(g.Header))
	for _, cells := range g.Rows {
		row := toRow(cells)
		for i := range row {
			row[i] = Coloured(w, cells[i])
		}
		t.AppendRow(row)
	}
	var columns []table.ColumnConfig
	for _, n := range g.Right {
		columns = append(columns, table.ColumnConfig{Number: n, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.SetColumnConfigs(columns)
	if _, err := fmt.Fprintln(w, t.Render()); err != nil {
		return fmt.Errorf("print table: %w", err)
	}
	return nil
}

// writePlain pads every column to its widest cell.
func (g *Table) writePlain(w io.Writer) error {
	rows := g.Rows
	if len(g.Header) > 0 {
		rows = append([][]string{g.Header}, rows...)
	}
	widths := map[int]int{}
	for _, cells := range rows {
		for i, cell := range cells {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, cells := range rows {
		var line strings.Builder
		for i, cell := range cells {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if slices.Contains(g.Right, i+1) {
				line.WriteString(pad + Coloured(w, cell) + "  ")
			} else {
				line.WriteString(Coloured(w, cell) + pad + "  ")
			}
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(line.String(), " ")); err != nil {
			return fmt.Errorf("print table: %w", err)
		}
	}
	return nil
}

func toRow(cells []string) table.Row {
	row := make(table.Row, len(cells))
	for i, cell := range cells {
		row[i] = cell
	}
	return row
}
