package terminal

import (
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
	"golang.org/x/term"
)

// The widths within which output is fitted.
const (
	minWidth = 20
	maxWidth = 1000
)

// Sized is a writer that knows the width of the terminal that will show its text.
type Sized interface {
	io.Writer
	Columns() int
}

// Width returns the number of columns of the terminal that w writes to. For other writers it
// returns the environment variable COLUMNS, which watch and test scripts set, and 0 if that
// is not set: then lines may have any length.
func Width(w io.Writer) int {
	if sized, ok := w.(Sized); ok {
		return sized.Columns()
	}
	if f := fileOf(w); f != nil && IsTerminal(f) {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
			return min(max(columns, minWidth), maxWidth)
		}
		return 80
	}
	columns, err := strconv.Atoi(os.Getenv("COLUMNS"))
	if err != nil || columns <= 0 {
		return 0
	}
	return min(max(columns, minWidth), maxWidth)
}

// TextWidth returns the number of columns that a text takes: a Chinese character takes two,
// an accent none.
func TextWidth(s string) int { return text.StringWidthWithoutEscSequences(s) }

// Pad adds spaces to a text until it takes width columns.
func Pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-TextWidth(s)))
}

// Cut shortens a text to width columns. A text that is cut ends in an ellipsis.
func Cut(s string, width int) string {
	if TextWidth(s) <= width {
		return s
	}
	if width <= 0 {
		return ""
	}
	var b strings.Builder
	used := 0
	for _, r := range s {
		if used += text.RuneWidth(r); used > width-1 {
			break
		}
		b.WriteRune(r)
	}
	return strings.TrimRight(b.String(), " ") + "…"
}
