package document

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"usher/internal/readable"
)

// Hints are what to write instead of what a kind of file does not take. Nil functions have no
// hints of their own.
type Hints struct {
	// Key returns the hint for an unknown key that follows a value, and the key that was
	// meant, if any.
	Key func(key, before string, known map[string]func(ast.Node)) (hint, meant string)
	// Mapping returns the hint for a single text in place of a mapping, or "".
	Mapping func(what, text string) string
}

// Entries calls the function of each key of a mapping with its value. A key without
// a function is an error. It returns the places of the keys, or nil if n is not a
// mapping.
func (f *File) Entries(n ast.Node, what string, keys map[string]func(ast.Node)) map[string]Place {
	m, ok := n.(ast.MapNode)
	if !ok {
		hint := "write one key a line: " + strings.Join(Sorted(keys), ", ")
		if text, single := ScalarText(n); single && f.Hints.Mapping != nil {
			hint = cmp.Or(f.Hints.Mapping(what, text), hint)
		}
		f.Errorf(PlaceOf(n), hint, "%s must be keys with values, and this is %s", what, KindOf(n))
		return nil
	}
	given := map[string]Place{}
	value := "" // of the key before
	for each := m.MapRange(); each.Next(); value = each.Value().GetToken().Value {
		key := each.Key().GetToken().Value
		read, known := keys[key]
		if !known {
			hint, meant := f.keyHint(key, value, keys)
			if meant != "" {
				given[meant] = PlaceOf(each.Key()) // so that it is not reported as missing, too
			}
			f.Errorf(PlaceOf(each.Key()), hint, "%s has no key %q", what, key)
			continue
		}
		given[key] = PlaceOf(each.Key())
		if _, empty := each.Value().(*ast.NullNode); empty {
			f.Errorf(PlaceOf(each.Key()), "give it a value, or leave the key out", "key %q has no value", key)
			continue
		}
		read(each.Value())
	}
	return given
}

// keyHint returns the hint for an unknown key, and the key that was meant, if any.
func (f *File) keyHint(key, before string, keys map[string]func(ast.Node)) (hint, meant string) {
	if f.Hints.Key != nil {
		if hint, meant = f.Hints.Key(key, before, keys); hint != "" {
			return hint, meant
		}
	}
	if meant = readable.Nearest(key, Sorted(keys)); meant != "" {
		return fmt.Sprintf("did you mean %q?", meant), meant
	}
	return "it takes: " + strings.Join(Sorted(keys), ", "), ""
}

// Items calls read with each item of a list.
func (f *File) Items(n ast.Node, what string, read func(ast.Node)) {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		f.Errorf(PlaceOf(n), "write a list: one line that begins with - for each item", "%s must be a list, and this is %s", what, KindOf(n))
		return
	}
	for _, item := range list.Values {
		read(item)
	}
}

// KindOf names the kind of a node.
func KindOf(n ast.Node) string {
	switch n.(type) {
	case ast.MapNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.NullNode:
		return "nothing"
	case *ast.AnchorNode, *ast.AliasNode:
		return "an anchor or alias, which these files cannot have"
	case *ast.TagNode:
		return "a tag, which these files cannot have"
	}
	return "a single value"
}

// Sorted returns a map's keys in order.
func Sorted[V any](m map[string]V) []string { return slices.SortedFunc(maps.Keys(m), cmp.Compare) }
