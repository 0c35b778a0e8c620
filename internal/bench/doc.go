// Command bench makes a table of what the benchmarks measured, beside the goals.
// It reads the output of go test -bench, prints the table, and writes it as
// Markdown with the machine and the date: see make bench.
//
//	main.go     flags, in, out
//	results.go  what go test printed, by benchmark and unit
//	goals.go    what is shown, and what it ought to be
//	table.go    the table, for a terminal and as Markdown
//
// It exits 1 where a benchmark failed. A goal that is missed is no failure: it
// depends on the machine.
package main
