package jobs

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"usher"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
)

// AddUnderstood adds how an export was read, a line for each fact. more is added to the
// line of the format.
func AddUnderstood(facts *terminal.Table, u *usher.Understood, more ...string) {
	facts.Add("format", strings.Join(append(formatOf(u), more...), ", "))
	if u.Format == usher.FormatCSV {
		facts.Add("quotes", fmt.Sprintf("%s, escape %s", u.Quote, u.Escape))
	}
	if u.Skip != (usher.Skip{}) {
		facts.Add("skipped", skipText(u.Skip))
	}
	why := ""
	if u.Column.Why != "" {
		why = ": " + readable.Printable(u.Column.Why)
	}
	facts.Add("ids in", place(u)+why)
	if u.TypeColumn != "" {
		facts.Add("type column", readable.Printable(u.TypeColumn))
	}
	addWithheld(facts, u)
}

// addWithheld adds how many ids a mirror has left out, and as of which generations.
func addWithheld(facts *terminal.Table, u *usher.Understood) {
	for _, w := range u.Withheld {
		text := readable.Count(w.Count, "id") + ": " + w.Reason
		if w.At != nil {
			text += fmt.Sprintf(", as of generation %d, %s", w.Generation, readable.Time(*w.At))
		}
		facts.Add("left out", readable.Printable(text))
	}
}

// AddMemory adds how the last good export of a feed or a target was read.
func AddMemory(facts *terminal.Table, m *usher.Memory, at string) {
	from := readable.Count(m.Rows, "row") + " of job " + m.Job + ", " + at
	if m.ApprovedBy != "" {
		from += ", approved by " + m.ApprovedBy
	}
	facts.Add("last good", from)
	if m.Began != "" {
		facts.Add("new memory", m.Began)
	}
	AddUnderstood(facts, &m.Understood)
	if len(m.Understood.Beside.TypeValues) > 0 {
		facts.Add("types", readable.Printable(strings.Join(m.Understood.Beside.TypeValues, ", ")))
	}
	if len(m.Understood.Beside.Columns) > 0 {
		facts.Add("beside", readable.Printable(strings.Join(m.Understood.Beside.Columns, ", ")))
	}
	var dropped []string
	for _, reason := range slices.Sorted(maps.Keys(m.Dropped)) {
		dropped = append(dropped, strings.Replace(reason, ".", " ", 1)+" "+Percent(m.Dropped[reason], m.Rows))
	}
	if dropped != nil {
		facts.Add("not uploaded", strings.Join(dropped, ", "))
	}
}

// formatOf returns the words that describe an export's format.
func formatOf(u *usher.Understood) []string {
	words := []string{string(u.Format)}
	if u.Sheet != "" {
		words = append(words, fmt.Sprintf("sheet %q", u.Sheet))
	}
	if u.Delimiter != "" {
		words = append(words, fmt.Sprintf("delimiter %q", u.Delimiter))
	}
	if !u.Format.IsBinary() {
		words = append(words, u.Encoding)
	}
	if u.Compression != "none" {
		words = append(words, u.Compression)
	}
	if u.Files > 1 {
		words = append(words, readable.Count(u.Files, "file"))
	}
	return words
}

func skipText(s usher.Skip) string {
	if s.Prefix != "" {
		return fmt.Sprintf("lines that begin with %q", s.Prefix)
	}
	return "the first " + readable.Count(s.Lines, "line")
}

// place describes where a record has its id.
func place(u *usher.Understood) string {
	header := "no header"
	if u.Header {
		header = strconv.Quote(u.Column.Name)
	}
	switch {
	case u.Format == usher.FormatText && u.Header:
		return "every line, below " + header
	case u.Format == usher.FormatText:
		return "every line, no header"
	case !u.Header && u.Column.Name != "":
		return "path " + readable.Printable(u.Column.Name)
	case u.Column.Number == 0: // JSON without objects
		return "every value, no path"
	}
	return fmt.Sprintf("column %d, %s", u.Column.Number, header)
}
