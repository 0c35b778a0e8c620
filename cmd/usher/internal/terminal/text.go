package terminal

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/mattn/go-isatty"
	"golang.org/x/term"

	"usher"
	"usher/internal/readable"
)

// IsTerminal reports whether file, a reader or a writer, is a terminal.
func IsTerminal(file any) bool {
	f := fileOf(file)
	return f != nil && isatty.IsTerminal(f.Fd())
}

// fileOf returns the file behind a reader or writer, or nil.
func fileOf(file any) *os.File {
	switch file := file.(type) {
	case *os.File:
		return file
	case *frame:
		return file.file
	}
	return nil
}

// Colour returns a job's state or a finding in its colour, if w is a terminal and
// NO_COLOR (https://no-color.org) is empty. It returns other words as they are.
func Colour(w io.Writer, word string) string {
	switch word {
	case string(usher.Done), "ok":
		return styled(w, "32", word) // green
	case string(usher.Failed), "problem":
		return Red(w, word)
	case string(usher.Retrying), string(usher.Cancelled):
		return styled(w, "33", word) // yellow
	case string(usher.Running):
		return styled(w, "36", word) // cyan
	}
	return word
}

// Red returns a text in red, under the conditions of Colour.
func Red(w io.Writer, text string) string { return styled(w, "31", text) }

// Bold returns a text in bold, under the conditions of Colour.
func Bold(w io.Writer, text string) string { return styled(w, "1", text) }

// styled returns a text with a parameter of SGR (ECMA-48, 8.3.117).
func styled(w io.Writer, parameter, text string) string {
	if !IsTerminal(w) || os.Getenv("NO_COLOR") != "" {
		return text
	}
	return "\x1b[" + parameter + "m" + text + "\x1b[0m"
}

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

// Wrap breaks text between words into lines of at most width columns. A longer word has a
// line for itself.
func Wrap(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case TextWidth(line)+1+TextWidth(word) > width:
			lines = append(lines, line)
			line = word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}

// wrapHard is Wrap that also breaks words that are longer than width, such as ids and URLs.
func wrapHard(text string, width int) []string {
	var lines []string
	for _, line := range Wrap(text, width) {
		for TextWidth(line) > width {
			head := []rune{}
			used := 0
			for _, r := range line {
				if used += TextWidth(string(r)); used > width && len(head) > 0 {
					break
				}
				head = append(head, r)
			}
			lines = append(lines, string(head))
			line = line[len(string(head)):]
		}
		lines = append(lines, line)
	}
	return lines
}

// WriteWrapped writes a text in lines that fit the terminal.
func WriteWrapped(w io.Writer, text string) error {
	lines := []string{text}
	if width := Width(w); width > 0 {
		lines = Wrap(text, width)
	}
	_, err := fmt.Fprintln(w, strings.Join(lines, "\n"))
	return err
}

// Times writes the times of a list: on a terminal as ages, because people ask how long ago
// something was, and elsewhere as dates, because a file is read later.
type Times struct {
	ages bool
	now  time.Time
}

// NewTimes returns the Times of a list that is written to w. absolute asks for dates.
func NewTimes(w io.Writer, absolute bool, now time.Time) Times {
	return Times{ages: !absolute && Width(w) > 0, now: now}
}

// Text returns a time as an age or a date.
func (t Times) Text(at time.Time) string {
	if t.ages {
		return readable.Ago(at, t.now)
	}
	return readable.Time(at)
}

// Phrase returns a time as an age, or as "at" and a date.
func (t Times) Phrase(at time.Time) string {
	if t.ages {
		return readable.Ago(at, t.now)
	}
	return "at " + readable.Time(at)
}

// When returns a time as a date, and on a terminal also as an age.
func When(w io.Writer, at time.Time) string {
	if at.IsZero() || Width(w) == 0 {
		return readable.Time(at)
	}
	return readable.Time(at) + " (" + readable.Ago(at, time.Now()) + ")"
}
