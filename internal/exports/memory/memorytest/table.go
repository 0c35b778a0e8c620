package memorytest

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/md5" //nolint:gosec // exports have such digests
	"encoding/binary"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/twmb/avro"
	"github.com/twmb/avro/ocf"
)

// table is what a CRM system exports.
type table struct {
	header []string // nil: the export has no header
	rows   [][]string
}

// uuid returns the id of a customer, as AAIDs are written.
func uuid(i int) string {
	r := rand.New(rand.NewPCG(uint64(i), 7)) //nolint:gosec // the same one each time
	var b [16]byte
	binary.BigEndian.PutUint64(b[:], r.Uint64())
	binary.BigEndian.PutUint64(b[8:], r.Uint64())
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func md5Of(text string) string {
	sum := md5.Sum([]byte(text)) //nolint:gosec // as above
	return hex.EncodeToString(sum[:])
}

// customers returns a table of n customers with the columns n, NAME and country. Every fiftieth
// has no id, as phones do that limit tracking.
func customers(name string, n int) table {
	t := table{header: []string{"n", name, "country"}}
	for i := range n {
		id := uuid(i)
		if i%50 == 49 {
			id = "00000000-0000-0000-0000-000000000000"
		}
		t.rows = append(t.rows, []string{strconv.Itoa(i + 1), id, []string{"DE", "FR", "AT"}[i%3]})
	}
	return t
}

func (t table) clone() table {
	c := table{header: slices.Clone(t.header)}
	for _, row := range t.rows {
		c.rows = append(c.rows, slices.Clone(row))
	}
	return c
}

// with returns the table with a further column at an index.
func (t table) with(at int, name string, value func(i int) string) table {
	c := t.clone()
	if c.header != nil {
		c.header = slices.Insert(c.header, at, name)
	}
	for i := range c.rows {
		c.rows[i] = slices.Insert(c.rows[i], at, value(i))
	}
	return c
}

// without returns the table without a column.
func (t table) without(at int) table {
	c := t.clone()
	if c.header != nil {
		c.header = slices.Delete(c.header, at, at+1)
	}
	for i := range c.rows {
		c.rows[i] = slices.Delete(c.rows[i], at, at+1)
	}
	return c
}

// renamed returns the table with another name of the column of ids.
func (t table) renamed(name string) table {
	c := t.clone()
	c.header[1] = name
	return c
}

// headerless returns the table without its header.
func (t table) headerless() table {
	c := t.clone()
	c.header = nil
	return c
}

// every returns the table with another value in a column of every nth row.
func (t table) every(n, at int, change func(value string) string) table {
	c := t.clone()
	for i := range c.rows {
		if i%n == 0 {
			c.rows[i][at] = change(c.rows[i][at])
		}
	}
	return c
}

// moved returns the table with its columns in another order.
func (t table) moved(order ...int) table {
	pick := func(row []string) []string {
		var out []string
		for _, at := range order {
			out = append(out, row[at])
		}
		return out
	}
	var c table
	if t.header != nil {
		c.header = pick(t.header)
	}
	for _, row := range t.rows {
		c.rows = append(c.rows, pick(row))
	}
	return c
}

// csv returns the table as CSV.
func (t table) csv(delimiter rune) []byte {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	w.Comma = delimiter
	if t.header != nil {
		_ = w.Write(t.header)
	}
	_ = w.WriteAll(t.rows)
	return out.Bytes()
}

// objects returns the rows as objects. A name with dots is a path.
func (t table) objects() []map[string]any {
	var all []map[string]any
	for _, row := range t.rows {
		object := map[string]any{}
		for i, name := range t.header {
			inner, path := object, strings.Split(name, ".")
			for _, key := range path[:len(path)-1] {
				if inner[key] == nil {
					inner[key] = map[string]any{}
				}
				inner, _ = inner[key].(map[string]any)
			}
			inner[path[len(path)-1]] = row[i]
		}
		all = append(all, object)
	}
	return all
}

func (t table) ndjson(tb testing.TB) []byte {
	tb.Helper()
	var out bytes.Buffer
	for _, object := range t.objects() {
		text, err := json.Marshal(object)
		must(tb, err)
		out.Write(append(text, '\n'))
	}
	return out.Bytes()
}

func (t table) json(tb testing.TB) []byte {
	tb.Helper()
	text, err := json.Marshal(t.objects())
	must(tb, err)
	return text
}

// structOf returns a struct with a field of text for each column; a path is a struct in it.
func structOf(names []string) reflect.Type {
	var fields []reflect.StructField
	for i, name := range names {
		first, rest, nested := strings.Cut(name, ".")
		field := reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: reflect.TypeFor[string](), Tag: reflect.StructTag(`parquet:"` + first + `"`)}
		if nested {
			field.Type = structOf([]string{rest})
		}
		fields = append(fields, field)
	}
	return reflect.StructOf(fields)
}

