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

// fileName matches the name of a file in a package comment, but not the path of a file in
// another package.
var fileName = regexp.MustCompile(`(?m)(?:^|[^/.a-z0-9_])([a-z0-9_]+\.go)\b`)

// The comment of a package with several files must name each of them, and no others.
func TestPackageCommentsNameAllFiles(t *testing.T) {
	t.Parallel()
	maps, sources := map[string]bool{}, map[string]int{} // by folder
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if entry.IsDir() && path != "." && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata" || path == "tools") {
			return fs.SkipDir
		}
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		folder := filepath.Dir(path)
		if entry.Name() != "doc.go" && !strings.HasSuffix(path, "_test.go") {
			sources[folder]++
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.PackageClauseOnly)
		if err != nil || file.Doc == nil {
			return err
		}
		const minNames = 2 // a comment that names fewer files is not a map
		var names []string
		for _, match := range fileName.FindAllStringSubmatch(file.Doc.Text(), -1) {
			names = append(names, match[1])
		}
		if len(names) >= minNames {
			maps[folder] = true
			checkMap(t, path, names)
		}
		return nil
	})
	if err != nil || len(maps) < 10 {
		t.Errorf("checked %d maps, %v", len(maps), err)
	}
	for folder, n := range sources {
		if n > 1 && !maps[folder] {
			t.Errorf("the package comment in %s does not name its %d files", folder, n)
		}
	}
}

// sourcePath matches the name of a Go file in a text, with or without its folders.
var sourcePath = regexp.MustCompile(`(?:^|[^\w./*-])((?:[\w.-]+/)*\w+\.go)\b`)

// Each Go file that a comment, CONTRIBUTING.md or the handbook names must exist, perhaps below a
// folder that is not named.
func TestNamedFilesExist(t *testing.T) {
	t.Parallel()
	existing, texts := map[string]bool{}, map[string][]string{}
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if entry.IsDir() && path != "." && strings.HasPrefix(entry.Name(), ".") {
			return fs.SkipDir
		}
		if err != nil || entry.IsDir() {
			return err
		}
		for rest, more := filepath.ToSlash(path), true; more; _, rest, more = strings.Cut(rest, "/") {
			existing[rest] = true
		}
		switch ext := filepath.Ext(path); {
		case ext == ".md" && path != "CHANGELOG.md":
			text, err := os.ReadFile(path)
			texts[path] = []string{string(text)}
			return err
		case ext == ".go" && !strings.Contains(path, "testdata"):
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, group := range file.Comments {
				if text := group.Text(); strings.Contains(text, ".go") {
					texts[path] = append(texts[path], text)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	names := 0
	for path, all := range texts {
		for _, text := range all {
			for _, name := range sourcePath.FindAllStringSubmatch(text, -1) {
				names++
				if named := strings.TrimLeft(name[1], "./"); !existing[named] {
					t.Errorf("%s names %s, which does not exist", path, name[1])
				}
			}
		}
	}
	if names < 500 {
		t.Errorf("found only %d names of files", names)
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

// mapRow matches a row of CONTRIBUTING.md's map, and what it says of its folder.
var mapRow = regexp.MustCompile(`(?m)^\| \[[^|]*\) \| (.*) \|$`)

// CONTRIBUTING.md has a map of all packages: a row names folders, and the packages below its
// folder in backquotes.
func TestContributingNamesAllPackages(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	link, word := regexp.MustCompile(`\]\(([^)]+)\)`), regexp.MustCompile("`([a-z]+)`")
	named := map[string]bool{"": true}
	for _, row := range mapRow.FindAllStringSubmatch(string(text), -1) {
		folders := link.FindAllStringSubmatch(row[0], -1)
		for _, folder := range folders {
			named[folder[1]] = true
		}
		for _, name := range word.FindAllStringSubmatch(row[1], -1) {
			named[folders[0][1]+"/"+name[1]] = true
		}
	}
	missing := map[string]bool{}
	eachSource(t, func(pkg, _ string, _ *ast.File) {
		if !named[pkg] && !strings.HasPrefix(pkg, inCommand) && !missing[pkg] {
			missing[pkg] = true
			t.Errorf("the map in CONTRIBUTING.md lacks %s", pkg)
		}
	})
}
