package main

import "cmp"

// goal is a line of the table: a figure and what it ought to be.
type goal struct {
	what      string
	benchmark string // without Benchmark
	unit      string
	over      string // a benchmark whose figure is divided by this one; empty: the figure itself
	shown     string // the figure's unit in the table
	must      float64
	stretch   float64 // both 0: for information
	atMost    bool    // less is better
}

// times is how many times faster than something usher is.
const times = "×"

// goals are those of the house. What has none stands there for information.
func goals() []goal {
	return []goal{
		{what: "MD5 of 36-byte ids, AVX-512, against crypto/md5", benchmark: "Kernel/uuid", unit: "avx512-×crypto/md5", shown: times, must: 40, stretch: 55},
		{what: "the same, AVX2", benchmark: "Kernel/uuid", unit: "avx2-×crypto/md5", shown: times, must: 7, stretch: 9},
		{what: "line to joined hex against the standard library, no dirt", benchmark: "Ladder/dirty=0%", unit: "avx512-×std", shown: times, must: 30, stretch: 45},
		{what: "the same, 1 % dirty", benchmark: "Ladder/dirty=1%", unit: "avx512-×std", shown: times, must: 20, stretch: 27},
		{what: "the same, 10 % dirty", benchmark: "Ladder/dirty=10%", unit: "avx512-×std", shown: times, must: 18, stretch: 24},
		{what: "CSV column to joined hex against encoding/csv and crypto/md5", benchmark: "CSVColumn/plain/usher", over: "CSVColumn/plain/standard", unit: "ns/row", shown: times, must: 10, stretch: 20},
		{what: "the same, quoted cells", benchmark: "CSVColumn/quoted/usher", over: "CSVColumn/quoted/standard", unit: "ns/row", shown: times, must: 10, stretch: 20},
		{what: "list of digests parsed, against encoding/hex", benchmark: "List/parse", unit: "avx512-×encoding/hex", shown: times, must: 15, stretch: 25},
		{what: "duplicates of a window, against open addressing", benchmark: "Duplicates/again=0%", unit: "sieve-×open-table", shown: times},
		{what: "the same, against a Go map", benchmark: "Duplicates/again=0%", unit: "sieve-×map", shown: times},
		{what: "the same, every tenth a duplicate, against open addressing", benchmark: "Duplicates/again=10%", unit: "sieve-×open-table", shown: times},
		{what: "upload received by the sandbox, against mime/multipart and encoding/hex", benchmark: "Receive", unit: "usher-×naive", shown: times},
		{what: "usher hash as a whole process, 10 M ids, against the same with the standard library", benchmark: "Hash/ids=10M", unit: "usher-×naive", shown: times, must: 10, stretch: 15},
		{what: "the same, 1 M ids", benchmark: "Hash/ids=1M", unit: "usher-×naive", shown: times, must: 10, stretch: 15},
		{what: "perl with Digest::MD5, 10 M ids, against the same", benchmark: "Hash/ids=10M", unit: "perl-×naive", shown: times},
		{what: "file → POST → sandbox against the naive program, sender on 1 core", benchmark: "Upload/cores=1", unit: "usher-×naive", shown: times, must: 6, stretch: 9},
		{what: "the same, processor's time of the sender", benchmark: "Upload/cores=1", unit: "usher-CPU×naive", shown: times},
		{what: "file → POST → sandbox against the naive program, sender on 2 cores", benchmark: "Upload/cores=2", unit: "usher-×naive", shown: times, must: 5, stretch: 8},
		{what: "the same, processor's time of the sender", benchmark: "Upload/cores=2", unit: "usher-CPU×naive", shown: times},
		{what: "cost of an id, 10 M ids against 1 M", benchmark: "Growth", unit: "10M-×1M", shown: times, must: 1.1, atMost: true},
		{what: "cost of an id, 100 M ids against 1 M (USHER_BENCH_LARGE=1)", benchmark: "Growth", unit: "100M-×1M", shown: times, must: 1.1, atMost: true},
		{what: "anonymous memory of usher run, two parts of a cut export running", benchmark: "Memory/cut", unit: "RssAnon-MiB", shown: " MiB", must: 64, stretch: 48, atMost: true},
		{what: "the same, of a Parquet export", benchmark: "Memory/parquet", unit: "RssAnon-MiB", shown: " MiB", must: 64, stretch: 48, atMost: true},
		{what: "the same, of one whose row groups of 122,880 ids are a page each", benchmark: "Memory/parquet-large-pages", unit: "RssAnon-MiB", shown: " MiB", must: 64, stretch: 48, atMost: true},
		{what: "the same, two exports of gzip", benchmark: "Memory/gzip", unit: "RssAnon-MiB", shown: " MiB", must: 64, stretch: 48, atMost: true},
		{what: "allocations an id", benchmark: "Allocations", unit: "allocs/id", must: 0.01, atMost: true},
		{what: "allocations a batch, of usher's own", benchmark: "BatchAllocations", unit: "allocs/batch", must: 60, atMost: true},
		{what: "allocations a batch, with those of net/http", benchmark: "Allocations", unit: "allocs/batch"},
		{what: "publish → the handler may act, p99, idle", benchmark: "Handler/idle", unit: "p99-µs", shown: " µs", must: 1000, stretch: 250, atMost: true},
		{what: "the same, p50", benchmark: "Handler/idle", unit: "p50-µs", shown: " µs"},
		{what: "a bare message of the same server, publish → fetch beside it, p99", benchmark: "Handler/idle", unit: "bare-p99-µs", shown: " µs"},
		{what: "the same, p50", benchmark: "Handler/idle", unit: "bare-p50-µs", shown: " µs"},
		{what: "publish → the handler may act, p99, audience lane full", benchmark: "Handler/full", unit: "p99-µs", shown: " µs", must: 5000, stretch: 1000, atMost: true},
		{what: "the same, p50", benchmark: "Handler/full", unit: "p50-µs", shown: " µs"},
		{what: "publish of a pause → POST, p99, idle", benchmark: "Pause/idle", unit: "p99-ms", shown: " ms", must: 50, atMost: true},
		{what: "the same, beside uploads", benchmark: "Pause/uploading", unit: "p99-ms", shown: " ms", must: 50, atMost: true},
		{what: "publish of an event's metrics → POST, p99, idle", benchmark: "Event/idle", unit: "p99-ms", shown: " ms", must: 50, atMost: true},
		{what: "the same, beside uploads", benchmark: "Event/uploading", unit: "p99-ms", shown: " ms", must: 50, atMost: true},
		{what: "100,000 creatives × 100 rules, few of which fire", benchmark: "Decide/few-change", unit: "s/op", shown: " s", must: 2, atMost: true},
		{what: "the same, many of which fire", benchmark: "Decide/many-change", unit: "s/op", shown: " s", must: 2, atMost: true},
		{what: "the same, memory", benchmark: "Decide/many-change", unit: "MB-heap", shown: " MB", must: 200, atMost: true},
		{what: "jobs a second with next to no work, every write of NATS fsynced", benchmark: "Jobs", unit: "jobs/s", must: 100, stretch: 250},
		{what: "2 workers against 1, platform that answers after 100 ms", benchmark: "Scale", unit: "workers=2-×1", shown: times},
		{what: "3 workers against 1", benchmark: "Scale", unit: "workers=3-×1", shown: times},
	}
}

// line is a goal with its figure.
type line struct {
	goal
	figure   float64
	measured bool
}

// fill finds the figures of goals.
func fill(goals []goal, r *results) []line {
	var lines []line
	for _, g := range goals {
		l := line{goal: g}
		l.figure, l.measured = r.values[g.benchmark][g.unit], r.values[g.benchmark][g.unit] != 0 || has(r, g.benchmark, g.unit)
		if g.over != "" {
			base := r.values[g.over][g.unit]
			l.measured = l.measured && base > 0 && l.figure > 0
			l.figure = base / cmp.Or(l.figure, 1)
		}
		lines = append(lines, l)
	}
	return lines
}

func has(r *results, benchmark, unit string) bool {
	_, found := r.values[benchmark][unit]
	return found
}

// verdict says which of its goals a figure reaches.
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
