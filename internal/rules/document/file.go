package document

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
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
