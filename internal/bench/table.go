package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// cells returns the columns of a line.
func (l *line) cells() [5]string {
	figure := "not measured"
	if l.measured {
		figure = number(l.figure) + l.suffix
	}
	var must, stretch string
	if l.must != 0 {
		must = number(l.must) + l.suffix
	}
	if l.stretch != 0 {
		stretch = number(l.stretch) + l.suffix
	}
	return [5]string{l.what, figure, must, stretch, l.verdict()}
}

// number formats x with the decimal places that are significant.
func number(x float64) string {
	places := 0
	switch {
	case x < 2 && x != float64(int(x)):
		places = 3
	case x < 20 && x != float64(int(x)):
		places = 1
	}
	return strconv.FormatFloat(x, 'f', places, 64)
}

// printTable writes the table for a terminal.
func printTable(w io.Writer, lines []line) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "what\tfigure\tmust\tstretch\treached")
	for i := range lines {
		c := lines[i].cells()
		fmt.Fprintln(t, strings.Join(c[:], "\t"))
	}
	return t.Flush()
}

// load describes how busy the machine was, or returns "" if that is unknown. On a busy machine
// ratios are still meaningful, but latencies and rates are not.
func load() string {
	data, err := os.ReadFile("/proc/loadavg")
	fields := strings.Fields(string(data))
	if err != nil || len(fields) < 3 {
		return ""
	}
	return ", with a load of " + fields[1] + " over the last five minutes (the benchmarks alone cause a load of 1 to 2; if it is higher, latencies and rates are not meaningful)"
}

// markdown returns the contents of the Markdown file.
func markdown(lines []line, r *results, now time.Time) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `# Benchmarks

Written by %[1]smake bench%[1]s on %[2]s, on %[3]s, %[4]d cores, %[5]s %[6]s%[7]s.

Ratios are medians, measured side by side in one process; on a busy machine they
vary less than the other figures. "Naive" is a simple program that uses the
standard library. It neither counts nor drops ids; usher validates, tallies and
de-duplicates them. The comments of the benchmarks describe what each of them
measures. Rows of AVX-512 are not measured on a processor without it, and its goals are
for one that has it; uploads are faster there, too.

A handler may act once its worker has received the job and NATS has stored the
worker's lease in the job's record. A bare message has only the first of these two
steps. NATS does not sync these writes to disk. On two cores, a garbage collection
delays about one job in a hundred by 1 to 2 ms, so the p99 varies between runs.

"Beside uploads" means that a job is published while at least two uploads are running
and have just sent a batch. The worker then holds the uploads back for up to 50 ms, as
it always does for such a job.

| what | figure | must | stretch | reached |
|---|---|---|---|---|
`, "`", now.UTC().Format(time.DateOnly), r.cpu, runtime.NumCPU(), runtime.Version(), runtime.GOARCH, load())
	for i := range lines {
		c := lines[i].cells()
		fmt.Fprintf(&b, "| %s |\n", strings.Join(c[:], " | "))
	}
	b.WriteString("\n## As measured\n\n```\n" + strings.Join(r.raw, "\n") + "\n```\n")
	return []byte(b.String())
}
