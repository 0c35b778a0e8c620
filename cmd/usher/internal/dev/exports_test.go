package dev

import (
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
