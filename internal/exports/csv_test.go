package exports_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"usher"
	"usher/internal/exports"
	"usher/internal/exports/csv"
	"usher/internal/exports/rows"
)

// drawCSV draws an export of several chunks: rows with all kinds of quotes and line ends
// that are repeated, so that each occurs at all positions of a vector and at the ends of
// chunks.
func drawCSV(t *rapid.T) string {
	field := rapid.OneOf(
		rapid.SampledFrom([]string{
			id1, id3, `"` + id1 + `"`, `"` + id1[:34] + `"`, "", `""`, `"a""b"`, `""""`, `"a,b"`, "\"a\nb\"", "\"a\r\nb\"", " x ", `a"b`, `"a" b`, "\t", "null",
		}),
		rapid.StringOfN(rapid.RuneFrom([]rune("ab,\"\n\r é")), 0, 9, -1),
		rapid.StringOfN(rapid.RuneFrom([]rune("ab")), 0, 40, -1),
	)
	row := rapid.Custom(func(t *rapid.T) string {
		fields := rapid.SliceOfN(field, 1, 6).Draw(t, "fields")
		return strings.Join(fields, ",") + rapid.SampledFrom([]string{"\n", "\r\n", "\n\n"}).Draw(t, "end")
	})
	rows := rapid.SliceOfN(row, 1, 12).Draw(t, "rows")
	order := rapid.SliceOfN(rapid.IntRange(0, len(rows)-1), 1, 40).Draw(t, "order")
	var b strings.Builder
	b.WriteString("idfa,x,y\n")
	for b.Len() < 20_000 {
		for _, i := range order {
			b.WriteString(rows[i])
		}
	}
	return b.String()
}

// TestCSVAgrees compares with byHand, and with encoding/csv if that can read the export:
// as a whole and in parts.
func TestCSVAgrees(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	standard := 0
	rapid.Check(t, func(r *rapid.T) {
		data := drawCSV(r)
		column := rapid.IntRange(0, 2).Draw(r, "column")
		want, ok := byHand(data, ',', column)
		if !ok || slices.ContainsFunc(want, mayBeSeveral) || mayBeTwoRows(data, column) {
			return
		}
		for i := range want {
			want[i] = asCell(want[i])
		}
		if theirs, ok := csvRows(data, column, 3, len(data)); ok {
			standard++
			wantRows(r, "by hand", want, theirs, nil)
		}
		want = want[1:]
		limits := exports.Options{BlockBytes: rapid.SampledFrom([]int{0, 1 << 10, 9 << 10, 64 << 10}).Draw(r, "block"), MaxLine: 500}
		o, src := export(t, data, limits)
		src.Format, src.Delimiter, src.Quote, src.Escape = "csv", ",", "double", "double"
		src.Column = []string{"idfa", "2", "y"}[column]
		rows, _, err := read(t, o, src, 1<<40)
		wantRows(r, "whole", rows, want, err)
		if rows, _, err = read(t, o, src, 5000); err == nil {
			wantRows(r, "parts", rows, want, err)
		}
	})
	if standard == 0 {
		t.Error("encoding/csv has read none of the exports")
	}
}

// mayBeTwoRows reports whether a record of CSV has the fields of two rows of three fields, with
// ids in both, as where files were put together without a line end. It is refused.
func mayBeTwoRows(data string, column int) bool {
	d := csv.Dialect{Delimiter: ','}
	for text := []byte(data); len(text) > 0; {
		record, open := d.SplitRecord(text)
		if open {
			return false
		}
		if len(record.Fields) == 5 && longID.MatchString(record.Fields[column]) && longID.MatchString(record.Fields[column+2]) {
			return true
		}
		text = text[len(record.Raw):]
	}
	return false
}

// mayBeSeveral reports whether a value may be several ids, each of which is a row.
func mayBeSeveral(value string) bool {
	return (mayBeList(value) || longID.MatchString(value)) && strings.ContainsAny(strings.Trim(value, spaces), ",;| \t\r\n[](){}'\"")
}

func wantRows(t *rapid.T, what string, rows, want []string, err error) {
	t.Helper()
	for i := range min(len(rows), len(want)) {
		if got := asCell(rows[i]); got != want[i] {
			t.Fatalf("%s: row %d of %d is %q, want %q of %d, %v", what, i, len(rows), got, want[i], len(want), err)
		}
	}
	if err != nil || len(rows) != len(want) {
		t.Fatalf("%s: %d rows, %v, want %d", what, len(rows), err, len(want))
	}
}

// cellOf returns the wanted cell of a record in an export of that many columns. raw is
// the record as written.
func cellOf(record []string, column, columns int, raw string) string {
	switch {
	case column >= len(record) && (columns <= 1 || len(record) == columns || !strings.ContainsAny(raw, `"\`) && !slices.ContainsFunc(record, looksLikeIDs)):
		return ""
	case column >= len(record):
		return usher.MalformedRow
	case len(record) != columns && columns > 1:
		return usher.MalformedRow
	}
	return record[column]
}

// looksLikeIDs reports whether a field of a short row shows that its ids have moved.
func looksLikeIDs(field string) bool { return rows.LooksLikeIDs([]byte(field)) }

// byHand reads a column of CSV record by record: the reference for a faster
// reader. Records that are not like the first one are malformed. ok is false if a
// quote is not closed.
func byHand(data string, delimiter byte, column int) (cells []string, ok bool) {
	d, columns := csv.Dialect{Delimiter: delimiter}, 0
	for text := []byte(data); len(text) > 0; {
		if line, rest := rows.CutLine(text); rows.IsBlank(line) {
			text = rest
			continue
		}
		record, open := d.SplitRecord(text)
		if open {
			return nil, false
		}
		text = text[len(record.Raw):]
		if columns == 0 {
			columns = len(record.Fields)
		}
		if record.Broken {
			cells = append(cells, usher.MalformedRow)
		} else {
			cells = append(cells, cellOf(record.Fields, column, columns, string(record.Raw)))
		}
	}
	return cells, true
}
