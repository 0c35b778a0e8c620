package usher_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Each package that another program may import begins its documentation with an example that
// runs: one with an Output, which go test compares.
func TestEveryPackageHasAnExample(t *testing.T) {
	t.Parallel()
	packages := map[string]bool{} // by folder; whether it has an example
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (slices.Contains([]string{"internal", "cmd", "docs", "deploy", "tools", "asm", "testdata"}, d.Name()) || len(d.Name()) > 1 && d.Name()[0] == '.') {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		folder := filepath.Dir(path)
		packages[folder] = packages[folder] || hasExample(file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(packages) < 20 {
		t.Errorf("only %d packages", len(packages))
	}
	for folder, has := range packages {
		if !has {
			t.Errorf("package %s has no example with an Output", folder)
		}
	}
}

// hasExample reports whether a file has an example that go test runs.
func hasExample(file *ast.File) bool {
	return slices.ContainsFunc(doc.Examples(file), func(e *doc.Example) bool { return e.Output != "" || e.EmptyOutput })
}
