package main

import "cmp"

// goal is a line of the table: a figure and its goals.
type goal struct {
	what      string
	benchmark string // its name without the prefix Benchmark
	unit      string
	over      string // "", or a benchmark whose figure is divided by the figure of benchmark
	suffix    string // the unit in the table
	must      float64
	stretch   float64 // if must and stretch are 0, the line is for information
	atMost    bool    // goals are maximums
}

// times is the suffix of ratios.
const times = "×"

// goals returns the lines of the table.
func goals() []goal {
	return []goal{
		{what: "MD5 of 36-byte ids, AVX-512, against crypto/md5", benchmark: "Kernel/uuid", unit: "avx512-×crypto/md5", suffix: times, must: 40, stretch: 55},
		{what: "the same, AVX2", benchmark: "Kernel/uuid", unit: "avx2-×crypto/md5", suffix: times, must: 7, stretch: 9},
		{what: "line to joined hex against the standard library, AVX-512, no dirty lines", benchmark: "Ladder/dirty=0%", unit: "avx512-×std", suffix: times, must: 30, stretch: 45},
		{what: "the same, 1 % dirty", benchmark: "Ladder/dirty=1%", unit: "avx512-×std", suffix: times, must: 20, stretch: 27},
		{what: "the same, AVX2, no dirty lines", benchmark: "Ladder/dirty=0%", unit: "avx2-×std", suffix: times},
		{what: "the same, AVX2, 10 % dirty", benchmark: "Ladder/dirty=10%", unit: "avx2-×std", suffix: times},
		{what: "CSV column to joined hex against encoding/csv and crypto/md5", benchmark: "CSVColumn/plain/usher", over: "CSVColumn/plain/standard", unit: "ns/row", suffix: times, must: 10, stretch: 20},
		{what: "the same, quoted cells", benchmark: "CSVColumn/quoted/usher", over: "CSVColumn/quoted/standard", unit: "ns/row", suffix: times, must: 10, stretch: 20},
		{what: "list of digests parsed, AVX-512, against encoding/hex", benchmark: "List/parse", unit: "avx512-×encoding/hex", suffix: times, must: 15, stretch: 25},
		{what: "the same, AVX2", benchmark: "List/parse", unit: "avx2-×encoding/hex", suffix: times},
		{what: "finding duplicates in a window, against open addressing", benchmark: "Duplicates/duplicates=0%", unit: "sieve-×open-table", suffix: times},
		{what: "the same, against a Go map", benchmark: "Duplicates/duplicates=0%", unit: "sieve-×map", suffix: times},
		{what: "the same, every tenth id a duplicate, against open addressing", benchmark: "Duplicates/duplicates=10%", unit: "sieve-×open-table", suffix: times},
		{what: "usher hash as a whole process, 10 M ids, against the same with the standard library", benchmark: "Hash/ids=10M", unit: "usher-×naive", suffix: times, must: 10, stretch: 15},
		{what: "the same, 1 M ids", benchmark: "Hash/ids=1M", unit: "usher-×naive", suffix: times, must: 10, stretch: 15},
		{what: "file → POST → sandbox against the naive program, sender on 1 core", benchmark: "Upload/cores=1", unit: "usher-×naive", suffix: times, must: 6, stretch: 9},
		{what: "the same, CPU time of the sender", benchmark: "Upload/cores=1", unit: "usher-CPU×naive", suffix: times},
		{what: "file → POST → sandbox against the naive program, sender on 2 cores", benchmark: "Upload/cores=2", unit: "usher-×naive", suffix: times, must: 5, stretch: 8},
		{what: "the same, CPU time of the sender", benchmark: "Upload/cores=2", unit: "usher-CPU×naive", suffix: times},
		{what: "cost per id, 10 M ids against 1 M", benchmark: "Growth", unit: "10M-×1M", suffix: times, must: 1.1, atMost: true},
		{what: "cost per id, 100 M ids against 1 M (USHER_BENCH_LARGE=1)", benchmark: "Growth", unit: "100M-×1M", suffix: times, must: 1.1, atMost: true},
		{what: "anonymous memory of usher run, two parts of a cut export running", benchmark: "Memory/cut", unit: "RssAnon-MiB", suffix: " MiB", must: 64, stretch: 48, atMost: true},
		{what: "the same, of a Parquet export", benchmark: "Memory/parquet", unit: "RssAnon-MiB", suffix: " MiB", must: 64, stretch: 48, atMost: true},
		{what: "the same, of a Parquet export with one page per row group of 122,880 ids", benchmark: "Memory/parquet-large-pages", unit: "RssAnon-MiB", suffix: " MiB", must: 64, stretch: 48, atMost: true},
		{what: "the same, two exports of gzip", benchmark: "Memory/gzip", unit: "RssAnon-MiB", suffix: " MiB", must: 64, stretch: 48, atMost: true},
		{what: "the same, two exports of xz", benchmark: "Memory/xz", unit: "RssAnon-MiB", suffix: " MiB", must: 64, stretch: 48, atMost: true},
		{what: "the same, two exports of json", benchmark: "Memory/json", unit: "RssAnon-MiB", suffix: " MiB", must: 64, stretch: 48, atMost: true},
		{what: "the same, two exports of avro", benchmark: "Memory/avro", unit: "RssAnon-MiB", suffix: " MiB", must: 64, stretch: 48, atMost: true},
		{what: "the same, two exports of xlsx", benchmark: "Memory/xlsx", unit: "RssAnon-MiB", suffix: " MiB", must: 64, stretch: 48, atMost: true},
		{what: "the same, two exports of xlsx with shared strings", benchmark: "Memory/xlsx-shared", unit: "RssAnon-MiB", suffix: " MiB", must: 64, stretch: 48, atMost: true},
		{what: "mirror of 10 M ids of which 1 % are new, CPU time per id against segment.add", benchmark: "Mirror/ids=10M", unit: "changed-×add", suffix: times, must: 2.5, stretch: 1.5, atMost: true},
		{what: "the same, of an unchanged export", benchmark: "Mirror/ids=10M", unit: "unchanged-×add", suffix: times, must: 2.5, stretch: 1.5, atMost: true},
		{what: "the same, calls that change something", benchmark: "Mirror/ids=10M", unit: "calls", must: 0.5, atMost: true},
		{what: "mirror of 10 M ids of which 1 % are new, bytes sent against segment.add", benchmark: "Mirror/ids=10M", unit: "sent-%", suffix: " %", must: 2, atMost: true},
		{what: "the same, anonymous memory of usher run", benchmark: "Mirror/ids=10M", unit: "RssAnon-MiB", suffix: " MiB", must: 64, stretch: 48, atMost: true},
		{what: "the same, of 100 M ids (USHER_BENCH_LARGE=1)", benchmark: "Mirror/ids=100M", unit: "RssAnon-MiB", suffix: " MiB", must: 64, stretch: 48, atMost: true},
		{what: "CPU time of a mirror per id that is removed", benchmark: "Mirror/ids=10M", unit: "µs/removal", suffix: " µs"},
		{what: "ledger bytes per id, with the day of the last upload", benchmark: "Mirror/ids=10M", unit: "ledger-B/id", must: 18.01, stretch: 16.01, atMost: true},
		{what: "CPU time of a mirror per id, 10 M against 1 M", benchmark: "Mirror/ids=1M", over: "Mirror/ids=10M", unit: "changed-ns/id", suffix: times, must: 1.2, stretch: 1.05, atMost: true},
		{what: "the same, 100 M against 1 M (USHER_BENCH_LARGE=1)", benchmark: "Mirror/ids=1M", over: "Mirror/ids=100M", unit: "changed-ns/id", suffix: times, must: 1.2, stretch: 1.05, atMost: true},
		{what: "ledger reads of device.forget, 1,000 ids over 20 segments of 10 M", benchmark: "Forget", unit: "MB/20-segments", suffix: " MB", must: 40, atMost: true},
		{what: "allocations per id", benchmark: "Allocations", unit: "allocs/id", must: 0.01, atMost: true},
		{what: "allocations per batch, without those of net/http", benchmark: "BatchAllocations", unit: "allocs/batch", must: 60, atMost: true},
		{what: "allocations per batch, with those of net/http", benchmark: "Allocations", unit: "allocs/batch"},
		{what: "publish → the handler may act, p99, idle", benchmark: "Handler/idle", unit: "p99-µs", suffix: " µs", must: 1000, stretch: 250, atMost: true},
		{what: "the same, p50", benchmark: "Handler/idle", unit: "p50-µs", suffix: " µs"},
		{what: "a bare message on the same server at the same time, publish → fetch, p99", benchmark: "Handler/idle", unit: "bare-p99-µs", suffix: " µs"},
		{what: "the same, p50", benchmark: "Handler/idle", unit: "bare-p50-µs", suffix: " µs"},
		{what: "publish → the handler may act, p99, audience lane full", benchmark: "Handler/full", unit: "p99-µs", suffix: " µs", must: 5000, stretch: 1000, atMost: true},
		{what: "the same, p50", benchmark: "Handler/full", unit: "p50-µs", suffix: " µs"},
		{what: "publish of a pause → POST, p99, idle", benchmark: "Pause/idle", unit: "p99-ms", suffix: " ms", must: 50, atMost: true},
		{what: "the same, beside uploads", benchmark: "Pause/uploading", unit: "p99-ms", suffix: " ms", must: 50, atMost: true},
		{what: "publish of an event's metrics → POST, p99, idle", benchmark: "Event/idle", unit: "p99-ms", suffix: " ms", must: 50, atMost: true},
		{what: "the same, beside uploads", benchmark: "Event/uploading", unit: "p99-ms", suffix: " ms", must: 50, atMost: true},
		{what: "a small job over HTTP at 1,000 per second → 202, p99, NATS without fsync", benchmark: "Intake/idle", unit: "p99-ms", suffix: " ms", must: 50, atMost: true},
		{what: "the same, while the worker runs the jobs", benchmark: "Intake/working", unit: "p99-ms", suffix: " ms", must: 50, atMost: true},
		{what: "100,000 creatives × 100 rules, few of which fire", benchmark: "Decide/few-change", unit: "s/op", suffix: " s", must: 2, atMost: true},
		{what: "the same, many of which fire", benchmark: "Decide/many-change", unit: "s/op", suffix: " s", must: 2, atMost: true},
		{what: "the same, memory", benchmark: "Decide/many-change", unit: "MB-heap", suffix: " MB", must: 200, atMost: true},
		{what: "jobs per second with almost no work, every write of NATS fsynced, 2 slots", benchmark: "Jobs/slots=2", unit: "jobs/s", must: 500, stretch: 1000},
		{what: "the same, 16 slots", benchmark: "Jobs/slots=16", unit: "jobs/s", must: 500, stretch: 1000},
		{what: "appends per second to a file, each fsynced, two other files beside it; a job needs two", benchmark: "Jobs/slots=16", unit: "fsyncs/s"},
		{what: "jobs per second beside 1,000 removals that wait on another segment, against none", benchmark: "Backlog/1000", over: "Backlog/0", unit: "ns/op", suffix: times, must: 0.9},
		{what: "the same, 100,000 removals", benchmark: "Backlog/100000", over: "Backlog/0", unit: "ns/op", suffix: times, must: 0.9},
		{what: "removals of one id per second on one segment, every write of NATS fsynced", benchmark: "OptOuts/0", unit: "jobs/s"},
		{what: "the same beside 1,000 waiting ones, against none", benchmark: "OptOuts/1000", over: "OptOuts/0", unit: "ms/job", suffix: times, must: 0.8},
		{what: "the same, 100,000 waiting ones", benchmark: "OptOuts/100000", over: "OptOuts/0", unit: "ms/job", suffix: times, must: 0.8},
		{what: "removals of one id on one segment, 100,000 waiting, as a share of the rate limit without its reserve", benchmark: "Drain", unit: "of-the-limit", suffix: times, must: 0.95},
		{what: "end of a removal that ran for 16 s → the next one on the segment runs, 10,000 waiting, slowest", benchmark: "Release/16s", unit: "slowest-ms", suffix: " ms", must: 50, atMost: true},
		{what: "start of a worker beside 200,000 waiting removals → the first add elsewhere runs", benchmark: "Elsewhere", unit: "first-s", suffix: " s", must: 1, atMost: true},
		{what: "publish of an add → it runs, beside them, slowest of 100", benchmark: "Elsewhere", unit: "slowest-ms", suffix: " ms", must: 1000, atMost: true},
		{what: "start of a worker beside 100,000 pauses of 10,000 campaigns → the newest of each has run, without a platform", benchmark: "Pauses", unit: "newest-s", suffix: " s"},
		{what: "2 workers against 1, platform that answers after 100 ms", benchmark: "Scale", unit: "workers=2-×1", suffix: times},
		{what: "3 workers against 1", benchmark: "Scale", unit: "workers=3-×1", suffix: times},
	}
}

// line is a goal with its figure.
type line struct {
	goal
	figure   float64
	measured bool
}

// fill returns the goals with their figures.
func fill(goals []goal, r *results) []line {
	var lines []line
	for _, g := range goals {
		l := line{goal: g}
		l.figure, l.measured = r.values[g.benchmark][g.unit]
		if g.over != "" {
			base := r.values[g.over][g.unit]
			l.measured = l.measured && base > 0 && l.figure > 0
			l.figure = base / cmp.Or(l.figure, 1)
		}
		lines = append(lines, l)
	}
	return lines
}

// verdict returns the highest goal that the figure reaches: stretch, yes (must) or no. It is
// "" without a figure or a goal.
func (l *line) verdict() string {
	reaches := func(goal float64) bool {
		if l.atMost {
			return l.figure <= goal
		}
		return l.figure >= goal
	}
	switch {
	case !l.measured || l.must == 0:
		return ""
	case l.stretch != 0 && reaches(l.stretch):
		return "stretch"
	case reaches(l.must):
		return "yes"
	}
	return "no"
}
