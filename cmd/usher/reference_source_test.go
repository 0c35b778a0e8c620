package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// sources are the parsed Go files of the module, without tests, by their path.
var sources = sync.OnceValues(func() (map[string]*ast.File, error) {
	files := map[string]*ast.File{}
	set := token.NewFileSet()
	root := atRoot(".")
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() && path != root && (strings.HasPrefix(name, ".") || slices.Contains([]string{"testdata", "tools", "docs", "asm"}, name)) {
			return filepath.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		relative, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(relative)], err = parser.ParseFile(set, path, nil, parser.ParseComments)
		return err
	})
	return files, err
})

// eachNode calls visit with the nodes of the files in a folder, "" for all, in the order of
// the files' names.
func eachNode(t *testing.T, folder string, visit func(ast.Node)) {
	t.Helper()
	files, err := sources()
	if err != nil {
		t.Fatal(err)
	}
	names := make([]string, 0, len(files))
	for name := range files {
		if folder == "" || filepath.Dir(name) == folder {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		ast.Inspect(files[name], func(n ast.Node) bool {
			visit(n)
			return true
		})
	}
}

// printed returns the source text of an expression.
func printed(x ast.Expr) string {
	var text bytes.Buffer
	if printer.Fprint(&text, token.NewFileSet(), x) != nil {
		return ""
	}
	return text.String()
}

// oneLine returns a comment as one line.
func oneLine(groups ...*ast.CommentGroup) string {
	for _, g := range groups {
		if g != nil {
			return strings.Join(strings.Fields(g.Text()), " ")
		}
	}
	return ""
}

// literal returns a string constant as people read it, with … for what is known only when
// the program runs, or false if x is no text.
func literal(x ast.Expr) (string, bool) {
	switch x := x.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(x.Value)
		return text, err == nil && x.Kind == token.STRING
	case *ast.BinaryExpr:
		left, a := literal(x.X)
		right, b := literal(x.Y)
		if !a {
			left = "…"
		}
		if !b {
			right = "…"
		}
		return left + right, a || b
	case *ast.CallExpr:
		if strings.HasSuffix(printed(x.Fun), "Sprintf") {
			return literal(x.Args[0])
		}
	}
	return "", false
}

// constants returns the constants of a type of package usher, with their comments.
func constants(t *testing.T, typeName string) (values, comments []string) {
	t.Helper()
	eachNode(t, ".", func(n ast.Node) {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || spec.Type == nil || printed(spec.Type) != typeName || len(spec.Values) != 1 {
			return
		}
		if value, ok := literal(spec.Values[0]); ok {
			comment, named := strings.CutPrefix(oneLine(spec.Doc, spec.Comment), spec.Names[0].Name+": ")
			if named {
				comment = strings.ToUpper(comment[:1]) + comment[1:] // the beginning of a sentence
			}
			values, comments = append(values, value), append(comments, comment)
		}
	})
	return values, comments
}
