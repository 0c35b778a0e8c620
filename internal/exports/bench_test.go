package exports_test

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"usher/internal/exports"
)

const benchRows = 200_000

// ids is a list of random ids, one in dirty of them a short or blank line; 0 for
// none.
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
func quotedLine(i int, id string) string {
	return fmt.Sprintf(`"C-%d","ios","%s","2026-11-21"`, i, id)
}
func jsonLine(i int, id string) string { return fmt.Sprintf(`{"n":%d,"os":"ios","idfa":"%s"}`, i, id) }

func BenchmarkRead(b *testing.B) {
	for _, c := range []struct{ name, data string }{
		{"text", ids(0, plainLine)},
		{"text, 1 % dirty", ids(100, plainLine)},
		{"text, 10 % dirty", ids(10, plainLine)},
		{"csv", ids(0, csvLine)},
		{"csv, quoted", ids(0, quotedLine)},
		{"ndjson", ids(0, jsonLine)},
		{"text, gzip", gzipped(b, ids(0, plainLine))},
		{"text, zstd", zstdPacked(b, ids(0, plainLine))},
	} {
		b.Run(c.name, func(b *testing.B) {
			o, src := export(b, c.data, exports.Options{})
			plan, err := o.Plan(b.Context(), src, 1<<40)
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

// BenchmarkStandardCSV is what encoding/csv takes for BenchmarkRead/csv.
func BenchmarkStandardCSV(b *testing.B) {
	_, src := export(b, ids(0, csvLine), exports.Options{})
	for b.Loop() {
		f, err := os.Open(src.URL)
		must(b, err)
		r := csv.NewReader(f)
		r.ReuseRecord = true
		for {
			if _, err := r.Read(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
		must(b, f.Close())
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*benchRows), "ns/row")
}
