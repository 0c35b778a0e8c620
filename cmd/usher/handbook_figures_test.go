package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// measuredFigure is a figure in a page with the row of BENCHMARKS.md from which it comes, in a
// comment: 45 MiB<!-- BENCHMARKS: anonymous memory of usher run -->.
var measuredFigure = regexp.MustCompile(`([0-9][0-9.,]*(?: ?(?:[a-zA-Zµ]+|×|%))?)<!-- BENCHMARKS: (.*?) -->`)

// codeFigure is a limit in a page with the line of code that sets it:
// 64 MiB<!-- internal/intake/body.go: bodyLimit = 64 << 20 -->.
var codeFigure = regexp.MustCompile(`[0-9][0-9.,]* ?[a-zA-Z]+<!-- ([a-z/_]+\.go): (.*?) -->`)

// sizeOrSpeed is a figure with a unit of size, of a short time, or of a ratio. Durations from
// a second on are not among them: they are settings and limits, of which there are many.
var sizeOrSpeed = regexp.MustCompile(`[0-9][0-9.,]* ?(?:ns|µs|ms|kB|KiB|MB|MiB|GB|GiB|TB|Gbit/s|MB/s|×)(?:[^\pL\pN]|$)`)

// TestFigures checks that the figures of the handbook that were measured are those of
// BENCHMARKS.md, which is written by make bench. Each size, short time and ratio is such a
// figure with the name of its row, or one that the generated reference has, because it is a
// default, or a limit with the line of code that sets it. With -update, it writes the figures of BENCHMARKS.md into the pages.
func TestFigures(t *testing.T) {
	t.Parallel()
	measured, err := os.ReadFile(atRoot("BENCHMARKS.md"))
	if err != nil {
		t.Fatal(err)
	}
	figures := map[string]string{}
	for _, row := range regexp.MustCompile(`(?m)^\| ([^|]*) \| ([^|]*) \|`).FindAllStringSubmatch(string(measured), -1) {
		figures[row[1]] = row[2]
	}
	pages := handbookPages(t)
	var reference strings.Builder
	for name, page := range pages {
		if strings.HasPrefix(name, "docs/reference/") {
			reference.WriteString(page)
		}
	}
	compared := 0
	for _, name := range pageNames(pages) {
		for _, limit := range codeFigure.FindAllStringSubmatch(pages[name], -1) {
			if code, err := os.ReadFile(atRoot(limit[1])); err != nil || !strings.Contains(string(code), limit[2]) {
				t.Errorf("%s: %s does not have %q: %v", name, limit[1], limit[2], err)
			}
		}
		if strings.HasPrefix(name, "docs/reference/") || strings.HasPrefix(name, "docs/decisions/") || name == "README.md" {
			continue // generated; with the day and the commit of an experiment; see TestReadme
		}
		page := measuredFigure.ReplaceAllStringFunc(pages[name], func(text string) string {
			compared++
			parts := measuredFigure.FindStringSubmatch(text)
			now, found := figures[parts[2]]
			if !found {
				t.Errorf("%s: BENCHMARKS.md has no row %q", name, parts[2])
				return text
			}
			if parts[1] != now {
				t.Errorf("%s says %s of %q, and BENCHMARKS.md says %s", name, parts[1], parts[2], now)
			}
			return strings.Replace(text, parts[1], now, 1)
		})
		if page != pages[name] && flag.Lookup("update").Value.String() == "true" {
			if err := os.WriteFile(atRoot(name), []byte(page), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, figure := range unexplained(page, reference.String()) {
			t.Errorf("%s says %q: give the row of BENCHMARKS.md behind it, as <!-- BENCHMARKS: row -->, or leave it out", name, figure)
		}
	}
	if compared < 5 {
		t.Errorf("only %d figures were compared", compared)
	}
}

// TestMeasuredOutput checks that the output of usher bench in the guide is that of the committed
// run.
func TestMeasuredOutput(t *testing.T) {
	t.Parallel()
	run, err := os.ReadFile(filepath.Join("testdata", "bench.txt"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(run), "MEASURED")
	if page := handbookPages(t)["docs/guide/sizing.md"]; !strings.Contains(page, "```text\nMEASURED"+table+"```") {
		t.Error("docs/guide/sizing.md does not show the output in testdata/bench.txt")
	}
}

// unexplained returns the figures of a page, outside of code, that are neither measured nor in
// the reference.
func unexplained(page, reference string) []string {
	text := codeFigure.ReplaceAllString(measuredFigure.ReplaceAllString(withoutCode(page), ""), "")
	figures := sizeOrSpeed.FindAllString(text, -1)
	for i, figure := range figures {
		figures[i] = strings.TrimRight(figure, " ,.;:)|\n")
	}
	return slices.DeleteFunc(figures, func(figure string) bool { return strings.Contains(reference, figure) })
}
