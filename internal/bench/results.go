package main

import (
	"bufio"
	"io"
	"strconv"
	"strings"
)

// results is what the benchmarks measured.
type results struct {
	cpu    string                        // as go test names it
	values map[string]map[string]float64 // by benchmark, without its number of cores, and unit
	raw    []string                      // the lines as they came
	failed bool
}

// read reads the output of go test -bench, of any number of packages.
func read(in io.Reader) (*results, error) {
	r := &results{values: map[string]map[string]float64{}}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		line := lines.Text()
		if cpu, found := strings.CutPrefix(line, "cpu: "); found {
			r.cpu = cpu
		}
		if strings.HasPrefix(line, "FAIL") || strings.HasPrefix(line, "--- FAIL") || strings.HasPrefix(line, "panic:") {
			r.failed = true
		}
		r.take(line)
	}
	return r, lines.Err()
}

// take keeps a line such as
//
//	BenchmarkUpload/cores=1-2   5   221.3 naive-ns/id   31.5 usher-ns/id
func (r *results) take(line string) {
	fields := strings.Fields(line)
	if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
		return
	}
	name := strings.TrimPrefix(fields[0], "Benchmark")
	if i := strings.LastIndexByte(name, '-'); i > 0 {
		if _, err := strconv.Atoi(name[i+1:]); err == nil {
			name = name[:i]
		}
	}
	values := map[string]float64{}
	for i := 2; i+1 < len(fields); i += 2 {
		value, err := strconv.ParseFloat(fields[i], 64)
		if err != nil {
			return
		}
		values[fields[i+1]] = value
	}
	r.values[name] = values
	r.raw = append(r.raw, strings.Join(fields, " "))
}
