package main

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestReadme checks that the README is short, and that its figures are those of BENCHMARKS.md.
// With -update, it writes these into the README.
func TestReadme(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(atRoot("README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(text), "\n"); lines > 200 {
		t.Errorf("README.md has %d lines, and at most 200 are allowed", lines)
	}
	measured, err := os.ReadFile(atRoot("BENCHMARKS.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "| benchmark | figure |\n|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	if !found || table == "" {
		t.Fatal("README.md has no table of figures")
	}
	current := string(text)
	for row := range strings.SplitSeq(table, "\n") {
		name, _, _ := strings.Cut(strings.TrimPrefix(row, "| "), " | ")
		now := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(name) + ` \| [^|]*\|`).FindString(string(measured))
		if now != row {
			t.Errorf("README.md says %s\nbut BENCHMARKS.md says %s", row, now)
		}
		current = strings.Replace(current, row, now, 1)
	}
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile(atRoot("README.md"), []byte(current), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
