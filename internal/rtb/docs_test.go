package rtb_test

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"usher/internal/rtb"
)

// TestOpenAPIDocs compares docs.json with the comments of the sources. Its name lets
// one -run write both generated files.
func TestOpenAPIDocs(t *testing.T) {
	t.Parallel()
	docs := sourceDocs(t)
	var want bytes.Buffer
	encoder := json.NewEncoder(&want)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(docs); err != nil {
		t.Fatal(err)
	}
	if *update {
		writePacked(t, "docs.json", want.Bytes())
	}
	committed, err := os.ReadFile("docs.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(committed, want.Bytes()) || !*update && !reflect.DeepEqual(rtb.ReadDocs(), docs) {
		t.Error("docs.json differs from the comments: run go generate ./internal/rtb")
	}
	for _, op := range rtb.Operations() {
		if docs.Operation(op) == "" {
			t.Errorf("%s: no method of a service has a comment that ends in %s %s", op.Name, op.Method, op.Path)
		}
	}
}

// lastLine matches the last line of a method's comment: the operation's method and
// path.
var lastLine = regexp.MustCompile(`(?m)^(GET|POST|PUT|DELETE) /v3/\S+$`)

// sourceDocs reads the comments of this package.
func sourceDocs(t *testing.T) rtb.Docs {
	t.Helper()
	docs := rtb.Docs{Operations: map[string]string{}, Fields: map[string]string{}}
	sources := func(info fs.FileInfo) bool { return !strings.HasSuffix(info.Name(), "_test.go") }
	packages, err := parser.ParseDir(token.NewFileSet(), ".", sources, parser.ParseComments) //nolint:staticcheck // the folder has one package without build tags
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range packages["rtb"].Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				readMethod(docs, n)
			case *ast.TypeSpec:
				readRecord(docs, n)
			}
			return true
		})
	}
	return docs
}

func readMethod(docs rtb.Docs, method *ast.FuncDecl) {
	text := method.Doc.Text()
	endpoint := lastLine.FindString(text)
	if method.Recv == nil || endpoint == "" {
		return
	}
	before, _, _ := strings.Cut(text, endpoint)
	// The help begins with the verb, not with the name of the method.
	_, before, _ = strings.Cut(strings.TrimSpace(before), " ")
	if before == "" {
		return
	}
	before = strings.ToUpper(before[:1]) + before[1:]
	var paragraphs []string
	for paragraph := range strings.SplitSeq(before, "\n\n") {
		paragraphs = append(paragraphs, strings.Join(strings.Fields(paragraph), " "))
	}
	docs.Operations[endpoint] = imperative(strings.Join(paragraphs, "\n\n"))
}

// laterVerb matches a further verb of a first sentence, and what follows it: "creates a
// user, or edits its password".
var laterVerb = regexp.MustCompile(`\b(edit|link|replace|return|update)s (a|it|its|the)\b`)

// imperative changes the verbs of the first sentence, which a comment has in the third
// person, to those of a help: "Create a user, or edit its password".
func imperative(text string) string {
	first, rest, _ := strings.Cut(text, ". ")
	verb, object, _ := strings.Cut(first, " ")
	first = strings.TrimSuffix(verb, "s") + " " + laterVerb.ReplaceAllString(object, "$1 $2")
	if rest == "" {
		return first
	}
	return first + ". " + rest
}

func readRecord(docs rtb.Docs, spec *ast.TypeSpec) {
	record, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, field := range record.Fields.List {
		text := strings.Join(strings.Fields(field.Doc.Text()+" "+field.Comment.Text()), " ")
		for _, name := range field.Names {
			if field.Tag != nil && text != "" {
				docs.Fields[spec.Name.Name+"."+name.Name] = text
			}
		}
	}
}
