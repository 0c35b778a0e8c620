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
		{"Export\n", "kunde,ziel", 0, 1},
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
			if class(err) != usher.SourceBroken || !strings.Contains(permanent(t, err).Hint, fmt.Sprintf("set source.skip to their number, %d,", c.want)) {
				t.Fatalf("read with %v", err)
			}
			src.Skip.Lines = c.want
			if rows, _, err := readType(t, o, src, usher.IDFA, 0); err != nil || len(rows) != 30 || rows[0] != uuid(1) {
				t.Errorf("as the hint says: %d rows, %v", len(rows), err)
			}
		})
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
