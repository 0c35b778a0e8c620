package command_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
)

func TestHintsInFlags(t *testing.T) {
	t.Parallel()
	for hint, want := range map[string]string{
		"submit the job again with source.cut: false, which reads quoted line ends in one piece": "use --no-cut, which reads quoted line ends in one piece",
		"name the profile, or set source.column to one of: 1 (a)":                                "give --profile, or set --column to one of: 1 (a)",
		"set the profile to aaid, or set source.column to 2 (gaid)":                              "give --profile aaid, or set --column to 2 (gaid)",
		"set input to md5 if its values are MD5 digests":                                         "give --input md5 if its values are MD5 digests",
		"set source.cut: false":                                    "use --no-cut",
		"set source.column to one of: a, b":                        "set --column to one of: a, b",
		"set source.column to the column's number":                 "set --column to the column's number",
		"set source.skip to their number, 2":                       "set --skip to their number, 2",
		"set source.escape, source.quote or source.delimiter":      "set --escape, --quote or --delimiter",
		"remove source.typeColumn, or set source.format to csv":    "remove --type-column, or set --format to csv",
		"set source.incompleteLastRow to drop; if":                 "set --incomplete-last-row to drop; if",
		"set source.sheet to one of: a, b":                         "set --sheet to one of: a, b",
		"or leave source.doneMarker out":                           "or leave --done-marker out",
		"give source.url as file:///absolute/path":                 "give FILE as file:///absolute/path",
		"give source.url or source.ids":                            "give FILE or --ids",
		"read source: source.delimiter is unknown":                 "read source: --delimiter is unknown",
		`read source "/data/source.column": it breaks off`:         `read source "/data/source.column": it breaks off`,
		"check sources.allow and source.unheard":                   "check sources.allow and source.unheard",
		"replay the job when the cause is fixed":                   "replay the job when the cause is fixed",
		"the column that source.column names holds no text (yet).": "the column that --column names holds no text (yet).",
	} {
		if got := command.InFlags(hint); got != want {
			t.Errorf("InFlags(%q) = %q, want %q", hint, got, want)
		}
	}
}

// TestEveryHintHasFlags checks that every message of the packages that read exports names
// flags that exist once its fields are replaced.
func TestEveryHintHasFlags(t *testing.T) {
	t.Parallel()
	cmd := &cobra.Command{}
	new(command.SourceFlags).AddFlags(cmd)
	flag := regexp.MustCompile(`--([a-z-]+)`)
	found := 0
	for _, text := range messagesBelow(t, filepath.Join("..", "..", "..", "..", "internal", "exports")) {
		if !strings.Contains(text, "source.") {
			continue
		}
		found++
		if text = strings.ReplaceAll(text, "source.%s", "source.typeColumn"); strings.HasSuffix(text, "source.") {
			text += "typeColumn" // a field is appended
		}
		shown := command.InFlags(text)
		if strings.Contains(shown, "source.") || strings.Contains(shown, ": false") {
			t.Errorf("%q becomes %q", text, shown)
		}
		for _, name := range flag.FindAllStringSubmatch(shown, -1) {
			if cmd.Flags().Lookup(name[1]) == nil && name[1] != "ids" {
				t.Errorf("%q becomes %q, but there is no flag --%s", text, shown, name[1])
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d messages with fields were found", found)
	}
}

// messagesBelow returns the string literals with a space in the Go files below a folder.
func messagesBelow(t *testing.T, dir string) []string {
	t.Helper()
	var texts []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		tree, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil && strings.Contains(text, " ") {
					texts = append(texts, text)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}
