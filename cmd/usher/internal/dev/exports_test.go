package dev

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExportsOfTheGuide checks that usher dev has the export that the guide shows, and leaves alone what
// somebody has changed.
func TestExportsOfTheGuide(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "guide", "first-upload.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), "file=usher-data/crm.csv\n"+firstDay+"```\n") {
		t.Errorf("docs/guide/first-upload.md has not the export that usher dev writes:\n%s", firstDay)
	}
	d := &Dev{Data: t.TempDir()}
	first, second := d.exports()
	if err := os.WriteFile(second, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := d.writeExports(); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{first: firstDay, second: "mine"} {
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s has %q, %v", path, got, err)
		}
	}
}

// TestNextCommands checks that usher dev shows who has given rules what to do with them, and others what
// to do with an export.
func TestNextCommands(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for name, c := range map[string]struct {
		rules []string
		want  string
	}{
		"exports":           {nil, "usher inspect " + filepath.Join("data", "crm.csv")},
		"a rule file":       {[]string{"cap.yaml"}, "usher rules preview cap.yaml --as-of 2014-04-10"},
		"a folder of rules": {[]string{folder}, "usher rules preview " + filepath.Join(folder, "FILE.yaml") + " --as-of"},
	} {
		var b bytes.Buffer
		(&Dev{Data: "data", rules: c.rules}).printNext(&b)
		if !strings.Contains(b.String(), c.want) {
			t.Errorf("%s: it prints %s, and not %s", name, b.String(), c.want)
		}
	}
}
