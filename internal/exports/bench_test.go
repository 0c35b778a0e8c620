package exports_test

import (
	"crypto/md5"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"usher"
	"usher/hashing"
	"usher/internal/exports"
)

const benchRows = 200_000

// ids returns lines of random ids. One line in dirty is not a plain id, unless dirty
// is 0.
func ids(dirty int, line func(i int, id string) string) string {
	random := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for i := range benchRows {
		id := fmt.Sprintf("%08X-%04X-4%03X-8%03X-%012X", random.Uint32(), random.IntN(1<<16), random.IntN(1<<12), random.IntN(1<<12), random.Uint64N(1<<48))
		if dirty > 0 && random.IntN(dirty) == 0 {
			id = []string{"", "null", "{" + id + "}"}[random.IntN(3)]
		}
		b.WriteString(line(i, id))
		b.WriteByte('\n')
	}
	return b.String()
}

func plainLine(_ int, id string) string { return id }
func csvLine(i int, id string) string   { return fmt.Sprintf("C-%d,ios,%s,2026-11-21", i, id) }
func androidLine(i int, id string) string {
	return csvLine(i, strings.ToLower(id[:8]+id[28:]))
}
func quotedLine(i int, id string) string {
	return fmt.Sprintf(`"C-%d","ios","%s","2026-11-21"`, i, id)
}
func jsonLine(i int, id string) string { return fmt.Sprintf(`{"n":%d,"os":"ios","idfa":"%s"}`, i, id) }

func BenchmarkRead(b *testing.B) {
	for _, c := range []struct {
		name, data string
		wanted     usher.IDType // "": the column of systems is not looked at
	}{
		{"text", ids(0, plainLine), ""},
		{"text, 1 % dirty", ids(100, plainLine), ""},
		{"text, 10 % dirty", ids(10, plainLine), ""},
		{"text, CR LF", ids(0, func(_ int, id string) string { return id + "\r" }), ""},
		{"csv", ids(0, csvLine), ""},
		{"csv, systems checked", "n,os,idfa,date\n" + ids(0, csvLine), usher.IDFA},
		{"csv, android ids", ids(0, androidLine), ""},
		{"csv, quoted", ids(0, quotedLine), ""},
		{"ndjson", ids(0, jsonLine), ""},
		{"ndjson, systems checked", ids(0, jsonLine), usher.IDFA},
		{"parquet", benchParquet(b), ""},
		{"parquet, systems checked", benchParquet(b), usher.IDFA},
		{"text, gzip", gzipped(b, ids(0, plainLine)), ""},
		{"text, zstd", zstdPacked(b, ids(0, plainLine)), ""},
	} {
		b.Run(c.name, func(b *testing.B) {
			o, src := export(b, c.data, exports.Options{})
			plan, err := o.Plan(b.Context(), src, exports.Wanted{Type: c.wanted}, 1<<40)
			must(b, err)
			b.ReportAllocs()
			for b.Loop() {
				r, err := o.Open(b.Context(), src, plan, plan.Parts[0])
				must(b, err)
				for {
					block, err := r.Next(b.Context())
					if errors.Is(err, io.EOF) {
						break
					}
					must(b, err)
					block.Release()
				}
				must(b, r.Close())
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*benchRows), "ns/row")
		})
	}
}

// BenchmarkPlan plans the upload of an export, which samples its beginning and some windows. No pause
// of uploads interrupts it.
func BenchmarkPlan(b *testing.B) {
	for name, data := range map[string]string{
		"text":    ids(0, plainLine),
		"csv":     "n,os,idfa,date\n" + ids(0, csvLine),
		"ndjson":  ids(0, jsonLine),
		"parquet": benchParquet(b),
	} {
		b.Run(name, func(b *testing.B) {
			o, src := export(b, data, exports.Options{})
			for b.Loop() {
				_, err := o.Plan(b.Context(), src, exports.Wanted{Type: usher.IDFA}, 1<<40)
				must(b, err)
			}
		})
	}
}

// BenchmarkCSVColumn turns a column of CSV into joined digests, with usher and with the
// standard library.
func BenchmarkCSVColumn(b *testing.B) {
	for name, line := range map[string]func(int, string) string{"plain": csvLine, "quoted": quotedLine} {
		o, src := export(b, ids(0, line), exports.Options{})
		plan, err := o.Plan(b.Context(), src, exports.Wanted{}, 1<<40)
		must(b, err)
		b.Run(name+"/usher", func(b *testing.B) { benchColumn(b, o, src, plan) })
		b.Run(name+"/standard", func(b *testing.B) {
			joined := make([]byte, 0, 33*benchRows)
			for b.Loop() {
				joined = standardColumn(b, src.URL, joined[:0])
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*benchRows), "ns/row")
		})
	}
}

// benchColumn reads an export and joins the digests of its rows.
func benchColumn(b *testing.B, o *exports.Opener, src *usher.Source, plan usher.Plan) {
	b.Helper()
	h, err := hashing.New(usher.Profile{Type: usher.IDFA}, usher.InputRaw)
	must(b, err)
	out, joined := hashing.NewOut(2048, 512), make([]byte, 0, 33*benchRows)
	b.ReportAllocs()
	for b.Loop() {
		joined = joined[:0]
		r, err := o.Open(b.Context(), src, plan, plan.Parts[0])
		must(b, err)
		for {
			block, err := r.Next(b.Context())
			if errors.Is(err, io.EOF) {
				break
			}
			must(b, err)
			for in := block.Data; len(in) > 0; {
				in = in[h.Lines(out, in, block.Records, true):]
				joined = append(hashing.Join(joined, out.Digests), ',')
			}
			block.Release()
		}
		must(b, r.Close())
	}
	if len(joined) != 33*benchRows {
		b.Fatalf("%d bytes of digests", len(joined))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*benchRows), "ns/row")
}

// standardColumn does the same with encoding/csv, crypto/md5 and encoding/hex.
func standardColumn(b *testing.B, file string, joined []byte) []byte {
	b.Helper()
	f, err := os.Open(file)
	must(b, err)
	r := csv.NewReader(f)
	r.ReuseRecord = true
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		must(b, err)
		sum := md5.Sum([]byte(strings.ToUpper(strings.TrimSpace(record[2]))))
		joined = append(hex.AppendEncode(joined, sum[:]), ',')
	}
	must(b, f.Close())
	return joined
}

// benchParquet returns a Parquet export as a warehouse writes it.
func benchParquet(b *testing.B) string {
	b.Helper()
	type row struct {
		N    int64  `parquet:"n"`
		OS   string `parquet:"os,dict"`
		IDFA string `parquet:"idfa"`
	}
	rows := make([]row, 0, benchRows)
	for i, id := range strings.Fields(ids(0, plainLine)) {
		rows = append(rows, row{int64(i), "ios", id})
	}
	return parquetOf(b, rows, benchRows/2, parquet.PageBufferSize(1<<20), parquet.Compression(&parquet.Snappy))
}