func (t table) parquet(tb testing.TB) []byte {
	tb.Helper()
	var out bytes.Buffer
	kind := structOf(t.header)
	w := parquet.NewWriter(&out, parquet.SchemaOf(reflect.New(kind).Interface()))
	for _, row := range t.rows {
		value := reflect.New(kind)
		for i, cell := range row {
			field := value.Elem().Field(i)
			for field.Kind() == reflect.Struct {
				field = field.Field(0)
			}
			field.SetString(cell)
		}
		must(tb, w.Write(value.Interface()))
	}
	must(tb, w.Close())
	return out.Bytes()
}

func (t table) avro(tb testing.TB) []byte {
	tb.Helper()
	records := 0
	var fields func(names []string) string
	fields = func(names []string) string {
		var list []string
		for _, name := range names {
			first, rest, nested := strings.Cut(name, ".")
			kind := `"string"`
			if nested {
				kind = fields([]string{rest})
			}
			list = append(list, fmt.Sprintf(`{"name":%q,"type":%s}`, first, kind))
		}
		records++
		return fmt.Sprintf(`{"type":"record","name":"r%d","fields":[%s]}`, records, strings.Join(list, ","))
	}
	schema, err := avro.Parse(fields(t.header))
	must(tb, err)
	var out bytes.Buffer
	w, err := ocf.NewWriter(&out, schema, ocf.WithSyncMarker([16]byte{1}))
	must(tb, err)
	for _, object := range t.objects() {
		must(tb, w.Encode(object))
	}
	must(tb, w.Close())
	return out.Bytes()
}

// sheet is a sheet of a workbook.
type sheet struct {
	name  string
	table table
}

// workbook returns an .xlsx workbook.
func workbook(tb testing.TB, sheets ...sheet) []byte {
	tb.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	add := func(name, text string) {
		w, err := z.Create(name)
		must(tb, err)
		_, err = w.Write([]byte(text))
		must(tb, err)
	}
	var list, relations strings.Builder
	for i, s := range sheets {
		fmt.Fprintf(&list, `<sheet name="%s" r:id="rId%d"/>`, s.name, i+1)
		fmt.Fprintf(&relations, `<Relationship Id="rId%d" Type="x/worksheet" Target="worksheets/sheet%d.xml"/>`, i+1, i+1)
		var text strings.Builder
		text.WriteString("<worksheet><sheetData>")
		all := s.table.rows
		if s.table.header != nil {
			all = append([][]string{s.table.header}, all...)
		}
		for n, row := range all {
			text.WriteString("<row>")
			for at, cell := range row {
				if cell != "" {
					fmt.Fprintf(&text, `<c r="%c%d" t="inlineStr"><is><t>%s</t></is></c>`, 'A'+at, n+1, cell)
				}
			}
			text.WriteString("</row>")
		}
		add(fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1), text.String()+"</sheetData></worksheet>")
	}
	add("[Content_Types].xml", "<x/>")
	add("xl/workbook.xml", `<workbook xmlns:r="x"><sheets>`+list.String()+`</sheets></workbook>`)
	add("xl/_rels/workbook.xml.rels", `<Relationships>`+relations.String()+`</Relationships>`)
	must(tb, z.Close())
	return out.Bytes()
}

// formats are the formats that a table with a header can be written in.
var formats = []string{"csv", "semicolons", "ndjson", "json", "parquet", "avro", "xlsx"}

// as returns the table in a format.
func (t table) as(tb testing.TB, format string) []byte {
	tb.Helper()
	switch format {
	case "csv":
		return t.csv(',')
	case "semicolons":
		return t.csv(';')
	case "ndjson":
		return t.ndjson(tb)
	case "json":
		return t.json(tb)
	case "parquet":
		return t.parquet(tb)
	case "avro":
		return t.avro(tb)
	}
	return workbook(tb, sheet{"Customers", t})
}

func gzipped(tb testing.TB, data []byte) []byte {
	tb.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write(data)
	must(tb, err)
	must(tb, w.Close())
	return out.Bytes()
}

func zstandard(tb testing.TB, data []byte) []byte {
	tb.Helper()
	w, err := zstd.NewWriter(nil)
	must(tb, err)
	return w.EncodeAll(data, nil)
}

// crlf returns a text with the line ends of Windows.
func crlf(data []byte) []byte { return bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n")) }

// utf16le returns a text as spreadsheets write Unicode.
func utf16le(data []byte) []byte {
	out := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(string(data))) {
		out = binary.LittleEndian.AppendUint16(out, unit)
	}
	return out
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
