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

// fileName matches the name of a file in a package comment, but not the path of a file in
// another package.
var fileName = regexp.MustCompile(`(?m)(?:^|[^/.a-z0-9_])([a-z0-9_]+\.go)\b`)

// A package comment that lists the files of the package must name each of them, and no
// others.
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
		const minNames = 3 // a comment that names fewer files is not a map
		var names []string
		for _, match := range fileName.FindAllStringSubmatch(string(comment), -1) {
			names = append(names, match[1])
		}
		if len(names) >= minNames {
			maps++
			checkMap(t, path, names)
		}
		return nil
	})
	if err != nil || maps < 10 {
		t.Errorf("checked %d maps, %v", maps, err)
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
