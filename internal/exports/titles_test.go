package exports_test

import (
	"fmt"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

// Lines before the header are refused with the number that source.skip needs, whatever they
// have in common with the header.
func TestTitles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		title  string
		header string // default n,idfa
		skip   int    // that the job has already
		want   int
	}{
		{"Export\n", "", 0, 1},
		{"Export\r\n\r\n", "", 0, 2},
		{"\nExport\n", "", 0, 2},
		{"sep=,\nExport\n", "", 0, 2},
		{"Export\nfrom today\n", "", 0, 2},
		{"Export, all\n", "", 0, 1},
		{"Export, all, whole, complete\n", "", 0, 1},
		{"Export\nmade by us, for you\n", "", 0, 2},
		{"Export\nfrom today\n", "", 1, 2},
		{"Export, all\nfrom, today\n", "", 1, 2},
		{"\"Export, \"\"all\"\" of it\"\n", "", 0, 1},
		{"# Export\n# from today, all of it\n", "", 0, 2},
		{"Export\n", "kunde,ziel", 0, 1},
		{"Export, March, all\n", "kunde,ziel", 0, 1},
		{"Export\nmade by us, for you\n", "kunde,ziel", 0, 2},
	} {
		t.Run(fmt.Sprintf("%q %s %d", c.title, c.header, c.skip), func(t *testing.T) {
			t.Parallel()
			header := c.header
			if header == "" {
				header = "n,idfa"
			}
			o, src := export(t, c.title+header+"\n"+rowsFrom(1, 30, func(i int) string { return fmt.Sprintf("%d,%s\n", i, uuid(i)) }), exports.Options{})
			src.Skip.Lines = c.skip
			_, _, err := readType(t, o, src, usher.IDFA, 0)
			if class(err) != usher.SourceBroken || !strings.Contains(permanent(t, err).Hint, fmt.Sprintf("set source.skip to %d,", c.want)) {
				t.Fatalf("read with %v", err)
			}
			src.Skip.Lines = c.want
			if rows, _, err := readType(t, o, src, usher.IDFA, 0); err != nil || len(rows) != 30 || rows[0] != uuid(1) {
				t.Errorf("as the hint says: %d rows, %v", len(rows), err)
			}
		})
	}
}

// The hint for lines before the table comes first: before hints for the dialect of its rows, for a
// table of a few rows only, and for one without a header.
func TestTitlesComeFirst(t *testing.T) {
	t.Parallel()
	for name, table := range map[string]string{
		"quotes":                  "n,idfa,note\n" + rowsFrom(1, 30, func(i int) string { return fmt.Sprintf("%d,%s,\"say \"\"hi\"\"\"\n", i, uuid(i)) }),
		"backslash":               "n,idfa,note\n" + rowsFrom(1, 30, func(i int) string { return fmt.Sprintf("%d,%s,\"C:\\temp\\\"\n", i, uuid(i)) }),
		"escaped":                 "n,idfa,note\n" + rowsFrom(1, 30, func(i int) string { return fmt.Sprintf("%d,%s,\"say \\\"hi\\\"\"\n", i, uuid(i)) }),
		"few rows":                "n,idfa,note\n" + rowsFrom(1, 2, func(i int) string { return fmt.Sprintf("%d,%s,\"say \"\"hi\"\"\"\n", i, uuid(i)) }),
		"few rows, unknown names": "kunde,ziel,notiz\n" + rowsFrom(1, 2, func(i int) string { return fmt.Sprintf("%d,%s,x\n", i, uuid(i)) }),
		"no header":               rowsFrom(1, 30, func(i int) string { return fmt.Sprintf("%d,%s,x\n", i, uuid(i)) }),
		"no header, one row":      fmt.Sprintf("1,%s,x\n", uuid(1)),
	} {
		for title, c := range map[string]struct {
			lines int
			mark  string
		}{
			"Export\n": {1, ""}, "\"Export, \"\"all\"\"\"\n\n": {2, ""}, "Export;\nall, of it, today, again\n": {2, ""},
			"Export of C:\\data\\\n": {1, ""}, "# Export\n": {1, ", or source.skip to \"#\""}, "#Export, \"all\"\n#\n# of it\n": {3, ", or source.skip to \"#\""},
		} {
			if strings.Contains(title, `\`) && name != "quotes" {
				continue // the title is read as part of the header, with an escaped line end
			}
			o, src := export(t, title+table, exports.Options{})
			_, _, err := readType(t, o, src, usher.IDFA, 0)
			want := fmt.Sprintf("set source.skip to %d, the number of lines before the table%s", c.lines, c.mark)
			if class(err) != usher.SourceBroken || !strings.HasPrefix(permanent(t, err).Hint, want) {
				t.Errorf("%s behind %q: %v, want %q", name, title, err, want)
			}
		}
	}
}

// A row that names the type of its id is no header, even if it has no id.
func TestTypesAreNoHeader(t *testing.T) {
	t.Parallel()
	o, src := export(t, "nr,typ,kennung\n1,idfa,\n"+rowsFrom(2, 20, func(i int) string { return fmt.Sprintf("%d,idfa,%s\n", i, uuid(i)) }), exports.Options{})
	if rows, _, err := readType(t, o, src, usher.IDFA, 0); err != nil || len(rows) != 21 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}
