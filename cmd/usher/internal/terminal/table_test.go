package terminal

import (
	"strings"
	"testing"
)

func sampleTable() *Table {
	t := &Table{Header: []string{"ID", "KIND", "STATE", "READ", "SUBMITTED", "REMARK"}, Right: []int{4}, Cut: []int{1, 6}, Drop: []int{5, 2}}
	t.Add("segment-add-2026-11-21-7kq2mzbd", "segment.add", "failed", "1,234,567", "2026-11-21 08:05:00", "the platform answered 400 E10001: name: is required")
	t.Add("crm-ｃｒｍ-export", "segment.mirror", "running", "12", "2026-11-21 08:05:00", "")
	return t
}

// TestTableFits checks that no line is wider than the terminal, at every width.
func TestTableFits(t *testing.T) {
	t.Parallel()
	for width := 20; width < 150; width++ {
		for name, table := range map[string]*Table{"sample": sampleTable(), "automatic": {Header: sampleTable().Header, Rows: sampleTable().Rows}, "facts": {Rows: [][]string{{"error", strings.Repeat("word ", 30)}, {"a long name of a fact", "short"}, {"id", strings.Repeat("0123456789", 9)}}}, "findings": {Rows: [][]string{{"problem", "Redis", strings.Repeat("words ", 20)}, {"ok", "the clocks of all servers", "fine"}}}} {
			var out strings.Builder
			if err := table.write(&out, width); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(out.String()) {
				if got := TextWidth(strings.TrimSuffix(line, "\n")); got > width {
					t.Errorf("%s at %d: a line of %d: %s", name, width, got, line)
				}
			}
			if strings.Contains(out.String(), "failed") != (name != "facts" && name != "findings") {
				t.Errorf("%s at %d lacks its state:\n%s", name, width, out.String())
			}
		}
	}
}

func TestTableAtWidths(t *testing.T) {
	t.Parallel()
	for width, want := range map[int]string{
		0: `ID                               KIND            STATE         READ  SUBMITTED            REMARK
segment-add-2026-11-21-7kq2mzbd  segment.add     failed   1,234,567  2026-11-21 08:05:00  the platform answered 400 E10001: name: is required
crm-ｃｒｍ-export                segment.mirror  running         12  2026-11-21 08:05:00
`,
		110: `ID                               KIND            STATE         READ  REMARK
segment-add-2026-11-21-7kq2mzbd  segment.add     failed   1,234,567  the platform answered 400 E10001: name:…
crm-ｃｒｍ-export                segment.mirror  running         12
not shown: SUBMITTED (make the terminal wider, or use --json)
`,
		80: `ID                      STATE         READ  REMARK
segment-add…1-7kq2mzbd  failed   1,234,567  the platform answered 400 E10001: n…
crm-ｃｒｍ-export       running         12
not shown: KIND, SUBMITTED (make the terminal wider, or use --json)
`,
		40: `ID
  segment-add-2026-11-21-7kq2mzbd
KIND       segment.add
STATE      failed
READ       1,234,567
SUBMITTED  2026-11-21 08:05:00
REMARK     the platform answered 400
           E10001: name: is required

ID         crm-ｃｒｍ-export
KIND       segment.mirror
STATE      running
READ       12
SUBMITTED  2026-11-21 08:05:00
`,
	} {
		var out strings.Builder
		if err := sampleTable().write(&out, width); err != nil {
			t.Fatal(err)
		}
		if out.String() != want {
			t.Errorf("at %d:\n%swant\n%s", width, out.String(), want)
		}
	}
}

// TestShortenKeepsWhatDecides checks that ids keep their ends, messages their beginning, and lists of jobs
// what a job has done, and that no red is lost.
func TestShortenKeepsWhatDecides(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text  string
		width int
		named bool
		want  string
	}{
		{"segment-add-2026-11-21-7kq2mzbd", 20, false, "segment-ad…-7kq2mzbd"},
		{"ｃｒｍ-ｅｘｐｏｒｔ", 9, false, "ｃｒ…ｒｔ"},
		{"short", 20, false, "short"},
		{"the platform answered 400", 12, false, "the platfor…"},
		{"iOS customers (4): +1, −20,327, now 5", 31, true, "iOS c…s (4): +1, −20,327, now 5"},
		{"iOS customers (4): +1, −20,327, now 5", 40, true, "iOS customers (4): +1, −20,327, now 5"},
		{"segment 77: not_found: the platform does not know it", 24, true, "segment 77: not_found:…"},
	} {
		if got := shorten(test.text, test.width, test.named); got != test.want || TextWidth(got) > test.width {
			t.Errorf("%q in %d columns is %q, want %q", test.text, test.width, got, test.want)
		}
	}
	table := sampleTable()
	table.Redden("the platform answered 400 E10001: name: is required")
	narrow := table.fit(table.naturalWidths(), 80).table
	if len(narrow.red) != 1 || narrow.red[0] != "the platform answered 400 E10001: n…" {
		t.Errorf("of a table that is narrower, %q is red", narrow.red)
	}
}

func TestCutCountsColumns(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"ｃｒｍ": "ｃｒｍ", "ｃｒｍｓ": "ｃｒ…", "abcdefg": "abcde…", "abcdef": "abcdef", "a b c d e": "a b c…"} {
		if got := Cut(text, 6); got != want || TextWidth(got) > 6 {
			t.Errorf("%s is cut to %s, want %s", text, got, want)
		}
	}
}
