package exports_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"usher"
	"usher/internal/exports"
)

// small are limits that a short export exceeds.
var small = exports.Options{MaxLine: 40, BlockBytes: 96}

// drawText draws lines of all kinds: blank, long, and without a line end.
func drawText(line *rapid.Generator[string]) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		if rapid.Bool().Draw(t, "bom") {
			b.WriteString("\ufeff")
		}
		for _, l := range rapid.SliceOfN(line, 0, 30).Draw(t, "lines") {
			b.WriteString(l)
			b.WriteString(rapid.SampledFrom([]string{"\n", "\n", "\n", "\r\n", "\n\n"}).Draw(t, "end"))
		}
		if rapid.Bool().Draw(t, "unended") {
			b.WriteString(line.Draw(t, "last"))
		}
		return b.String()
	})
}

func textLine() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"", " ", "\t\r", "\u00a0", "\ufeff", id1, id2, id4, "x", "{ifa}", "a,b", `"`, "??"}),
		rapid.Map(rapid.IntRange(30, 300), func(n int) string { return strings.Repeat("y", n) }),
		rapid.Map(rapid.IntRange(30, 100), func(n int) string { return strings.Repeat(" ", n) }),
		rapid.StringOfN(rapid.RuneFrom([]rune("ab \t;|é\u00a0")), 0, 50, -1),
	)
}

// rowsOfText returns the rows of a plain list, in the simplest way.
func rowsOfText(data string, maxLine int) []string {
	var rows []string
	for i, line := range strings.SplitAfter(data, "\n") {
		bare := strings.TrimSuffix(line, "\n")
		if i == 0 {
			bare = strings.TrimPrefix(bare, "\ufeff")
		}
		if len(bare) > maxLine {
			rows = append(rows, "?")
			continue
		}
		if bare = strings.Trim(bare, " \t\r\u00a0\ufeff"); bare != "" {
			rows = append(rows, bare)
		}
	}
	return rows
}

func trimAll(rows []string) []string {
	for i := range rows {
		rows[i] = strings.Trim(rows[i], " \t\r\u00a0\ufeff")
	}
	return slices.DeleteFunc(rows, func(s string) bool { return s == "" })
}

// TestCutText checks that all parts together have the rows of the export, for any text
// and any size of parts.
func TestCutText(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "export")
	o := opener(t, dir, small)
	rapid.Check(t, func(r *rapid.T) {
		data := drawText(textLine()).Draw(r, "data")
		size := rapid.Int64Range(1, 200).Draw(r, "part")
		must(t, os.WriteFile(path, []byte(data), 0o600))
		rows, plan, err := read(t, o, &usher.Source{URL: path, Format: "text"}, size)
		if last := data[strings.LastIndexByte(data, '\n')+1:]; class(err) == usher.SourceBroken && strings.Trim(last, "0123456789abcdefABCDEF-"+spaces) == "" {
			return // the last line may be the beginning of an id
		}
		if err != nil {
			r.Fatal(err)
		}
		checkParts(r, plan, int64(len(data)), size)
		if got, want := trimAll(rows), rowsOfText(data, small.MaxLine); !slices.Equal(got, want) {
			r.Fatalf("rows %q\nwant %q\nparts %v", got, want, plan.Parts)
		}
	})
}

func checkParts(r *rapid.T, plan usher.Plan, size, partBytes int64) {
	at := int64(0)
	for i, p := range plan.Parts {
		if p.From != at {
			r.Fatalf("part %d begins at %d, want %d", i, p.From, at)
		}
		at = p.To
	}
	if at != -1 {
		r.Fatalf("the last part ends at %d", at)
	}
	if n, want := int64(len(plan.Parts)), max((size+partBytes-1)/partBytes, 1); n > want {
		r.Fatalf("%d parts of %d bytes, want %d", n, partBytes, want)
	}
}

