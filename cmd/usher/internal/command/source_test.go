package command_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
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
		"name the profile, or set source.column to one of: 1 (a)":                                "give --profile, or use --column with one of: 1 (a)",
		"set the profile to aaid, or set source.column to \"2\", which is gaid":                  "use --profile aaid, or use --column \"2\", which is gaid",
		"set input to md5 if its values are MD5 digests":                                         "use --input md5 if its values are MD5 digests",
		"set source.column to a number from 1 to 5":                                              "use --column with a number from 1 to 5",
		"set source.column to a":                                                                 "use --column a",
		"set source.delimiter to one of them":                                                    "use --delimiter with one of them",
		"set source.cut: false":                                                                  "use --no-cut",
		"set source.column to one of: a, b":                                                      "use --column with one of: a, b",
		"set source.column to the column's number":                                               "use --column with the column's number",
		`set source.only to ["consent=yes|ja","deleted=no"] to leave`:                            "use --only 'consent=yes|ja' --only deleted=no to leave",
		`source.disregard to ["a b","c"] if`:                                                     "--disregard 'a b' --disregard c if",
		"set source.skip to their number, 2":                                                     "use --skip with their number, 2",
		"set source.escape, source.quote or source.delimiter":                                    "use --escape, --quote or --delimiter",
		"remove source.typeColumn, or set source.format to csv":                                  "remove --type-column, or use --format csv",
		"set source.incompleteLastRow to drop; if":                                               "use --incomplete-last-row drop; if",
		`set source.sheet to one of: "a", "b c"`:                                                 `use --sheet with one of: "a", "b c"`,
		`set source.skip to 2, or source.skip to "#", which they begin with`:                     `use --skip 2, or --skip "#", which they begin with`,
		"if a backslash escapes its quotes, set source.escape to backslash":                      "if a backslash escapes its quotes, use --escape backslash",
		"if that is right, set maxRejectPercent to 100, and":                                     "if that is right, use --max-reject-percent 100, and",
		`submit the job again with "acceptChange": true and "force": true, which`:                "submit it again with --accept-change --force, which",
		"or raise maxRejectPercent":                                                              "or raise --max-reject-percent",
		"or leave source.doneMarker out":                                                         "or leave --done-marker out",
		"give source.url as file:///absolute/path":                                               "give FILE as file:///absolute/path",
		"give source.url or source.ids":                                                          "give FILE or --ids",
		"read source: source.delimiter is unknown":                                               "read source: --delimiter is unknown",
		`read source "/data/source.column": it breaks off`:                                       `read source "/data/source.column": it breaks off`,
		"check sources.allow and source.unheard":                                                 "check sources.allow and source.unheard",
		"replay the job when the cause is fixed":                                                 "replay the job when the cause is fixed",
		"the column that source.column names holds no text (yet).":                               "the column that --column names holds no text (yet).",
	} {
		if got := command.InFlags(hint); got != want {
			t.Errorf("InFlags(%q) = %q, want %q", hint, got, want)
		}
	}
}

func TestHintsWithFlags(t *testing.T) {
	t.Parallel()
	for hint, want := range map[string]string{
		"set source.column to one of: 1 (a)":             "set source.column (--column) to one of: 1 (a)",
		"remove source.typeColumn, or write it as CSV":   "remove source.typeColumn (--type-column), or write it as CSV",
		"submit the job again with source.cut: false":    "submit the job again with source.cut: false (--no-cut)",
		"give source.url or source.ids":                  "give source.url or source.ids (--ids)",
		`read source "/data/source.column": it is empty`: `read source "/data/source.column": it is empty`,
	} {
		if got := command.WithFlags(hint); got != want {
			t.Errorf("WithFlags(%q) = %q, want %q", hint, got, want)
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
			if cmd.Flags().Lookup(name[1]) == nil && !slices.Contains([]string{"ids", "profile"}, name[1]) {
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
