package xlsx_test

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"usher/internal/exports/xlsx"
)

const (
	workbookXML = `<workbook xmlns:r="x"><sheets><sheet name="One" sheetId="1" r:id="rId1"/><sheet name="Two" sheetId="2" r:id="rId2"/></sheets></workbook>`
	relsXML     = `<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="worksheets/sheet1.xml"/>` +
		`<Relationship Id="rId2" Type="x/worksheet" Target="/xl/worksheets/sheet2.xml"/><Relationship Id="rId3" Type="x/sharedStrings" Target="sharedStrings.xml"/></Relationships>`
)

// workbook opens a workbook of a first sheet and of shared strings.
func workbook(sheet, shared func() io.Reader) (*xlsx.Book, error) {
	return xlsx.Open(func(name string) (io.ReadCloser, error) {
		var in io.Reader
		switch name {
		case "xl/workbook.xml":
			in = strings.NewReader(workbookXML)
		case "xl/_rels/workbook.xml.rels":
			in = strings.NewReader(relsXML)
		case "xl/worksheets/sheet1.xml":
			in = sheet()
		case "xl/sharedStrings.xml":
			in = shared()
		default:
			return nil, nil
		}
		return io.NopCloser(in), nil
	})
}

// read reads columns of the first sheet.
func read(sheet, shared string, wanted []int, rows int) (string, error) {
	book, err := workbook(func() io.Reader { return strings.NewReader(sheet) }, func() io.Reader { return strings.NewReader(shared) })
	if err != nil {
		return "", err
	}
	text, err := book.Text(0, xlsx.Cells{Wanted: wanted, Rows: rows})
	if err != nil {
		return "", err
	}
	defer text.Close()
	out, err := io.ReadAll(text)
	return string(out), err
}

func TestText(t *testing.T) {
	t.Parallel()
	const shared = `<sst><si><t>a</t></si><si><r><t xml:space="preserve">b, </t></r><r><t>"c"</t></r><rPh><t>x</t></rPh></si><si><t>d_x000D_</t></si><si/></sst>`
	for _, c := range []struct {
		name, sheet string
		wanted      []int
		want        string
	}{
		{"shared strings in order", `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>`, nil, "a,\"b, \"\"c\"\"\"\n"},
		{"shared strings out of order", `<row><c t="s"><v>2</v></c><c t="s"><v>1</v></c></row><row><c t="s"><v>0</v></c><c t="s"><v>2</v></c></row>`, nil, "\"d\r\",\"b, \"\"c\"\"\"\na,\"d\r\"\n"},
		{"an empty shared string", `<row><c t="s"><v>3</v></c><c><v>1</v></c></row>`, nil, ",1\n"},
		{"gaps", `<row r="2"><c r="C2"><v>1</v></c></row><row r="4" hidden="1"><c r="A4" t="b"><v>1</v></c></row>`, nil, "\n,,1\n\nTRUE,\n"},
		{"inline and formula strings", `<row><c t="inlineStr"><is><t>x</t></is></c><c t="str"><f>A1</f><v>y</v></c><c t="e"><v>#N/A</v></c></row>`, nil, "x,y,#N/A\n"},
		{"words for booleans", `<row><c t="b"><v>true</v></c><c t="b"><v> False </v></c><c t="b"><v>0</v></c><c t="b"><v>-1</v></c></row>`, nil, "TRUE,FALSE,FALSE,-1\n"},
		{"wanted columns", `<row><c><v>1</v></c><c><v>2</v></c><c><v>3</v></c></row><row><c><v>1</v></c></row><row><c/></row>`, []int{1}, ",2\n,\n\n"},
		{"no row", ``, nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := read("<worksheet><sheetData>"+c.sheet+"</sheetData></worksheet>", shared, c.wanted, -1)
			if err != nil || got != c.want {
				t.Errorf("%q, %v\nwant %q", got, err, c.want)
			}
		})
	}
}

