// Command bench compares the results of benchmarks with their goals. It reads the output
// of go test -bench, prints a table, and writes it as Markdown with the machine and the
// date: see make bench.
//
//	main.go     flags, input and output
//	results.go  parses the output of go test
//	goals.go    the lines of the table and their goals
//	table.go    prints the table on a terminal and as Markdown
//
// It exits with 1 if a benchmark has failed. A missed goal is not a failure, because it
// depends on the machine.
package main
