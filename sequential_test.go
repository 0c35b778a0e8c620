package usher_test

import (
	"go/ast"
	"go/parser"
	"go/token"
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
