package usher_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// mapped finds a file of the package in its comment, but not a path to another one's.
var mapped = regexp.MustCompile(`(?m)(?:^|[^/.a-z0-9_])([a-z0-9_]+\.go)\b`)

// A package comment that lists the package's files names each of them, and no other.
func TestPackageCommentsNameAllFiles(t *testing.T) {
	t.Parallel()
	maps := 0
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if entry.IsDir() && path != "." && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata" || path == "tools") {
			return fs.SkipDir
		}
		if err != nil || entry.Name() != "doc.go" {
			return err
		}
		comment, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		const fewest = 3 // of the files that a map names
		var names []string
		for _, found := range mapped.FindAllStringSubmatch(string(comment), -1) {
			names = append(names, found[1])
		}
		if len(names) >= fewest {
			maps++
			checkMap(t, path, names)
		}
		return nil
	})
	if err != nil || maps < 10 {
		t.Errorf("%d maps were checked, %v", maps, err)
	}
}

func checkMap(t *testing.T, doc string, names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(filepath.Dir(doc), "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range files {
		files[i] = filepath.Base(files[i])
	}
	for _, name := range names {
		if !slices.Contains(files, name) {
			t.Errorf("%s names %s, which does not exist", doc, name)
		}
	}
	for _, file := range files {
		if file != "doc.go" && !strings.HasSuffix(file, "_test.go") && !slices.Contains(names, file) {
			t.Errorf("%s lacks %s", doc, file)
		}
	}
}
