package main

import (
	"go/ast"
	"regexp"
	"slices"
	"strings"
	"testing"

	"usher"
)

// hint is what an error says and what its hint tells people to do.
type hint struct{ message, remedy string }

// hintsInCode collects the errors that the code makes with a class and a hint.
type hintsInCode struct {
	classes map[string]string // the word of a class by its expression: usher.NotFound
	texts   map[string]string // constants
	found   map[string][]hint // by class
}

// hintsOf returns the errors of each class that the code makes with a hint.
func hintsOf(t *testing.T) map[string][]hint {
	t.Helper()
	h := hintsInCode{map[string]string{}, map[string]string{}, map[string][]hint{}}
	eachNode(t, "", func(n ast.Node) {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return
		}
		text, isText := literal(spec.Values[0])
		switch {
		case isText && spec.Type != nil && printed(spec.Type) == "Class":
			h.classes["usher."+spec.Names[0].Name] = text
		case isText && strings.HasSuffix(spec.Names[0].Name, "Hint"):
			h.texts[spec.Names[0].Name] = text
		}
	})
	eachNode(t, "", func(n ast.Node) {
		switch n := n.(type) {
		case *ast.CallExpr:
			h.call(n)
		case *ast.CompositeLit:
			h.composite(n)
		}
	})
	return h.found
}

// composite adds the hint of a literal usher.Permanent.
func (h *hintsInCode) composite(n *ast.CompositeLit) {
	class, remedy := "", ""
	for _, element := range n.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			switch printed(pair.Key) {
			case "Class":
				class = h.classes[printed(pair.Value)]
			case "Hint":
				remedy = h.text(pair.Value)
			}
		}
	}
	if class != "" && remedy != "" {
		h.add(class, "", remedy)
	}
}

// methods are functions whose errors have a class that is not among their arguments.
var methods = map[string]string{".Broken": "source_broken", ".refused": "source_refused", "s.refuse": "source_broken"}

// call adds the hint of a call: the first text behind the class, and then the message.
func (h *hintsInCode) call(n *ast.CallExpr) {
	function := printed(n.Fun)
	for suffix, class := range methods {
		if strings.HasSuffix(function, suffix) {
			h.arguments(class, n.Args[strings.Count(suffix, "s.refuse"):], false)
			return
		}
	}
	for i, arg := range n.Args {
		if class := h.classes[printed(arg)]; class != "" {
			h.arguments(class, n.Args[i+1:], !strings.HasSuffix(function, "Refuse"))
			return
		}
	}
}

// arguments adds the hint among the arguments behind a class. It is the first one unless
// others may stand before it.
func (h *hintsInCode) arguments(class string, args []ast.Expr, others bool) {
	for i, arg := range args {
		remedy := h.text(arg)
		if remedy == "" && others {
			continue
		}
		message := ""
		if i+1 < len(args) && remedy != "" {
			message = h.text(args[i+1])
		}
		if slices.Contains([]string{"open", "read"}, message) && i+2 < len(args) {
			message = h.text(args[i+2])
		}
		h.add(class, message, remedy)
		return
	}
}

// text returns the text of an expression, or "".
func (h *hintsInCode) text(x ast.Expr) string {
	if named := h.texts[printed(x)]; named != "" {
		return named
	}
	text, _ := literal(x)
	return text
}

// add adds a hint in which the values of the formats are replaced by ….
func (h *hintsInCode) add(class, message, remedy string) {
	verb := regexp.MustCompile(`%[-+#0-9.]*[a-zA-Z]`)
	plain := func(text string) string { return strings.ReplaceAll(verb.ReplaceAllString(text, "…"), "%%", "%") }
	message = strings.TrimSuffix(plain(message), ": …")
	added := hint{strings.Trim(message, "… "), plain(remedy)}
	if remedy != "" && message != "…" {
		added.message = message
	}
	if strings.Trim(added.remedy, "… ") != "" && !slices.Contains(h.found[class], added) {
		h.found[class] = append(h.found[class], added)
	}
}

func errorsPage(t *testing.T) string {
	t.Helper()
	p := newPage("Error classes", `
A job that fails has an error with a class, a message that says what failed, and a hint that says what to do. [When jobs fail](../guide/failures.md) says how to find, repair and replay such jobs. Below each class are hints that the code gives; … stands for a value.`)
	values, comments := constants(t, "Class")
	hints := hintsOf(t)
	for i, class := range values {
		p.linef("\n## %s\n\n%s", class, comments[i])
		if len(hints[class]) == 0 {
			continue
		}
		p.linef("")
		p.table("message", "hint")
		for _, h := range hints[class] {
			p.row(h.message, h.remedy)
		}
	}
	if !slices.Equal(values, classWords()) {
		t.Errorf("errors.go has the classes %v, want %v", values, classWords())
	}
	return p.String()
}

func classWords() []string {
	var words []string
	for _, c := range usher.Classes() {
		words = append(words, string(c))
	}
	return words
}
