package api

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// writeTemplate writes a complete example of a body, with the interface's words about each
// field as comments. --body takes it as it is. A field that a call may not send in every
// case is a comment itself.
func (c *apiCall) writeTemplate(w io.Writer) error {
	t := template{values: c.exampleValues()}
	_, verb, _ := strings.Cut(c.op.Name, ".")
	fmt.Fprintf(&t.text, "// The body of %s. Change it, and give it to --body:\n//   %s --body @FILE\n", c.op.Name, strings.Join(append([]string{cmdPath(c.op)}, c.usage()...), " "))
	if verb == "update" || c.op.Name == "campaigns.put" {
		t.text.WriteString("// It replaces what the platform has: begin with what get --json prints to change a part.\n")
	}
	t.object(c.bodyField().Type, "", "", true)
	t.text.WriteString("\n")
	if _, err := io.WriteString(w, t.text.String()); err != nil {
		return fmt.Errorf("print template: %w", err)
	}
	return nil
}

type template struct {
	text   strings.Builder
	values map[string]string
}

// object writes a record. required says that the fields without omitempty must be sent.
func (t *template) object(record reflect.Type, path, indent string, required bool) {
	t.text.WriteString("{\n")
	for field := range record.Fields() {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		about := field.Tag.Get("help")
		if readOnly(about) {
			continue
		}
		needed := required && options == "" && field.Tag.Get("required") != "false" || isRequired(field)
		start := t.text.Len()
		fmt.Fprintf(&t.text, "%s  %q: ", indent, name)
		comment := t.value(field, join(path, name), indent+"  ", needed)
		t.text.WriteString(",")
		if words := commentWords(needed, about); words != "" {
			t.comment(start, words)
		}
		if comment {
			t.commentOut(start, indent)
		}
		t.text.WriteString("\n")
	}
	t.text.WriteString(indent + "}")
}

// commentWords returns the comment of a field.
func commentWords(needed bool, about string) string {
	about = withoutRequired(about)
	if !needed {
		return about
	}
	return strings.TrimSuffix("required; "+about, "; ")
}

// comment adds a comment to the first line of the field that begins at start.
func (t *template) comment(start int, words string) {
	written := t.text.String()
	line, rest, more := strings.Cut(written[start:], "\n")
	text := written[:start] + line + " // " + words
	if more {
		text += "\n" + rest
	}
	t.text.Reset()
	t.text.WriteString(text)
}

// commentOut turns the field that begins at start into a comment.
func (t *template) commentOut(start int, indent string) {
	written := t.text.String()
	lines := strings.Split(written[start:], "\n")
	for i, line := range lines {
		lines[i] = indent + "  // " + strings.TrimPrefix(line, indent+"  ")
	}
	t.text.Reset()
	t.text.WriteString(written[:start] + strings.Join(lines, "\n"))
}

// value writes an example of a field's value. It reports whether the field must not be
// sent as it is: a secret, and an object whose contents are unknown.
func (t *template) value(field reflect.StructField, path, indent string, required bool) (comment bool) {
	kind := field.Type
	if kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	if _, secret := field.Tag.Lookup("secret"); secret {
		t.text.WriteString(`"…"`)
		return true
	}
	if kind == reflect.TypeFor[json.RawMessage]() {
		text := map[string]string{
			"targetingSettings":    `{"contextualSettings": {"iabCategories": [1]}, "deviceTargetingSettings": {"devices": ["MOBILE"]}}`,
			"optimisationSettings": `{"optimisationStrategy": "ROUND_ROBIN", "commenceOptimisationAfter": 1000}`,
		}[path]
		if text == "" {
			t.text.WriteString("{}")
			return true
		}
		t.text.WriteString(text)
		return false
	}
	switch {
	case kind.Kind() == reflect.Struct:
		t.object(kind, path, indent, required)
	case kind.Kind() == reflect.Slice && kind.Elem().Kind() == reflect.Struct:
		t.text.WriteString("[")
		t.object(kind.Elem(), path, indent, true)
		t.text.WriteString("]")
	case kind.Kind() == reflect.Slice:
		t.text.WriteString("[" + t.scalar(path, kind.Elem()) + "]")
	default:
		t.text.WriteString(t.scalar(path, kind))
	}
	return false
}

// scalar returns an example of a text or a number.
func (t *template) scalar(path string, kind reflect.Type) string {
	value := t.values[path]
	if value == "" {
		value = t.values[path[strings.LastIndexByte(path, '.')+1:]]
	}
	if kind.Kind() != reflect.String {
		if value == "" {
			value = "10"
		}
		return value
	}
	if value == "" {
		value = strings.ToUpper(kebab(path))
	}
	data, err := json.Marshal(value)
	if err != nil {
		return `""`
	}
	return string(data)
}