// TestCutCSV checks the same for CSV, with quoted cells that have no line ends.
func TestCutCSV(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "export")
	o := opener(t, dir, small)
	cell := rapid.SampledFrom([]string{"", id4, "x y", `"a,b"`, `"say ""x"""`, `5" 6"`, "é", strings.Repeat("z", 60), `"` + id4 + "|" + id4 + `"`})
	line := rapid.OneOf(rapid.Just(""), rapid.Map(rapid.SliceOfN(cell, 1, 4), func(c []string) string { return strings.Join(c, ",") }))
	rapid.Check(t, func(r *rapid.T) {
		data := rapid.SampledFrom([]string{"", "sep=,\n", "sep=,\r\n\n"}).Draw(r, "sep") + rapid.SampledFrom([]string{"", "n,idfa\n", "n,idfa,x\n"}).Draw(r, "header") + drawText(line).Draw(r, "data") + "\n"
		src := &usher.Source{URL: path, Format: "csv", Delimiter: ",", Quote: "double", Escape: "double", Column: "2"}
		must(t, os.WriteFile(path, []byte(data), 0o600))
		plan, err := o.Plan(t.Context(), src, exports.Wanted{}, 1<<20)
		if class(err) == usher.SourceBroken {
			return // fewer than two columns
		}
		if err != nil {
			r.Fatal(err)
		}
		want, refused := readPart(t, o, src, plan, usher.Part{To: -1}) // some texts look like two exports
		rows, plan, err := read(t, o, src, rapid.Int64Range(1, 200).Draw(r, "part"))
		if class(err) != class(refused) {
			r.Fatalf("the parts: %v, the whole: %v", err, refused)
		}
		if err != nil {
			return
		}
		if !slices.Equal(rows, want) {
			r.Fatalf("rows %q\nwant %q\nparts %v, header %q", rows, want, plan.Parts, plan.Header)
		}
	})
}

// TestCutNDJSON checks the same for NDJSON, for each size of parts.
func TestCutNDJSON(t *testing.T) {
	t.Parallel()
	var data strings.Builder
	var want []string
	for i := range 40 {
		fmt.Fprintf(&data, "{\"n\":%d,\"idfa\":\"x%d\"}\n", i, i)
		want = append(want, fmt.Sprintf("x%d", i))
	}
	o, src := export(t, data.String(), small)
	src.Column = "idfa"
	for size := int64(1); size < 60; size++ {
		rows, _, err := read(t, o, src, size)
		if err != nil || !slices.Equal(rows, want) {
			t.Fatalf("parts of %d bytes: %q, %v", size, rows, err)
		}
	}
}

func TestPartCounts(t *testing.T) {
	t.Parallel()
	no, yes := false, true
	list := strings.Repeat(id1+"\n", 100) // 3,700 bytes
	for _, c := range []struct {
		name  string
		data  string
		src   usher.Source
		o     exports.Options
		bytes int64
		want  int
	}{
		{"default", list, usher.Source{}, exports.Options{}, 0, 1},
		{"option", list, usher.Source{}, exports.Options{PartBytes: 1000}, 0, 4},
		{"asked", list, usher.Source{}, exports.Options{PartBytes: 10}, 1000, 4},
		{"an even number", list, usher.Source{Cut: &yes}, exports.Options{}, 370, 10},
		{"never over the most", list, usher.Source{}, exports.Options{MaxParts: 7}, 1, 7},
		{"cut: false", list, usher.Source{Cut: &no}, exports.Options{}, 1, 1},
		{"empty", "", usher.Source{}, exports.Options{}, 1, 1},
		{"gzip", gzipped(t, list), usher.Source{}, exports.Options{}, 1, 1},
		{"zstd", zstdPacked(t, list), usher.Source{}, exports.Options{}, 1, 1},
		{"UTF-16", utf16le("\ufeff" + list), usher.Source{}, exports.Options{}, 1, 1},
		{"the header stays in the first", "\ufeff\n\n\nidfa\n" + id1 + "\n", usher.Source{}, exports.Options{}, 3, 15},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o, src := export(t, c.data, c.o)
			c.src.URL = src.URL
			rows, plan, err := read(t, o, &c.src, c.bytes)
			if err != nil {
				t.Fatal(err)
			}
			if len(plan.Parts) != c.want {
				t.Errorf("%d parts, want %d: %v", len(plan.Parts), c.want, plan.Parts)
			}
			if n := strings.Count(list, "\n"); strings.HasPrefix(c.data, list) && len(rows) != n {
				t.Errorf("%d rows, want %d", len(rows), n)
			}
			if plan.Header != "" && len(rows) != 1 {
				t.Errorf("rows %q", rows)
			}
		})
	}
}

