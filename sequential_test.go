package usher_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// make test runs the packages of SEQUENTIAL in the Makefile without the race detector, because
// their code starts no goroutine and shares nothing that needs a lock.
func TestSequentialPackages(t *testing.T) {
	t.Parallel()
	makefile, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`(?m)^SEQUENTIAL +:= ((?:.*\\\n)*.*)$`).FindSubmatch(makefile)
	if list == nil {
		t.Fatal("the Makefile has no SEQUENTIAL")
	}
	packages := strings.Fields(strings.ReplaceAll(string(list[1]), "\\\n", " "))
	if len(packages) < 10 {
		t.Errorf("only %q", packages)
	}
	for _, name := range packages {
		files, err := filepath.Glob(strings.TrimPrefix(name, "usher/") + "/*.go")
		if err != nil || len(files) == 0 {
			t.Errorf("%s: no Go files: %v", name, err)
		}
		for _, file := range files {
			if !strings.HasSuffix(file, "_test.go") {
				checkSequential(t, file)
			}
		}
	}
}

// checkSequential fails the test if a file starts a goroutine or synchronizes goroutines. Lazy
// initialization and pools are safe in themselves.
func checkSequential(t *testing.T, file string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			t.Errorf("%s starts a goroutine", file)
		case *ast.ImportSpec:
			if path := strings.Trim(n.Path.Value, `"`); path == "sync/atomic" || path == "golang.org/x/sync/errgroup" {
				t.Errorf("%s imports %s", file, path)
			}
		case *ast.SelectorExpr:
			of, _ := n.X.(*ast.Ident)
			safe := []string{"OnceFunc", "OnceValue", "OnceValues", "Pool"}
			if of != nil && of.Name == "sync" && !slices.Contains(safe, n.Sel.Name) {
				t.Errorf("%s uses sync.%s", file, n.Sel.Name)
			}
		}
		return true
	})
}

// make test runs the tests that skip themselves under the race detector again without it: by
// name, in the packages of SKIPPED.
func TestSkippedTestsRun(t *testing.T) {
	t.Parallel()
	makefile, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`(?m)^SKIPPED +:= (.*)$`).FindSubmatch(makefile)
	if list == nil {
		t.Fatal("the Makefile has no SKIPPED")
	}
	run := append(strings.Fields(string(list[1])), "./internal/racetest")
	err = filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		for _, name := range functionsThatSkip(t, path) {
			sequential := strings.Contains(string(makefile), " usher/"+filepath.Dir(path)+" ")
			if !sequential && (!slices.Contains(run, "./"+filepath.Dir(path)) || !strings.HasPrefix(name, "Test")) {
				t.Errorf("%s: make test does not run %s without the race detector", path, name)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// functionsThatSkip returns the functions of a file that call package racetest.
func functionsThatSkip(t *testing.T, file string) (names []string) {
	t.Helper()
	source, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(source), "racetest.") {
		return nil
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), file, source, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range parsed.Decls {
		ast.Inspect(d, func(n ast.Node) bool {
			if of, ok := n.(*ast.SelectorExpr); ok {
				if x, _ := of.X.(*ast.Ident); x != nil && x.Name == "racetest" {
					names = append(names, d.(*ast.FuncDecl).Name.Name)
				}
			}
			return true
		})
	}
	return names
}
