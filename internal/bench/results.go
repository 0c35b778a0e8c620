package main

import (
	"bufio"
	"io"
	"strconv"
	"strings"
)

// results has the output of benchmarks.
type results struct {
	cpu    string                        // as printed by go test
	values map[string]map[string]float64 // by benchmark (without the number of cores) and unit
	raw    []string                      // the lines of benchmarks
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
		r.parse(line)
	}
	return r, lines.Err()
}

// parse parses a line such as the following one, and ignores other lines:
//
//	BenchmarkUpload/cores=1-2   5   221.3 naive-ns/id   31.5 usher-ns/id
func (r *results) parse(line string) {
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
