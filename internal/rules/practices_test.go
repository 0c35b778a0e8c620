package rules_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"usher/internal/rules"
)

// TestPractices checks that the example files of practices are valid, say what a buyer says, have
// tests, and get no advice but that events must bring the metrics of today.
func TestPractices(t *testing.T) {
	t.Parallel()
	const folder = "../../docs/examples/rules"
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil || len(files) != 22 {
		t.Fatalf("there are %d files, %v", len(files), err)
	}
	list, err := os.ReadFile(filepath.Join(folder, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		set, problems := rules.LoadWith(file, text, os.ReadFile)
		if set == nil || len(set.Tests) < 1 {
			t.Errorf("%s: %v", file, problems)
			continue
		}
		for _, p := range problems {
			if !strings.Contains(p.Message, "the platform promises rows of complete days only") {
				t.Errorf("%s: %s", file, p)
			}
		}
		sentence, _, _ := strings.Cut(string(text), "\n")
		sentence = strings.Trim(sentence, `# "`)
		if row := "| " + sentence + " | [" + filepath.Base(file) + "]"; !strings.HasPrefix(string(text), `# "`) || !strings.Contains(string(list), row) {
			t.Errorf("%s begins with %q, which is not its sentence in the list", file, sentence)
		}
	}
}
