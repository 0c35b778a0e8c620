package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const output = `goos: linux
cpu: Some CPU
BenchmarkUpload/cores=1-2         	       3	      1057 naive-ns/id	        10.15 usher-CPU×naive	       194.1 usher-ns/id	         5.446 usher-×naive
BenchmarkCSVColumn/plain/usher-2   	 100	 12.5 ns/row
BenchmarkCSVColumn/plain/standard-2   	 100	 250 ns/row
BenchmarkAllocations-2  5  0 allocs/id
some log line
PASS
ok  	usher/cmd/usher	92.243s
`

// TestTable checks that the line of a measured figure has its goals and the verdict, and that
// other lines say that they were not measured.
func TestTable(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "BENCHMARKS.md")
	var shown strings.Builder
	if err := run(strings.NewReader(output), &shown, path, time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"on 2026-11-21, on Some CPU,",
		"| file → POST → sandbox against the naive program, sender on 1 core | 5.4× | 6× | 9× | no |",
		"| CSV column to joined hex against encoding/csv and crypto/md5 | 20× | 10× | 20× | stretch |",
		"| allocations per id | 0 | 0.010 |  | yes |",
		"| jobs per second with almost no work, every write of NATS fsynced, 2 slots | not measured | 500 | 1000 |  |",
		"BenchmarkUpload/cores=1-2 3 1057 naive-ns/id",
	} {
		if !strings.Contains(string(data), want) {
			t.Errorf("the file lacks %q:\n%s", want, data)
		}
	}
	if strings.Contains(string(data), "log line") || strings.Count(shown.String(), "\n") != len(goals())+1 {
		t.Errorf("shown:\n%s", shown.String())
	}
}

// TestFailure checks that a failed benchmark is an error, even if others have figures.
func TestFailure(t *testing.T) {
	t.Parallel()
	if err := run(strings.NewReader(output+"--- FAIL: BenchmarkHash\n"), &strings.Builder{}, "", time.Now()); err == nil {
		t.Error("no error for a benchmark that failed")
	}
}
