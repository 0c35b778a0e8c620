package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"usher/internal/rules/condition"
)

// scriptReadme checks a section of the README: it shows the rule file as it is in
// deploy/rules, and the commands in its console block print the output shown.
func scriptReadme(ts *testscript.TestScript, neg bool, args []string) {
	requireArgs(ts, neg, args, 1, "readme SECTION")
	section := readmeSection(ts, args[0])
	const name = "deploy/rules/budgets.yaml"
	shown, _, _ := strings.Cut(textAfter(ts, section, "```yaml\n"), "```")
	stored, err := os.ReadFile(filepath.Join("..", "..", name))
	ts.Check(err)
	if shown != string(stored) {
		ts.Fatalf("the rule file in the README differs from %s", name)
	}
	ts.Check(os.MkdirAll(ts.MkAbs("deploy/rules"), 0o755))
	ts.Check(os.WriteFile(ts.MkAbs(name), stored, 0o644))
	block, _, _ := strings.Cut(textAfter(ts, section, "```console\n$ "), "```")
	for command := range strings.SplitSeq(block, "\n$ ") {
		line, want, _ := strings.Cut(command, "\n")
		words := strings.Fields(line)
		ts.Check(ts.Exec(words[0], words[1:]...))
		if got := strings.TrimRight(ts.ReadFile("stdout"), "\n"); got != strings.TrimRight(want, "\n") {
			ts.Fatalf("%s prints\n%s\nbut the README shows\n%s", line, got, want)
		}
	}
}

func readmeSection(t interface{ Fatalf(string, ...any) }, name string) string {
	data, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatalf("%v", err)
	}
	section, _, _ := strings.Cut(textAfter(t, string(data), "\n## "+name+"\n"), "\n## ")
	return section
}

// textAfter returns the part of text after mark.
func textAfter(t interface{ Fatalf(string, ...any) }, text, mark string) string {
	_, rest, found := strings.Cut(text, mark)
	if !found {
		t.Fatalf("the README does not contain %q", mark)
	}
	return rest
}

// TestReadmeNamesEveryMetric checks that the README describes every metric that
// conditions can use.
func TestReadmeNamesEveryMetric(t *testing.T) {
	t.Parallel()
	section := readmeSection(t, "Rules")
	for _, v := range condition.Variables() {
		want := "`" + v.Name + "`"
		if v.Formula != "" {
			want = "| " + want + " | " + v.Formula + " | " + v.About + " |"
		}
		if !strings.Contains(section, want) {
			t.Errorf("section Rules of the README does not contain %s", want)
		}
	}
}
