package rules

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// file is a rule file while it is read, and the problems found so far.
type file struct {
	name     string
	lines    []string
	ruleName string // of the rule that is being read
	problems []Problem
}

// place is a position in the file. Both numbers count from 1.
type place struct{ line, column int }

func placeOf(n ast.Node) place {
	if n == nil || n.GetToken() == nil {
		return place{1, 1}
	}
	return place{n.GetToken().Position.Line, n.GetToken().Position.Column}
}

// errorf adds an error. The hint says what to write instead.
func (f *file) errorf(at place, hint, format string, args ...any) {
	f.add(at, true, hint, fmt.Sprintf(format, args...))
}

// warnf adds a warning.
func (f *file) warnf(at place, hint, format string, args ...any) {
	f.add(at, false, hint, fmt.Sprintf(format, args...))
}

func (f *file) add(at place, isError bool, hint, message string) {
	p := Problem{File: f.name, Line: at.line, Column: at.column, Error: isError, Rule: f.ruleName, Message: message, Hint: hint}
	if at.line >= 1 && at.line <= len(f.lines) {
		p.Excerpt = f.lines[at.line-1]
		p.Column = min(p.Column, utf8.RuneCountInString(p.Excerpt)+1)
	}
	f.problems = append(f.problems, p)
}

// entries calls the function of each key of a mapping with its value. A key without
// a function is an error. It returns the places of the keys, or nil if n is not a
// mapping.
func (f *file) entries(n ast.Node, what string, keys map[string]func(ast.Node)) map[string]place {
	m, ok := n.(ast.MapNode)
	if !ok {
		f.errorf(placeOf(n), "write one key a line: "+strings.Join(sorted(keys), ", "), "%s must be keys with values, and this is %s", what, kindOf(n))
		return nil
	}
	given := map[string]place{}
	for each := m.MapRange(); each.Next(); {
		key := each.Key().GetToken().Value
		read, known := keys[key]
		if !known {
			hint := "it takes: " + strings.Join(sorted(keys), ", ")
			if near := nearest(key, sorted(keys)); near != "" {
				hint = fmt.Sprintf("did you mean %q?", near)
				given[near] = placeOf(each.Key()) // so that it is not reported as missing, too
			}
			f.errorf(placeOf(each.Key()), hint, "%s has no key %q", what, key)
			continue
		}
		given[key] = placeOf(each.Key())
		if _, empty := each.Value().(*ast.NullNode); empty {
			f.errorf(placeOf(each.Key()), "give it a value, or leave the key out", "key %q has no value", key)
			continue
		}
		read(each.Value())
	}
	return given
}

// items calls read with each item of a list.
func (f *file) items(n ast.Node, what string, read func(ast.Node)) {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		f.errorf(placeOf(n), "write a list: one line that begins with - for each item", "%s must be a list, and this is %s", what, kindOf(n))
		return
	}
	for _, item := range list.Values {
		read(item)
	}
}

// text returns the text of a scalar.
func (f *file) text(n ast.Node, what string) (string, bool) {
	switch v := n.(type) {
	case *ast.StringNode:
		return v.Value, true
	case *ast.LiteralNode:
		return v.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n.GetToken().Value, true
	}
	f.errorf(placeOf(n), "write one word or number", "%s must be a text, and this is %s", what, kindOf(n))
	return "", false
}

// word reads one of several words. It returns "" for any other.
func (f *file) word(n ast.Node, what string, words ...string) string {
	text, ok := f.text(n, what)
	if !ok {
		return ""
	}
	if slices.Contains(words, text) {
		return text
	}
	f.errorf(placeOf(n), suggest(text, words, "write one of: "+strings.Join(words, ", ")), "unknown %s %q", what, text)
	return ""
}

// number reads a finite number.
func (f *file) number(n ast.Node, what string) (float64, bool) {
	text, ok := f.text(n, what)
	if !ok {
		return 0, false
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		f.errorf(placeOf(n), "write digits, such as 5000", "%s must be a number, and this is %q", what, text)
		return 0, false
	}
	return v, true
}

// integer reads an integer of at least low.
func (f *file) integer(n ast.Node, what string, low int) int {
	v, ok := f.number(n, what)
	if ok && (v != math.Trunc(v) || v < float64(low) || v > 1e9) {
		f.errorf(placeOf(n), fmt.Sprintf("write a whole number from %d", low), "%s must be a whole number of at least %d, and this is %s", what, low, numberText(v))
		return 0
	}
	return int(v)
}

// duration reads a duration above 0. Days may be written as 2d.
func (f *file) duration(n ast.Node, what string) time.Duration {
	text, ok := f.text(n, what)
	if !ok {
		return 0
	}
	d, err := time.ParseDuration(text)
	if days, found := strings.CutSuffix(text, "d"); found && err != nil {
		var count float64
		count, err = strconv.ParseFloat(days, 64)
		d = time.Duration(count * 24 * float64(time.Hour))
	}
	if err != nil || d <= 0 || d > 10*366*24*time.Hour {
		f.errorf(placeOf(n), "write a duration such as 30m, 1h or 2d", "%s must be a duration, and this is %q", what, text)
		return 0
	}
	return d
}

// share reads a percentage above 0 % and up to 100 %, such as 20%, as a fraction.
func (f *file) share(n ast.Node, what string) float64 {
	text, ok := f.text(n, what)
	if !ok {
		return 0
	}
	digits, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if err != nil || !percent || v <= 0 || v > 100 {
		f.errorf(placeOf(n), "write a percentage above 0% and up to 100%, such as 20%", "%s must be a percentage, and this is %q", what, text)
		return 0
	}
	return v / 100
}

// condition reads the text of a condition. It also returns a function that turns a
// position in the text, as CEL reports it, into one in the file.
func (f *file) condition(n ast.Node, what string) (string, func(line, column int) place) {
	if block, ok := n.(*ast.LiteralNode); ok {
		return f.block(block)
	}
	text, _ := f.text(n, what)
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

func kindOf(n ast.Node) string {
	switch n.(type) {
	case ast.MapNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.NullNode:
		return "nothing"
	case *ast.AnchorNode, *ast.AliasNode:
		return "an anchor or alias, which rule files cannot have"
	case *ast.TagNode:
		return "a tag, which rule files cannot have"
	}
	return "a single value"
}
