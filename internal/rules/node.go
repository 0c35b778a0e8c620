package rules

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// file is a rule file while it is read: where everything stands, and what was
// found wrong with it.
type file struct {
	name     string
	lines    []string
	rule     string // whose part is being read
	problems []Problem
}

// place is a position in the file, both from 1 on.
type place struct{ line, column int }

func placeOf(n ast.Node) place {
	if n == nil || n.GetToken() == nil {
		return place{1, 1}
	}
	return place{n.GetToken().Position.Line, n.GetToken().Position.Column}
}

// wrongf notes an error, and warnf a warning, with what to write instead.
func (f *file) wrongf(at place, hint, format string, args ...any) {
	f.note(at, true, hint, fmt.Sprintf(format, args...))
}

func (f *file) warnf(at place, hint, format string, args ...any) {
	f.note(at, false, hint, fmt.Sprintf(format, args...))
}

func (f *file) note(at place, isError bool, hint, message string) {
	p := Problem{File: f.name, Line: at.line, Column: at.column, Error: isError, Rule: f.rule, Message: message, Hint: hint}
	if at.line >= 1 && at.line <= len(f.lines) {
		p.Excerpt = f.lines[at.line-1]
		p.Column = min(p.Column, utf8.RuneCountInString(p.Excerpt)+1)
	}
	f.problems = append(f.problems, p)
}

// entries are what a mapping holds, each handed to the function of its key. A
// key without a function is an error. It reports which keys there were.
func (f *file) entries(n ast.Node, what string, keys map[string]func(ast.Node)) map[string]place {
	m, ok := n.(ast.MapNode)
	if !ok {
		f.wrongf(placeOf(n), "write keys below each other: "+strings.Join(sorted(keys), ", "), "%s holds keys and values, and this is %s", what, kindOf(n))
		return nil
	}
	there := map[string]place{}
	for each := m.MapRange(); each.Next(); {
		key := each.Key().GetToken().Value
		read, known := keys[key]
		if !known {
			hint := "it takes: " + strings.Join(sorted(keys), ", ")
			if near := nearest(key, sorted(keys)); near != "" {
				hint = fmt.Sprintf("did you mean %q?", near)
				there[near] = placeOf(each.Key()) // so that it is not missed, too
			}
			f.wrongf(placeOf(each.Key()), hint, "%s has no key %q", what, key)
			continue
		}
		there[key] = placeOf(each.Key())
		if _, empty := each.Value().(*ast.NullNode); empty {
			f.wrongf(placeOf(each.Key()), "give it a value, or leave the key out", "key %q has no value", key)
			continue
		}
		read(each.Value())
	}
	return there
}

// items hands every item of a list to read.
func (f *file) items(n ast.Node, what string, read func(ast.Node)) {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		f.wrongf(placeOf(n), "write a list: a line beginning with - for each", "%s is a list, and this is %s", what, kindOf(n))
		return
	}
	for _, item := range list.Values {
		read(item)
	}
}

// text is a scalar's text.
func (f *file) text(n ast.Node, what string) (string, bool) {
	switch v := n.(type) {
	case *ast.StringNode:
		return v.Value, true
	case *ast.LiteralNode:
		return v.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n.GetToken().Value, true
	}
	f.wrongf(placeOf(n), "write one word or number", "%s is a text, and this is %s", what, kindOf(n))
	return "", false
}

// word is one of a few words.
func (f *file) word(n ast.Node, what string, words ...string) string {
	text, ok := f.text(n, what)
	if !ok {
		return ""
	}
	for _, word := range words {
		if text == word {
			return word
		}
	}
	hint := "write one of: " + strings.Join(words, ", ")
	if near := nearest(text, words); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	f.wrongf(placeOf(n), hint, "there is no %s %q", what, text)
	return ""
}

// number is a finite number.
func (f *file) number(n ast.Node, what string) (float64, bool) {
	text, ok := f.text(n, what)
	if !ok {
		return 0, false
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		f.wrongf(placeOf(n), "write digits, such as 5000", "%s is a number, and this is %q", what, text)
		return 0, false
	}
	return v, true
}

// whole is a whole number of at least low.
func (f *file) whole(n ast.Node, what string, low int) int {
	v, ok := f.number(n, what)
	if ok && (v != math.Trunc(v) || v < float64(low) || v > 1e9) {
		f.wrongf(placeOf(n), fmt.Sprintf("write a whole number from %d on", low), "%s of %s makes no sense", what, numberText(v))
		return 0
	}
	return int(v)
}

// duration is a length of time above 0; days may be written as 2d.
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
		f.wrongf(placeOf(n), "write a duration such as 30m, 1h or 2d", "%s of %q makes no sense", what, text)
		return 0
	}
	return d
}

// share is a percentage from above 0 to 100, such as 20%.
func (f *file) share(n ast.Node, what string) float64 {
	text, ok := f.text(n, what)
	if !ok {
		return 0
	}
	digits, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if err != nil || !percent || v <= 0 || v > 100 {
		f.wrongf(placeOf(n), "write a percentage above 0% and up to 100%, such as 20%", "%s of %q makes no sense", what, text)
		return 0
	}
	return v / 100
}

// condition is a condition's text, and where each of its lines begins: CEL's
// positions are within the text.
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
		// Beyond the line: the text goes on below, where its lines were joined.
		if line > 1 || at.line > len(f.lines) || at.column > utf8.RuneCountInString(f.lines[at.line-1])+1 {
			return begin
		}
		return at
	}
}

// block is a text below | or >, as its lines stand in the file: to CEL a line
// break is as good as a space.
func (f *file) block(n *ast.LiteralNode) (string, func(line, column int) place) {
	first := n.Start.Position.Line // of the text, counted from 0
	indent, last := 0, first
	for ; last < len(f.lines); last++ {
		line := f.lines[last]
		if strings.TrimSpace(line) == "" {
			continue
		}
		deep := len(line) - len(strings.TrimLeft(line, " "))
		if indent == 0 {
			indent = deep
		}
		if deep < indent || indent == 0 {
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
		return "an anchor or alias, which rule files do not have"
	case *ast.TagNode:
		return "a tag, which rule files do not have"
	}
	return "a single value"
}
