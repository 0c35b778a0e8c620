package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"usher/internal/rules"
)

// scriptReadme takes a section of the README at its word: the rule file that it
// shows is the one it names, and every console block prints what it shows.
func scriptReadme(ts *testscript.TestScript, neg bool, args []string) {
	takes(ts, neg, args, 1, "readme SECTION")
	section := readmeSection(ts, args[0])
	const name = "deploy/rules/budgets.yaml"
	shown, _, _ := strings.Cut(after(ts, section, "```yaml\n"), "```")
	stored, err := os.ReadFile(filepath.Join("..", "..", name))
	ts.Check(err)
	if shown != string(stored) {
		ts.Fatalf("the README shows another file than %s", name)
	}
	ts.Check(os.MkdirAll(ts.MkAbs("deploy/rules"), 0o755))
	ts.Check(os.WriteFile(ts.MkAbs(name), stored, 0o644))
	block, _, _ := strings.Cut(after(ts, section, "```console\n$ "), "```")
	for command := range strings.SplitSeq(block, "\n$ ") {
		line, want, _ := strings.Cut(command, "\n")
		words := strings.Fields(line)
		ts.Check(ts.Exec(words[0], words[1:]...))
		if got := strings.TrimRight(ts.ReadFile("stdout"), "\n"); got != strings.TrimRight(want, "\n") {
			ts.Fatalf("%s prints\n%s\nthe README shows\n%s", line, got, want)
		}
	}
}

func readmeSection(t interface{ Fatalf(string, ...any) }, name string) string {
	data, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatalf("%v", err)
	}
	section, _, _ := strings.Cut(after(t, string(data), "\n## "+name+"\n"), "\n## ")
	return section
}

func after(t interface{ Fatalf(string, ...any) }, text, mark string) string {
	_, rest, found := strings.Cut(text, mark)
	if !found {
		t.Fatalf("the README has no %q", mark)
	}
	return rest
}

// TestReadmeNamesEveryMetric holds the README's list of metrics to what
// conditions may read.
func TestReadmeNamesEveryMetric(t *testing.T) {
	t.Parallel()
	section := readmeSection(t, "Rules")
	for _, v := range rules.Variables() {
		want := "`" + v.Name + "`"
		if v.Formula != "" {
			want = "| " + want + " | " + v.Formula + " | " + v.About + " |"
		}
		if !strings.Contains(section, want) {
			t.Errorf("it does not have %s", want)
		}
	}
}
