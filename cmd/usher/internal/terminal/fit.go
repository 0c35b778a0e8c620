package terminal

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// The widths below which a text is not shortened, because nothing could be read of it. The two
// most important texts often are what identifies a row and what happened to it: a column is left
// out before they are shortened further. An id that usher makes fits in ampleWidth columns, which
// each text gets before another one gets more.
const (
	leastWidth       = 10
	leastSecondWidth = 20
	leastFirstWidth  = 32
	ampleWidth       = 36
)

// fitted is a table that was made narrower.
type fitted struct {
	table   *Table
	dropped []string // the headers of the columns that were left out
}

// fit returns the table within a width: it leaves out as few columns as possible and cuts
// texts as little as possible.
func (t *Table) fit(natural []int, width int) fitted {
	cut, drop := t.Cut, t.Drop
	if cut == nil {
		cut = t.texts()
	}
	if drop == nil {
		for n := len(natural); n > 2; n-- {
			drop = append(drop, n)
		}
	}
	for n := 0; ; n++ {
		kept := slices.DeleteFunc(columnNumbers(len(natural)), func(number int) bool { return slices.Contains(drop[:n], number) })
		least := make([]int, len(kept))
		for i, number := range kept {
			least[i] = natural[number-1]
			switch at := slices.Index(cut, number); {
			case at >= 0 && at == len(cut)-1:
				least[i] = min(least[i], leastFirstWidth)
			case at >= 0 && at == len(cut)-2:
				least[i] = min(least[i], leastSecondWidth)
			case at >= 0:
				least[i] = min(least[i], max(leastWidth, TextWidth(t.Header[number-1])))
			}
		}
		if plainWidth(least) <= width || n == len(drop) {
			return t.narrow(kept, shares(kept, natural, least, cut, width), drop[:n])
		}
	}
}

// texts returns the numbers of the left-aligned columns except the first one, which in most
// tables has a name that people copy, from the right.
func (t *Table) texts() []int {
	var numbers []int
	for number := len(t.Header); number > 1; number-- {
		if !slices.Contains(t.Right, number) {
			numbers = append(numbers, number)
		}
	}
	return append(numbers, 1)
}

func columnNumbers(n int) []int {
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = i + 1
	}
	return numbers
}

// shares returns the widths of the kept columns: the least width of each, and what is left
// for those that are shortened, the most important one first.
func shares(kept, natural, least, cut []int, width int) []int {
	widths := slices.Clone(least)
	left := width - plainWidth(widths)
	for _, most := range []int{ampleWidth, width} {
		for _, number := range slices.Backward(cut) {
			if at := slices.Index(kept, number); at >= 0 && left > 0 {
				more := max(0, min(left, min(natural[number-1], most)-widths[at]))
				widths[at], left = widths[at]+more, left-more
			}
		}
	}
	for left < 0 { // even the least widths are too wide: cut the widest column
		widest := slices.Index(widths, slices.Max(widths))
		if widths[widest] <= 1 {
			break
		}
		widths[widest]--
		left++
	}
	return widths
}

// narrow returns the table with the kept columns, cut to their widths.
func (t *Table) narrow(kept, widths, dropped []int) fitted {
	narrow := &Table{}
	for i, number := range kept {
		narrow.Header = append(narrow.Header, shorten(t.Header[number-1], widths[i], false))
	}
	for _, row := range t.Rows {
		var taken []Cell
		for i, number := range kept {
			if number <= len(row) {
				taken = append(taken, Cell{shorten(row[number-1].Text, widths[i], number == t.Named), row[number-1].Red})
			}
		}
		narrow.Rows = append(narrow.Rows, taken)
	}
	for i, number := range kept {
		if slices.Contains(t.Right, number) {
			narrow.Right = append(narrow.Right, i+1)
		}
	}
	f := fitted{table: narrow}
	for _, number := range slices.Sorted(slices.Values(dropped)) {
		f.dropped = append(f.dropped, t.Header[number-1])
	}
	return f
}

