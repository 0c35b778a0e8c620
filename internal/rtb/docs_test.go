package rtb_test

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"usher/internal/rtb"
)

// TestOpenAPIDocs holds docs.json to the comments of the sources. It is named
// so that one -run writes both generated files.
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
		if err := os.WriteFile("docs.json", want.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	committed, err := os.ReadFile("docs.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(committed, want.Bytes()) {
		t.Error("docs.json is not what the comments say: run go generate ./internal/rtb")
	}
	for _, op := range rtb.Operations() {
		if docs.Operation(op) == "" {
			t.Errorf("%s: no method of a service has a docstring that ends in %s %s", op.Name, op.Method, op.Path)
		}
	}
}

// endpoint is the last line of a docstring: the operation's method and path.
var endpoint = regexp.MustCompile(`(?m)^(GET|POST|PUT|DELETE) /v3/\S+$`)

// sourceDocs reads the comments of this package.
func sourceDocs(t *testing.T) rtb.Docs {
	t.Helper()
	docs := rtb.Docs{Operations: map[string]string{}, Fields: map[string]string{}}
	sources := func(info fs.FileInfo) bool { return !strings.HasSuffix(info.Name(), "_test.go") }
	packages, err := parser.ParseDir(token.NewFileSet(), ".", sources, parser.ParseComments) //nolint:staticcheck // one folder of plain files is all there is
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
	place := endpoint.FindString(text)
	if method.Recv == nil || place == "" {
		return
	}
	before, _, _ := strings.Cut(text, place)
	first, rest, _ := strings.Cut(strings.TrimSpace(before), " ")
	if first == method.Name.Name && rest != "" { // a help text begins with what is done
		before = strings.ToUpper(rest[:1]) + rest[1:]
	}
	docs.Operations[place] = forPeople(before)
}

// programmers are the words of a docstring that only programmers need, and what
// people read instead.
var programmers = []struct {
	words   *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`an? Permanent of class (\w+)`), "$1"},
	{regexp.MustCompile(`one of class (\w+)`), "$1"},
	{regexp.MustCompile(`the error is a Permanent with code (\w+)`), "it is refused with code $1"},
	{regexp.MustCompile(`an? Permanent with code (\w+)`), "an error with code $1"},
	{regexp.MustCompile(`usher\.ErrUnauthorized`), "unauthorized"},
	{regexp.MustCompile(`, whose Fault [^.;]*`), ""},
	{regexp.MustCompile(`; see [A-Z]\w+[^.;]*`), ""},
}

// forPeople is a docstring as a help text, a line each paragraph.
func forPeople(text string) string {
	var paragraphs []string
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		paragraph = strings.Join(strings.Fields(paragraph), " ")
		for _, p := range programmers {
			paragraph = p.words.ReplaceAllString(paragraph, p.instead)
		}
		sentences := slices.DeleteFunc(strings.SplitAfter(paragraph, ". "), func(sentence string) bool {
			return strings.Contains(sentence, "batch's") || strings.HasPrefix(sentence, "About the batch") || strings.HasPrefix(sentence, "What the platform refuses")
		})
		if paragraph = strings.TrimSpace(strings.Join(sentences, "")); paragraph != "" {
			paragraphs = append(paragraphs, paragraph)
		}
	}
	return strings.Join(paragraphs, "\n\n")
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
