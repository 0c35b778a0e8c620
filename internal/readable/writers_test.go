package readable_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"usher/internal/readable"
)

func TestCSV(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := readable.NewCSV(&out)
	for _, row := range [][]string{{"at", "=header"}, {"-3", "-3 of them"}, {"a,b", "gpj.\u202exe"}, {"@x", "+1"}} {
		if err := w.Write(row...); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if want := "at,'=header\n-3,'-3 of them\n\"a,b\",gpj.\\u202exe\n'@x,+1\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// No other part of usher, but what tests share, writes a CSV, so that none forgets what a spreadsheet does with a cell.
func TestOnlyOneWriterOfCSV(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() != ".." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case d.IsDir(), !strings.HasSuffix(path, ".go"), strings.HasSuffix(path, "_test.go"), strings.HasSuffix(filepath.Dir(path), "test"), path == filepath.Join(root, "internal", "readable", "writers.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if bytes.Contains(text, []byte("csv.NewWriter")) {
			t.Errorf("%s writes a CSV itself: use readable.NewCSV", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// In JSON, the number of a control is an escape: a program gets the text itself.
func TestEscaped(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	text := "gpj.\u202exe \u2066"
	if err := json.NewEncoder(readable.Escaped(&out)).Encode(text); err != nil {
		t.Fatal(err)
	}
	var decoded string
	if err := json.Unmarshal(out.Bytes(), &decoded); err != nil || decoded != text || strings.ContainsAny(out.String(), "\u202e\u2066") {
		t.Errorf("%q, %v", out.String(), err)
	}
}
