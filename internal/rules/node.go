package rules

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
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
		hint := "write one key a line: " + strings.Join(sorted(keys), ", ")
		if text, single := scalarText(n); single && what == "scope" {
			hint = fmt.Sprintf("write scope: {campaigns: [%q]}", text)
		} else if single && what == "limits" {
			hint = "write limits: {max_share: 20%}, or max_creatives: and a number"
		}
		f.errorf(placeOf(n), hint, "%s must be keys with values, and this is %s", what, kindOf(n))
		return nil
	}
	given := map[string]place{}
	value := "" // of the key before
	for each := m.MapRange(); each.Next(); value = each.Value().GetToken().Value {
		key := each.Key().GetToken().Value
		read, known := keys[key]
		if !known {
			hint, meant := keyHint(key, value, keys)
			if meant != "" {
				given[meant] = placeOf(each.Key()) // so that it is not reported as missing, too
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