// TestCutMeetsOpenQuote cuts a CSV export with a line end in quotes, which is refused
// unless the line end stands so early that the plan sees it.
func TestCutMeetsOpenQuote(t *testing.T) {
	t.Parallel()
	early := "n,idfa\n\"a\nb\"," + id2 + "\n" + strings.Repeat("1,"+id1+"\n", 50)
	o, src := export(t, early, exports.Options{})
	if rows, plan, err := read(t, o, src, 500); err != nil || len(rows) != 51 || len(plan.Parts) != 1 {
		t.Errorf("%d rows in %d parts, %v", len(rows), len(plan.Parts), err)
	}
	data := "n,idfa\n" + strings.Repeat("1,"+id1+"\n", 2000) + "\"a\nb\"," + id2 + "\n"
	o, src = export(t, data, exports.Options{})
	_, _, err := read(t, o, src, 500)
	if p := permanent(t, err); p.Class != usher.SourceBroken || !strings.Contains(p.Hint, "source.cut: false") {
		t.Errorf("%v (%s)", err, p.Hint)
	}
	no := false
	src.Cut = &no
	rows, _, err := read(t, o, src, 500)
	if err != nil || len(rows) != 2001 || rows[2000] != id2 {
		t.Errorf("uncut: %d rows, %v", len(rows), err)
	}
}

// TestCutLongLine checks that only the last part reads a line over many parts to its
// end. Otherwise the time to read all parts would be quadratic.
func TestCutLongLine(t *testing.T) {
	t.Parallel()
	const part = 100 << 10
	o, src := export(t, id1+"\n"+strings.Repeat("x", 8*part)+"\x00", exports.Options{})
	plan, err := o.Plan(t.Context(), src, exports.Wanted{}, part)
	must(t, err)
	for i, p := range plan.Parts[:7] {
		rows, err := readPart(t, o, src, plan, p)
		if want := max(0, 2-2*i); err != nil || len(rows) != want {
			t.Errorf("part %d: %d rows, want %d, %v", i, len(rows), want, err)
		}
	}
	if _, err := readPart(t, o, src, plan, plan.Parts[8]); class(err) != usher.SourceBroken {
		t.Errorf("the part with the NUL: %v", err)
	}
}

// TestSparse checks that a terabyte of holes is refused at the first hole.
func TestSparse(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]string{"holes only": "", "holes behind rows": strings.Repeat(id1+"\n", 4000)} {
		o, src := export(t, begin, exports.Options{})
		if err := os.Truncate(src.URL, 1<<40); err != nil {
			t.Skipf("this file system has no sparse files of a terabyte: %v", err)
		}
		plan, err := o.Plan(t.Context(), src, exports.Wanted{}, 0)
		if begin == "" {
			if class(err) != usher.SourceBroken {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		must(t, err)
		for _, p := range []usher.Part{plan.Parts[0], plan.Parts[1], plan.Parts[len(plan.Parts)-1]} {
			if _, err := readPart(t, o, src, plan, p); class(err) != usher.SourceBroken {
				t.Errorf("%s: part %v: %v", name, p, err)
			}
		}
	}
}