func TestDamaged(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, sheet, shared string
		want                error
	}{
		{"the sheet is cut", `<worksheet><sheetData><row><c><v>1</v>`, "", xlsx.ErrDamaged},
		{"the strings are cut", `<worksheet><row><c t="s"><v>1</v></c></row></worksheet>`, "<sst><si><t>a</t></si><si><t>b", xlsx.ErrDamaged},
		{"a string is missing", `<worksheet><row><c t="s"><v>1</v></c></row></worksheet>`, "<sst><si><t>a</t></si></sst>", xlsx.ErrDamaged},
		{"a string of no number", `<worksheet><row><c t="s"><v>-1</v></c></row></worksheet>`, "<sst/>", xlsx.ErrDamaged},
		{"a string far away", `<worksheet><row><c t="s"><v>99999999999</v></c></row></worksheet>`, "<sst/>", xlsx.ErrLimit},
		{"rows out of order", `<worksheet><row r="2"/><row r="1"/></worksheet>`, "", xlsx.ErrDamaged},
		{"a row far away", `<worksheet><row r="99999999"/></worksheet>`, "", xlsx.ErrDamaged},
		{"a column far away", `<worksheet><row><c r="ZZZZZZ1"><v>1</v></c></row></worksheet>`, "", xlsx.ErrLimit},
		{"no XML", `PK`, "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if out, err := read(c.sheet, c.shared, nil, -1); !errors.Is(err, c.want) {
				t.Errorf("%q, %v, want %v", out, err, c.want)
			}
		})
	}
}

// endless repeats a text.
type endless struct {
	text string
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.text[e.at:])
	e.at = (e.at + n) % len(e.text)
	return n, nil
}

// TestForged reads tags and texts without an end in little memory.
func TestForged(t *testing.T) {
	for name, begin := range map[string]string{
		"a text": "<worksheet><row><c><v>", "a tag": "<worksheet><row ", "a comment": "<!--", "an attribute": `<row r="`,
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		book, err := workbook(func() io.Reader { return io.MultiReader(strings.NewReader(begin), &endless{text: "xx "}) }, func() io.Reader { return strings.NewReader("") })
		if err == nil {
			_, err = book.Text(0, xlsx.Cells{Rows: -1})
		}
		runtime.ReadMemStats(&after)
		if !errors.Is(err, xlsx.ErrLimit) && !errors.Is(err, xlsx.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
		if made := after.TotalAlloc - before.TotalAlloc; made > 16<<20 {
			t.Errorf("%s: %d MiB of memory", name, made>>20)
		}
	}
}

// rowsOf writes n rows with shared strings, whose order it is given.
func rowsOf(n int, index func(int) int) io.Reader {
	r, w := io.Pipe()
	go func() {
		for i := range n {
			if _, err := fmt.Fprintf(w, `<row r="%d"><c r="A%[1]d" t="s"><v>%d</v></c></row>`, i+1, index(i)); err != nil {
				return
			}
		}
		_ = w.Close()
	}()
	return r
}

func stringsOf(n int) io.Reader {
	r, w := io.Pipe()
	go func() {
		for i := range n {
			if _, err := fmt.Fprintf(w, `<si><t>6D92078A-8246-4BA4-AE5B-%012d</t></si>`, i); err != nil {
				return
			}
		}
		_ = w.Close()
	}()
	return r
}

// TestLarge reads many rows of shared strings: in their order without keeping any, and
// otherwise up to the limit.
func TestLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	if testing.Short() {
		t.Skip("reads 450,000 rows")
	}
	const few, many = 100_000, 250_000
	for _, c := range []struct {
		name  string
		n     int
		index func(int) int
		rows  int
		want  error
		most  uint64 // MiB of live memory
	}{
		{"in order", few, func(i int) int { return i }, few, io.EOF, 4},
		{"the last part repeats the first", few, func(i int) int { return i % (few / 4) }, few, io.EOF, 6},
		{"backwards", many, func(i int) int { return many - 1 - i }, 0, xlsx.ErrStrings, 20},
	} {
		book, err := workbook(func() io.Reader { return rowsOf(c.n, c.index) }, func() io.Reader { return stringsOf(c.n) })
		if err != nil {
			t.Fatal(err)
		}
		text, err := book.Text(0, xlsx.Cells{Wanted: []int{0}, Rows: -1})
		if err != nil {
			t.Fatal(err)
		}
		rows, next, peak := 0, 0, uint64(0)
		buf := make([]byte, 64<<10)
		for err == nil {
			var k int
			k, err = text.Read(buf)
			rows += strings.Count(string(buf[:k]), "\n")
			if rows >= next || err != nil {
				next += c.n / 4
				runtime.GC()
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				peak = max(peak, m.HeapAlloc)
			}
		}
		text.Close()
		if rows != c.rows || !errors.Is(err, c.want) {
			t.Errorf("%s: %d rows, %v", c.name, rows, err)
		}
		if peak > c.most<<20 {
			t.Errorf("%s: %d KiB of live memory", c.name, peak>>10)
		}
		t.Logf("%s: %d KiB of live memory", c.name, peak>>10)
	}
}

