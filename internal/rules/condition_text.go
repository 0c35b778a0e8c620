package rules

import (
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// condition reads the text of a condition. It also returns a function that turns a
// position in the text, as CEL reports it, into one in the file.
func (f *file) condition(n ast.Node, what string) (string, func(line, column int) place) {
	if block, ok := n.(*ast.LiteralNode); ok {
		return f.block(block)
	}
	text := f.conditionText(n, what)
	begin := placeOf(n)
	if t := n.GetToken(); t != nil && (t.Type == token.DoubleQuoteType || t.Type == token.SingleQuoteType) {
		begin.column++
	}
	return text, func(line, column int) place {
		at := place{begin.line, begin.column + column}
		// Beyond the line: YAML joined it with the lines below.
		if line > 1 || at.line > len(f.lines) || at.column > utf8.RuneCountInString(f.lines[at.line-1])+1 {
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
		if text, ok := scalarText(n); ok {
			return text
		}
	}
	f.errorf(placeOf(n), hint, "%s must be one line of text, and this is %s", what, kindOf(n))
	return ""
}

// block reads a text below | or > with the line breaks of the file, which are like
// spaces to CEL.
func (f *file) block(n *ast.LiteralNode) (string, func(line, column int) place) {
	first := n.Start.Position.Line // of the text, from 0
	indent, last := 0, first
	for ; last < len(f.lines); last++ {
		line := f.lines[last]
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
	for _, line := range f.lines[first:last] {
		text = append(text, strings.TrimRight(line[min(indent, len(line)):], " \r"))
	}
	return strings.TrimRight(strings.Join(text, "\n"), "\n"), func(line, column int) place {
		return place{first + line, indent + column + 1}
	}
}
