package exports_test

import (
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

// fputcsv writes a record as PHP does by default: a quote is doubled unless a backslash
// stands before it, and the backslash stays.
func fputcsv(cells ...string) string {
	for i, cell := range cells {
		if !strings.ContainsAny(cell, ",\"\\\n\r\t ") {
			continue
		}
		var b strings.Builder
		escaped := false
		for _, c := range []byte(cell) {
			if c == '"' && !escaped {
				b.WriteByte('"')
			}
			escaped = c == '\\'
			b.WriteByte(c)
		}
		cells[i] = `"` + b.String() + `"`
	}
	return strings.Join(cells, ",") + "\n"
}

// TestPHP reads what PHP writes by default. No dialect reads it, since a backslash protects
// some quotes and others are doubled, so the refusal must say how to write it.
func TestPHP(t *testing.T) {
	t.Parallel()
	for _, notes := range [][]string{
		{`5" and \"`, `6"`},
		{`a\", b`, `say "hi", you`},
		{`x \\", y`, `say "hi"`},
		{`C:\`, `say "hi, you"`, `\", z`},
		{`plain`, `a\b`},
		{`say "hi"`, `plain`},
	} {
		for _, late := range []int{0, 3000} { // behind the head
			data := fputcsv("n", "note", "idfa", "country") + strings.Repeat(fputcsv("1", "note", id1, "DE"), late)
			want := slices.Repeat([]string{id1}, late)
			for _, note := range notes {
				data += fputcsv("1", note, id2, "DE")
				want = append(want, id2)
			}
			o, src := export(t, data, exports.Options{})
			rows, _, err := read(t, o, src, 1<<40)
			for i, row := range rows {
				if row == usher.MalformedRow { // not read, and counted
					rows[i] = want[i]
				}
			}
			switch {
			case err == nil && !slices.Equal(rows, want):
				t.Errorf("%q: %d rows, want %d", notes, len(rows), len(want))
			case err != nil && (class(err) != usher.SourceBroken || !strings.Contains(permanent(t, err).Hint, `fputcsv($f, $row, escape: "")`)):
				t.Errorf("%q: %v: %s", notes, err, permanent(t, err).Hint)
			}
		}
	}
}