// shorten shortens a text to width columns: a single word, such as an id, in its middle, because
// ids differ at their ends; times and other texts at their end; and of a text "NAME: WHAT" the name first,
// as long as something can be read of it.
func shorten(s string, width int, named bool) string {
	if name, what, found := strings.Cut(s, ": "); named && found {
		if room := width - TextWidth(": "+what); room < TextWidth(name) {
			return Cut(cutMiddle(name, max(room, leastWidth))+": "+what, width)
		}
		return s
	}
	if strings.Contains(s, " ") || isTime(s) {
		return Cut(s, width)
	}
	return cutMiddle(s, width)
}

// isTime reports whether a text is a time of the platform, such as 2014-03-10T08:00:00.000.
func isTime(s string) bool {
	_, err := time.Parse("2006-01-02T15:04:05", strings.TrimSuffix(s, "Z"))
	return err == nil
}

// cutMiddle shortens a text to width columns by an ellipsis in its middle.
func cutMiddle(s string, width int) string {
	if TextWidth(s) <= width || width < 3 {
		return Cut(s, width)
	}
	tail, used := "", 0
	for runes := []rune(s); len(runes) > 0; runes = runes[:len(runes)-1] {
		last := string(runes[len(runes)-1])
		if used += TextWidth(last); used > (width-1)/2 {
			break
		}
		tail = last + tail
	}
	return Cut(s, width-TextWidth(tail)) + tail
}

// writeDropped says which columns were left out.
func (f *fitted) writeDropped(w io.Writer, width int) error {
	names := slices.DeleteFunc(f.dropped, func(name string) bool { return name == "" })
	if len(names) == 0 {
		return nil
	}
	for _, line := range Wrap("not shown: "+strings.Join(names, ", ")+" (make the terminal wider, or use --json)", width) {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// writeCards writes each row as lines of a header and a value, with a blank line between rows.
func (t *Table) writeCards(w io.Writer, width int) error {
	for i, row := range t.Rows {
		card := &Table{}
		for n, cell := range row {
			if cell.Text == "" {
				continue
			}
			name := ""
			if n < len(t.Header) {
				name = t.Header[n]
			}
			card.Rows = append(card.Rows, []Cell{{Text: name}, cell})
		}
		if i > 0 {
			if _, err := fmt.Fprintln(w); err != nil {
				return err
			}
		}
		if err := card.writeFacts(w, width); err != nil {
			return err
		}
	}
	return nil
}

// The indent of values that have lines of their own, and the width that all values need to
// stand beside their names.
const (
	valueIndent = 2
	leastValue  = 24
)

// writeFacts writes rows of names and a value, which is the last column and goes on below its
// beginning. A value has lines of its own if a word of it, such as an id, is too long beside
// the names.
func (t *Table) writeFacts(w io.Writer, width int) error {
	widths := t.naturalWidths()
	names := widths[:max(len(widths)-1, 0)]
	begin := plainWidth(names) + columnGap
	for _, row := range t.Rows {
		lead, value := "", Cell{}
		for i, cell := range row {
			if i == len(names) {
				value = cell
				continue
			}
			lead += cell.draw(w, cell.Text) + strings.Repeat(" ", names[i]-TextWidth(cell.Text)+columnGap)
		}
		longest := 0
		for word := range strings.FieldsSeq(value.Text) {
			longest = max(longest, TextWidth(word))
		}
		var lines []string
		if begin > width-min(leastValue, width*2/5) || longest > width-begin && longest <= width-valueIndent {
			lines = append(wrapHard(lead, width), value.indented(w, valueIndent, width)...)
		} else {
			lines = value.indented(w, begin, width)
			lines[0] = lead + lines[0][begin:]
		}
		for _, line := range lines {
			if _, err := fmt.Fprintln(w, strings.TrimRight(line, " ")); err != nil {
				return err
			}
		}
	}
	return nil
}

// indented returns the cell in lines within a width.
func (c Cell) indented(w io.Writer, indent, width int) []string {
	lines := wrapHard(c.Text, width-indent)
	for i, line := range lines {
		lines[i] = strings.Repeat(" ", indent) + c.draw(w, line)
	}
	return lines
}
