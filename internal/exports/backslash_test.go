package exports_test

import (
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

// TestBackslashBeforeQuote reads exports whose quoted cells end in a backslash: as a
// whole, in parts, and with cells that have line ends. It cannot be another dialect, since
// the rows would have another number of columns.
func TestBackslashBeforeQuote(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	const rows = 30_000
	for name, row := range map[string]string{
		"on every row": "1," + id1 + `,"c:\"` + "\n",
		"in a cycle":   "1," + id1 + `,"a ""q"", b` + "\nnext\"\n2," + id2 + ",plain\n3," + id3 + `,"c:\"` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, src := export(t, "n,idfa,note\n"+strings.Repeat(row, rows), exports.Options{})
			got, _, err := read(t, o, src, 1<<40)
			if want := rows * (strings.Count(row, "\n") - strings.Count(row, "\nnext")); err != nil || len(got) != want {
				t.Errorf("%d rows, %v", len(got), err)
			}
			if got, plan, err := read(t, o, src, 300_000); err != nil || strings.Contains(row, "\nnext") != (len(plan.Parts) == 1) {
				t.Errorf("in %d parts: %d rows, %v", len(plan.Parts), len(got), err)
			}
		})
	}
}

// TestEscapeSettles checks that a declared escape ends all doubts about quotes.
func TestEscapeSettles(t *testing.T) {
	t.Parallel()
	o, src := export(t, "n,idfa,note\n1,"+id1+`,"a\",b"`+"\n2,"+id2+",x\n", exports.Options{})
	if _, _, err := read(t, o, src, 1<<40); class(err) != usher.SourceBroken && err != nil {
		t.Error(err)
	}
	for _, escape := range []string{"double", "backslash", "backslash_in_quotes"} {
		src.Escape = escape
		if rows, _, err := read(t, o, src, 1<<40); err != nil || len(rows) != 2 {
			t.Errorf("%s: rows %q, %v", escape, rows, err)
		}
	}
}

// TestEscapeLeavesQuotesOpen reads what the MySQL client writes, with a backslash as the
// declared escape. That quotes are ordinary characters is seen in the head, or is still to
// be settled.
func TestEscapeLeavesQuotesOpen(t *testing.T) {
	t.Parallel()
	rows := "1\t" + id1 + "\tx\n2\t" + id2 + "\t\"a\n3\t" + id3 + "\tb\"\n4\t" + id1 + "\t\"c\" d\n"
	many := strings.Repeat("1\t"+id1+"\tx\n", 30_000)
	for name, c := range map[string]struct {
		data    string
		refused bool
	}{
		"in the head":         {rows, false},
		"behind it":           {many + rows, true},
		"behind it, in pairs": {many + strings.SplitAfter(rows, "b\"\n")[0], true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, src := export(t, "n\tidfa\tnote\n"+c.data, exports.Options{})
			src.Escape = "backslash"
			got, _, err := read(t, o, src, 1<<40)
			if c.refused && (class(err) != usher.SourceBroken || !strings.Contains(permanent(t, err).Hint, "source.quote to none")) {
				t.Error(err)
			}
			if c.refused {
				src.Quote = "none"
				got, _, err = read(t, o, src, 1<<40)
			}
			if err != nil || len(got) != strings.Count(c.data, "\n") {
				t.Errorf("%d rows, %v", len(got), err)
			}
		})
	}
}

// TestReadingsThatFit refuses exports that two dialects read without a fault, and whose
// rows have other fields in each.
func TestReadingsThatFit(t *testing.T) {
	t.Parallel()
	for name, data := range map[string]string{
		"a delimiter in quotes, or escaped": "a|idfa|b|c|d\r\n" + `x\|y|` + id1 + `|z|"b|,,"` + "\r\n",
		"two rows, or an escaped line end":  "a|b|idfa|c\r\n" + `x|y\|z\|\` + "\n|" + id1 + `|,\|` + "t\r\n",
	} {
		o, src := export(t, data, exports.Options{})
		if rows, _, err := read(t, o, src, 1<<40); class(err) != usher.SourceBroken {
			t.Errorf("%s: rows %q, %v", name, rows, err)
		}
		src.Quote, src.Escape = "none", "backslash"
		if rows, _, err := read(t, o, src, 1<<40); err != nil || len(rows) != 1 || rows[0] != id1 {
			t.Errorf("%s, declared: rows %q, %v", name, rows, err)
		}
	}
}

// TestQuotedOrEscaped refuses an export without quotes around cells, in which a backslash may
// escape a line end, so that a row would vanish, or nothing, and then a cell has quotes at
// both ends.
func TestQuotedOrEscaped(t *testing.T) {
	t.Parallel()
	data := "idfa|a|b\n" + id2 + `|\b\|x\` + "\n" + id1 + `|\|"` + id3 + `"` + "\n" + id2 + `|"|'` + "\n"
	o, src := export(t, data, exports.Options{})
	if rows, _, err := read(t, o, src, 1<<40); class(err) != usher.SourceBroken {
		t.Errorf("rows %q, %v", rows, err)
	}
	src.Quote, src.Escape = "none", "double"
	if rows, _, err := read(t, o, src, 1<<40); err != nil || len(rows) != 3 {
		t.Errorf("declared: rows %q, %v", rows, err)
	}
}