// FuzzText reads arbitrary XML: it never panics, and each value is in the XML.
func FuzzText(f *testing.F) {
	f.Add(`<worksheet><row r="1"><c r="A1" t="s"><v>1</v></c><c t="s"><v>0</v></c></row></worksheet>`, `<sst><si><t>a</t></si><si><r><t>b</t></r></si></sst>`)
	f.Add(`<row><c t="inlineStr"><is><t>x_x000D_</t></is></c></row>`, "")
	f.Add(`<row r="5"><c r="ZZ5"><v>&lt;</v></c></row>`, "<")
	f.Fuzz(func(t *testing.T, sheet, shared string) {
		all, err := read(sheet, shared, nil, 5000)
		first, firstErr := read(sheet, shared, []int{0}, 5000)
		if err != nil || firstErr != nil {
			return
		}
		if strings.Count(all, "\n") < 1 && strings.Contains(all, ",") || len(first) > len(all)+2*strings.Count(all, "\n")+2 {
			t.Errorf("%s\nof %s", strconv.Quote(first), strconv.Quote(all))
		}
	})
}

// TestMarks reads marks of texts that are not kept.
func TestMarks(t *testing.T) {
	t.Parallel()
	const shared = `<sst><si><t>x</t></si><si><t>b</t></si><si><t>c</t></si><si><t>x</t></si><si><t>b</t></si></sst>`
	const sheet = `<worksheet><sheetData><row><c t="s"><v>4</v></c>` + `<c t="s"><v>4</v></c><c t="s"><v>3</v></c></row><row/>` +
		`<row r="7"><c r="B7" t="s"><v>2</v></c><c t="s"><v>1</v></c><c t="inlineStr"><is><t>b</t></is></c><c t="s"><v>0</v></c></row>` +
		`<row><c r="B8" t="s"><v>%d</v></c></row></sheetData></worksheet>`
	for last, want := range map[int]string{0: "", 8: xlsx.ErrDamaged.Error(), 1 << 25: xlsx.ErrDamaged.Error()} {
		book, err := workbook(func() io.Reader { return strings.NewReader(fmt.Sprintf(sheet, last)) }, func() io.Reader { return strings.NewReader(shared) })
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		text, err := book.Text(0, xlsx.Cells{
			Rows: -1, Wanted: []int{0},
			Mark: func(text string) xlsx.Mark { return map[string]xlsx.Mark{"b": 3, "c": 1}[text] },
			Row: func(row *xlsx.Row) error {
				marked, err := row.Marks()
				got += fmt.Sprintln(row.Number, row.First, marked)
				return err
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.ReadAll(text)
		text.Close()
		if fmt.Sprint(err) != "<nil>" && fmt.Sprint(err) != want || want == "" && (err != nil || got != "1 b [{1 3}]\n7  [{1 1} {2 3} {3 3}]\n8  []\n") {
			t.Errorf("a last string %d: %q, %v", last, got, err)
		}
		if want != "" && err == nil {
			t.Errorf("a last string %d is accepted", last)
		}
	}
}
