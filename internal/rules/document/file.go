package document

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// MaxFile is the size of the largest file, in bytes.
const MaxFile = 1 << 20

// ReadFile reads a file up to one byte more than the largest that Parse accepts.
func ReadFile(path string) ([]byte, error) {
	f, err := os.Open(path) //nolint:gosec // the configuration or the user names it
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	return io.ReadAll(io.LimitReader(f, MaxFile+1))
}

// File is a YAML file while it is read, and the problems found so far.
type File struct {
	Name     string
	Rule     string // name of the rule that is being read
	Feed     string // name of the feed that is being read
	Lines    []string
	Hints    Hints
	Problems []Problem
}

// NewFile returns a file that has not been parsed.
func NewFile(name string, data []byte) *File {
	return &File{Name: name, Lines: strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")}
}

// Place is a position in the file. Both numbers count from 1.
type Place struct{ Line, Column int }

// At returns a place.
func At(line, column int) Place { return Place{line, column} }

// PlaceOf returns the position of a node.
func PlaceOf(n ast.Node) Place {
	if n == nil || n.GetToken() == nil {
		return Place{1, 1}
	}
	return Place{n.GetToken().Position.Line, n.GetToken().Position.Column}
}

// Parse returns the one document of the file, or nil after an error. what names the kind of
// file, and keys lists its keys.
func (f *File) Parse(data []byte, what, keys string) ast.Node {
	if len(data) > MaxFile {
		f.Errorf(Place{1, 1}, "split it into several files", "the file has more than %d bytes", MaxFile)
		return nil
	}
	tree, err := parser.ParseBytes(data, 0)
	if err != nil {
		f.yamlError(err)
		return nil
	}
	var documents []ast.Node
	for _, document := range tree.Docs {
		if document.Body != nil {
			documents = append(documents, document.Body)
		}
	}
	if len(documents) != 1 {
		f.Errorf(Place{1, 1}, "write "+keys, "%s must be one document, and this has %d", what, len(documents))
		return nil
	}
	return documents[0]
}

// Errorf adds an error. The hint says what to write instead.
func (f *File) Errorf(at Place, hint, format string, args ...any) {
	f.add(at, true, hint, fmt.Sprintf(format, args...))
}

// Warnf adds a warning.
func (f *File) Warnf(at Place, hint, format string, args ...any) {
	f.add(at, false, hint, fmt.Sprintf(format, args...))
}

func (f *File) add(at Place, isError bool, hint, message string) {
	f.Problems = append(f.Problems, f.Problem(at, isError, hint, message))
}

// Problem returns a problem at a place without adding it.
func (f *File) Problem(at Place, isError bool, hint, message string) Problem {
	at.Line = min(at.Line, f.lastLine())
	p := Problem{File: f.Name, Line: at.Line, Column: at.Column, Error: isError, Rule: f.Rule, Feed: f.Feed, Message: message, Hint: hint}
	if at.Line >= 1 && at.Line <= len(f.Lines) {
		p.Excerpt = f.Lines[at.Line-1]
		p.Column = min(p.Column, utf8.RuneCountInString(p.Excerpt)+1)
	}
	return p
}

// Required is a key that a mapping must have.
type Required struct{ Key, Hint string }

// Require adds an error for each key that is missing.
func (f *File) Require(given map[string]Place, at Place, keys ...Required) {
	for _, k := range keys {
		if _, ok := given[k.Key]; !ok {
			f.Errorf(at, k.Hint, "key %q is missing", k.Key)
		}
	}
}

// Problem is an error or a warning about a file.
type Problem struct {
	File    string `json:"file"`
	Line    int    `json:"line"`           // from 1
	Column  int    `json:"column"`         // from 1
	Error   bool   `json:"error"`          // false: a warning
	Rule    string `json:"rule,omitempty"` // of a rule file
	Feed    string `json:"feed,omitempty"` // of a feed file
	Message string `json:"message"`
	Hint    string `json:"hint"`    // what to write instead
	Excerpt string `json:"excerpt"` // the line
}

// String returns the problem in the form of a compiler's message, with the line and
// a mark below it.
func (p Problem) String() string {
	kind := "warning"
	if p.Error {
		kind = "error"
	}
	text := fmt.Sprintf("%s:%d:%d: %s: %s", p.File, p.Line, p.Column, kind, p.Message)
	if p.Hint != "" {
		text += "\n    " + p.Hint
	}
	if p.Excerpt != "" {
		number := fmt.Sprintf("%5d", p.Line)
		// Tabs stay tabs, so that the mark is below its column.
		before := strings.Map(func(r rune) rune {
			if r == '\t' {
				return r
			}
			return ' '
		}, string([]rune(p.Excerpt)[:min(max(p.Column-1, 0), len([]rune(p.Excerpt)))]))
		text += fmt.Sprintf("\n%s | %s\n%s | %s^", number, p.Excerpt, strings.Repeat(" ", len(number)), before)
	}
	return text
}

// Errors reports whether one of the problems is an error.
func Errors(problems []Problem) bool {
	return slices.ContainsFunc(problems, func(p Problem) bool { return p.Error })
}

// Sort sorts problems by their place in the file.
func Sort(problems []Problem) {
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// yamlError adds an error of the YAML parser.
func (f *File) yamlError(err error) {
	at, message := Place{1, 1}, err.Error()
	var positioned interface {
		error
		GetToken() *token.Token
		GetMessage() string
	}
	if errors.As(err, &positioned) {
		message = positioned.GetMessage()
		if t := positioned.GetToken(); t != nil {
			at = Place{t.Position.Line, t.Position.Column}
		}
	}
	at, message, hint := f.explainYAML(at, message)
	f.Errorf(at, hint, "the file is not valid YAML: %s", message)
}

// lastLine returns the number of lines, of which a CR ends one, too (YAML 1.2.2, 5.4). The parser counts some line
// ends twice, such as those within quotes.
func (f *File) lastLine() int {
	n := len(f.Lines)
	for _, line := range f.Lines {
		n += strings.Count(line, "\r")
	}
	return n
}

// The lines of which the YAML parser's messages do not say what is wrong with them.
const (
	tabbed   = `^ *\t`
	unspaced = `^( *(?:- )?)(\w+) *[:=] *(\S.*)$`                          // window:yesterday, window = yesterday
	unquoted = `^( *(?:- )?)(\w+): +([!>|*&%@` + "`" + `].*|[^"'].*: .*)$` // schedule: */15 * * * *
	starred  = `^(.*?[[,:{] *)(\*[^] ,}]*)`                                // [*-loyalty]
)

// explainYAML returns the Place, the message and the hint for an error of the YAML
// parser, in plain words if its line is one of the usual mistakes.
func (f *File) explainYAML(at Place, message string) (where Place, what, hint string) {
	for i, line := range f.Lines {
		if tabs := regexp.MustCompile(tabbed).FindString(line); tabs != "" {
			return Place{i + 1, len(tabs)}, "the line is indented with a tab", "indent with spaces"
		}
	}
	hint = "indent with spaces, equally for lines of one block; put quotes around text that begins with : # or *"
	if at.Line < 1 || at.Line > len(f.Lines) {
		return at, message, hint
	}
	line := strings.TrimRight(f.Lines[at.Line-1], " ")
	if parts := regexp.MustCompile(unquoted).FindStringSubmatch(line); parts != nil && !strings.HasPrefix(parts[3], "[") && !strings.HasPrefix(parts[3], "{") {
		return Place{at.Line, len(line) - len(parts[3]) + 1}, "the text has a sign that YAML reads otherwise", fmt.Sprintf("put quotes around it: %s: '%s'", parts[2], strings.ReplaceAll(parts[3], "'", "''"))
	}
	if parts := regexp.MustCompile(starred).FindStringSubmatch(line); parts != nil {
		return Place{at.Line, utf8.RuneCountInString(parts[1]) + 1}, "a * begins an alias", fmt.Sprintf("put quotes around it: %q", parts[2])
	}
	if parts := regexp.MustCompile(unspaced).FindStringSubmatch(line); parts != nil && !strings.Contains(line, ": ") {
		return Place{at.Line, len(parts[1]) + 1}, "a key must end with a colon and a space", fmt.Sprintf("write %s: %s", parts[2], parts[3])
	}
	return at, message, hint
}
