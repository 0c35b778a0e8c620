package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"time"
)

func main() {
	out := flag.String("o", "", "write the table to this file, as Markdown")
	flag.Parse()
	if err := run(os.Stdin, os.Stdout, *out, time.Now()); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer, path string, now time.Time) error {
	r, err := read(in)
	if err != nil {
		return fmt.Errorf("read benchmarks: %w", err)
	}
	lines := fill(goals(), r)
	if err := printTable(out, lines); err != nil {
		return fmt.Errorf("print table: %w", err)
	}
	if path != "" {
		if err := os.WriteFile(path, markdown(lines, r, now), 0o644); err != nil { //nolint:gosec // it is published
			return fmt.Errorf("write table: %w", err)
		}
	}
	if r.failed {
		return fmt.Errorf("a benchmark failed: see its output above")
	}
	return nil
}
