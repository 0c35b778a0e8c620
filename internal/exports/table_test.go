package exports_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"math/big"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/parquet-go/parquet-go"
	"github.com/twmb/avro"
	"github.com/twmb/avro/ocf"

	"usher"
	"usher/internal/exports"
)

// A table reads the same from each format.
func TestTable(t *testing.T) {
	t.Parallel()
	const text = "date,campaign,revenue\n2026-03-01,A-1,12.5\n2026-03-02,A-2,-3\n"
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write([]byte(text))
	_ = z.Close()
	var archive bytes.Buffer
	a := zip.NewWriter(&archive)
	for i, rows := range []string{"2026-03-01,A-1,12.5\n", "2026-03-02,A-2,-3\n"} {
		f, _ := a.Create([]string{"a.csv", "b.csv"}[i])
		_, _ = f.Write([]byte("date,campaign,revenue\n" + rows))
	}
	_ = a.Close()
	wide := []byte{0xFF, 0xFE}
	for _, unit := range utf16.Encode([]rune(text)) {
		wide = append(wide, byte(unit), byte(unit>>8))
	}
	type row struct {
		Date     string  `parquet:"date"`
		Campaign string  `parquet:"campaign"`
		Revenue  float64 `parquet:"revenue"`
	}
	var columns bytes.Buffer
	if err := parquet.Write(&columns, []row{{"2026-03-01", "A-1", 12.5}, {"2026-03-02", "A-2", -3}}); err != nil {
		t.Fatal(err)
	}
	type decimals struct {
		Date     string `parquet:"date"`
		Campaign string `parquet:"campaign"`
		Revenue  int32  `parquet:"revenue,decimal(2:9)"`
	}
	var small bytes.Buffer
	must(t, parquet.Write(&small, []decimals{{"2026-03-01", "A-1", 1250}, {"2026-03-02", "A-2", -300}}))
	type largeDecimals struct {
		Date     string  `parquet:"date"`
		Campaign string  `parquet:"campaign"`
		Revenue  [6]byte `parquet:"revenue,decimal(4:14)"`
	}
	var large bytes.Buffer
	must(t, parquet.Write(&large, []largeDecimals{{"2026-03-01", "A-1", [6]byte{3: 0x01, 4: 0xE8, 5: 0x48}}, {"2026-03-02", "A-2", [6]byte{255, 255, 255, 255, 0x8A, 0xD0}}}))
	schema, err := avro.Parse(`{"type":"record","name":"r","fields":[{"name":"date","type":"string"},{"name":"campaign","type":"string"},
		{"name":"revenue","type":{"type":"bytes","logicalType":"decimal","precision":9,"scale":2}}]}`)
	must(t, err)
	var records bytes.Buffer
	w, err := ocf.NewWriter(&records, schema)
	must(t, err)
	must(t, w.Encode(map[string]any{"date": "2026-03-01", "campaign": "A-1", "revenue": big.NewRat(1250, 100)}))
	must(t, w.Encode(map[string]any{"date": "2026-03-02", "campaign": "A-2", "revenue": big.NewRat(-3, 1)}))
	must(t, w.Close())
	for name, data := range map[string][]byte{
		"decimals of Parquet": small.Bytes(), "large decimals of Parquet": large.Bytes(), "decimals of Avro": records.Bytes(),
		"csv": []byte(text), "semicolons": []byte(strings.ReplaceAll(text, ",", ";")), "tabs": []byte(strings.ReplaceAll(text, ",", "\t")),
		"no last line end": []byte(strings.TrimSuffix(text, "\n")),
		"quotes":           []byte("\"date\",\"campaign\",\"revenue\"\r\n\"2026-03-01\",\"A-1\",\"12.5\"\r\n\"2026-03-02\",\"A-2\",-3\r\n"),
		"BOM":              []byte("\xEF\xBB\xBF" + text), "UTF-16": wide, "gzip": packed.Bytes(), "zip": archive.Bytes(), "parquet": columns.Bytes(),
		"ndjson": []byte(`{"date":"2026-03-01","campaign":"A-1","revenue":12.5}` + "\n" + `{"date":"2026-03-02","campaign":"A-2","revenue":-3}` + "\n"),
		"json":   []byte(`[{"date":"2026-03-01","campaign":"A-1","revenue":12.5},{"date":"2026-03-02","campaign":"A-2","revenue":-3}]`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			table, err := exports.New(nil, exports.Options{}).TableOf(t.Context(), "test", data, &usher.Source{}, "date", "campaign")
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, cells := range table.Rows {
				got = append(got, cells[table.Column("date")]+" "+cells[table.Column("Campaign")]+" "+cells[table.Column("revenue")])
			}
			if want := []string{"2026-03-01 A-1 12.5", "2026-03-02 A-2 -3"}; !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// What cannot be a table is refused, with what to do.
func TestTableRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, says string }{
		"a cell too many": {"date,campaign,installs\n2026-03-01,A-1,1,5\n2026-03-01,A-2,1\n2026-03-01,A-3,1\n", "row 1 has 4 cells"},
		"a cut row":       {"date,campaign,installs\n2026-03-01,A-1,1\n2026-03-01,A-", "it ends in the middle of row 2"},
		"a name twice":    {"date,campaign,installs,installs\n2026-03-01,A-1,1,5\n", "two of its columns"},
		"ids":             {"6D92078A-8246-4BA4-AE5B-76104861E7DC,A-1\n7D92078A-8246-4BA4-AE5B-76104861E7DC,A-1\n", "looks like a device id"},
		"a list":          {`[{"date":"2026-03-01","campaign":["A"]}]`, "something else in the field campaign"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := exports.New(nil, exports.Options{}).TableOf(t.Context(), "test", []byte(c.text), &usher.Source{}, "date", "campaign")
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want %q", err, c.says)
			}
		})
	}
}
