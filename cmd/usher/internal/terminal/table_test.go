package terminal

import (
	"os"
	"regexp"
	"slices"
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
		facts, findings := &Table{}, &Table{}
		facts.Add("error", strings.Repeat("word ", 30))
		facts.Add("a long name of a fact", "short")
		facts.Add("id", strings.Repeat("0123456789", 9))
		findings.Add("problem", "Redis", strings.Repeat("words ", 20))
		findings.Add("ok", "the clocks of all servers", "fine")
		for name, table := range map[string]*Table{"sample": sampleTable(), "automatic": {Header: sampleTable().Header, Rows: sampleTable().Rows}, "facts": facts, "findings": findings} {
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

// TestTableChoosesColumns checks that a table without Cut shortens its last columns most, and the first one,
// whose names people copy, least.
func TestTableChoosesColumns(t *testing.T) {
	t.Parallel()
	table := &Table{Header: []string{"NAME", "KIND", "STATE", "REMARK"}}
	table.Add("segment-add-2026-11-21-7kq2mzbd-and-more", "segment.add.of.a.long.kind", "failed and then again", "the platform answered 400 E10001: name: is required")
	const want = `NAME                                KIND                  STATE       REMARK
segment-add-2026-…kq2mzbd-and-more  segment.ad…long.kind  failed an…  the platf…
`
	var out strings.Builder
	if err := table.write(&out, 80); err != nil {
		t.Fatal(err)
	}
	if out.String() != want {
		t.Errorf("printed\n%swant\n%s", out.String(), want)
	}
}

// TestShortenKeepsWhatDecides checks that ids keep their ends, messages their beginning, and lists of jobs
// what a job has done.
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
}

func TestCutCountsColumns(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"ｃｒｍ": "ｃｒｍ", "ｃｒｍｓ": "ｃｒ…", "abcdefg": "abcde…", "abcdef": "abcdef", "a b c d e": "a b c…"} {
		if got := Cut(text, 6); got != want || TextWidth(got) > 6 {
			t.Errorf("%s is cut to %s, want %s", text, got, want)
		}
	}
}

// TestRedStaysRed checks that a red cell is red at every width: whole, shortened, and on a card in each of
// its lines. Another cell of the same text is not.
func TestRedStaysRed(t *testing.T) {
	t.Parallel()
	tty, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	defer func() { _ = tty.Close() }()
	const said = "iOS customers (4): +1, −20,327, now 5"
	table := &Table{Header: []string{"ID", "KIND", "TARGET"}, Named: 3}
	table.Add(said, "segment.mirror", said)
	table.Redden()
	table.Add("crm-2026-11-28", "segment.mirror", "iOS customers (4): +1, −2, now 20,331")
	for width, want := range map[int][]string{
		0:  {said},
		80: {"iOS c… (4): +1, −20,327,…"},
		40: {"iOS customers (4): +1, −20,327,", "now 5"},
	} {
		out := &frame{file: tty}
		if err := table.write(out, width); err != nil {
			t.Fatal(err)
		}
		var red []string
		for _, match := range regexp.MustCompile(`\x1b\[31m(.*?)\x1b\[0m`).FindAllStringSubmatch(out.String(), -1) {
			red = append(red, match[1])
		}
		if !slices.Equal(red, want) {
			t.Errorf("at %d, %q is red, want %q\n%s", width, red, want, out)
		}
	}
}
