package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"usher"
)

// writeJSON prints data as people read JSON and programs do too.
func writeJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return fmt.Errorf("print JSON: %w", err)
	}
	return nil
}

// grid is rows of text: a table with lines on a terminal where it has a header,
// aligned columns elsewhere. What has none are facts, some of them long: lines
// around them would break on a narrow terminal.
type grid struct {
	header []string // none: rows only
	rows   [][]string
	right  []int // columns of numbers, from 1 on
}

func (g *grid) add(cells ...string) {
	for i := range cells {
		cells[i] = printable(cells[i])
	}
	g.rows = append(g.rows, cells)
}

func (g *grid) write(w io.Writer) error {
	if !onTerminal(w) || len(g.header) == 0 {
		return g.writePlain(w)
	}
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	t.AppendHeader(toRow(g.header))
	for _, cells := range g.rows {
		row := toRow(cells)
		for i := range row {
			row[i] = coloured(w, cells[i])
		}
		t.AppendRow(row)
	}
	var columns []table.ColumnConfig
	for _, n := range g.right {
		columns = append(columns, table.ColumnConfig{Number: n, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.SetColumnConfigs(columns)
	if _, err := fmt.Fprintln(w, t.Render()); err != nil {
		return fmt.Errorf("print table: %w", err)
	}
	return nil
}

// writePlain pads every column to its widest cell.
func (g *grid) writePlain(w io.Writer) error {
	rows := g.rows
	if len(g.header) > 0 {
		rows = append([][]string{g.header}, rows...)
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
			if slices.Contains(g.right, i+1) {
				line.WriteString(pad + coloured(w, cell) + "  ")
			} else {
				line.WriteString(coloured(w, cell) + pad + "  ")
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

// coloured is a word in its colour, where w shows colours.
func coloured(w io.Writer, word string) string {
	if !onTerminal(w) || os.Getenv("NO_COLOR") != "" {
		return word
	}
	code := ""
	switch word {
	case string(usher.Done), "ok":
		code = "32"
	case string(usher.Failed), "problem":
		code = "31"
	case string(usher.Retrying), string(usher.Cancelled):
		code = "33"
	case string(usher.Running):
		code = "36"
	}
	if code == "" {
		return word
	}
	return "\x1b[" + code + "m" + word + "\x1b[0m"
}

// printable is s without what would move a terminal's cursor or break a line:
// it may come from a publisher.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control) {
			return ' '
		}
		return r
	}, s)
}

// number is n with its thousands apart: 1,234,567.
func number(n int64) string {
	digits := fmt.Sprint(n)
	from := 1
	if n < 0 {
		from = 2
	}
	for i := len(digits) - 3; i >= from; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// plural is n things: "1 job", "2 jobs".
func plural(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return number(n) + " " + thing + "s"
}

// bytesText is a size for people: 12.3 MB.
func bytesText(n int64) string {
	if n < 1000 {
		return plural(n, "byte")
	}
	value, unit := float64(n), ""
	for _, unit = range []string{"kB", "MB", "GB", "TB"} {
		if value /= 1000; value < 1000 {
			break
		}
	}
	return fmt.Sprintf("%.1f %s", value, unit)
}

// brief is a duration for people, in its two largest units: 2h5m, 12s.
func brief(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm%ds", int(d.Minutes()), int(d.Seconds())%60)
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh%dm", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%dd%dh", int(d.Hours())/24, int(d.Hours())%24)
}

// clockTime is a time as people read it, exact enough to search a log for.
func clockTime(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.Local().Format("2006-01-02 15:04:05") //nolint:gosmopolitan // people compare it with their own clock; JSON has UTC
}
