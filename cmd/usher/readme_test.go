package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestReadme checks that the README is short, and that its figures are those of BENCHMARKS.md.
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
	for row := range strings.SplitSeq(table, "\n") {
		if name, _, _ := strings.Cut(strings.TrimPrefix(row, "| "), " | "); !strings.Contains(string(measured), strings.TrimSuffix(row, "|")) {
			now := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(name) + ` \| [^|]*`).FindString(string(measured))
			t.Errorf("README.md says %s\nbut BENCHMARKS.md says %s", row, now)
		}
	}
}
