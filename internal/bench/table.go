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

// print writes the table for a terminal.
func print(w io.Writer, lines []line) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "what\tfigure\tmust\tstretch\treached")
	for i := range lines {
		c := lines[i].cells()
		fmt.Fprintln(t, strings.Join(c[:], "\t"))
	}
	return t.Flush()
}

// load describes how busy the machine was, or is "" if that is unknown. On a busy machine
// ratios are still meaningful, but latencies and rates are not.
func load() string {
	data, err := os.ReadFile("/proc/loadavg")
	fields := strings.Fields(string(data))
	if err != nil || len(fields) < 3 {
		return ""
	}
	return ", with a load of " + fields[1] + " over the last five minutes (a quiet machine has about 1 to 2 from the benchmarks alone; above that latencies and rates say little)"
}

// markdown returns the contents of the Markdown file.
func markdown(lines []line, r *results, now time.Time) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `# Benchmarks

Written by %[1]smake bench%[1]s on %[2]s, on %[3]s, %[4]d cores, %[5]s %[6]s%[7]s.

Ratios are medians, taken side by side in one process; on a machine that does
other things too they are the steadier figures. "Naive" is the program that one
would write first with the standard library. It counts nothing and drops nothing;
usher's side validates, tallies and de-duplicates. What is measured how stands in
the comments of the benchmarks.

A handler may act once its worker has received the job and NATS has stored the
worker's lease in the job's record. A bare message has only the first of these two
steps. NATS does not sync these writes to disk. About one job in a hundred meets a
garbage collection, which delays it by 1 to 2 ms on two cores, so the p99 depends on
how many of them a run meets.

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
