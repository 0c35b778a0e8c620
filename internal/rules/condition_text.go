package rules

import (
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"usher/internal/rules/document"
)

// condition reads the text of a condition. It also returns a function that turns a
// position in the text, as CEL reports it, into one in the file.
func (f *file) condition(n ast.Node, what string) (string, func(line, column int) document.Place) {
	if block, ok := n.(*ast.LiteralNode); ok {
		return f.block(block)
	}
	text := f.conditionText(n, what)
	begin := document.PlaceOf(n)
	if t := n.GetToken(); t != nil && (t.Type == token.DoubleQuoteType || t.Type == token.SingleQuoteType) {
		begin.Column++
	}
	return text, func(line, column int) document.Place {
		at := document.At(begin.Line, begin.Column+column)
		// Beyond the line: YAML joined it with the lines below.
		if line > 1 || at.Line > len(f.Lines) || at.Column > utf8.RuneCountInString(f.Lines[at.Line-1])+1 {
			return begin
		}
		return at
	}
}

// conditionText returns the text of a condition in one line, or "" after it has added
// an error.
func (f *file) conditionText(n ast.Node, what string) string {
	hint := "write one line, such as clicks > 5"
	switch n.(type) {
	case *ast.SequenceNode:
		hint = "join comparisons with && (all of them) or || (any of them): clicks > 5 && won > 5"
	case *ast.TagNode:
		hint = "put quotes around a condition that begins with !"
	default:
		if text, ok := document.ScalarText(n); ok {
			return text
		}
	}
	f.Errorf(document.PlaceOf(n), hint, "%s must be one line of text, and this is %s", what, document.KindOf(n))
	return ""
}

// block reads a text below | or > with the line breaks of the file, which are like
// spaces to CEL.
func (f *file) block(n *ast.LiteralNode) (string, func(line, column int) document.Place) {
	first := n.Start.Position.Line // of the text, from 0
	indent, last := 0, first
	for ; last < len(f.Lines); last++ {
		line := f.Lines[last]
		if strings.TrimSpace(line) == "" {
			continue
		}
		depth := len(line) - len(strings.TrimLeft(line, " "))
		if indent == 0 {
			indent = depth
		}
		if depth < indent || indent == 0 {
			break
		}
	}
	var text []string
	for _, line := range f.Lines[first:last] {
		text = append(text, strings.TrimRight(line[min(indent, len(line)):], " \r"))
	}
	return strings.TrimRight(strings.Join(text, "\n"), "\n"), func(line, column int) document.Place {
		return document.At(first+line, indent+column+1)
	}
}
