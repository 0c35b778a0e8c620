package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// jsonSchema is what the reference reads of a JSON Schema.
type jsonSchema struct {
	Ref         string                 `json:"$ref"`
	Description string                 `json:"description"`
	Type        any                    `json:"type"`
	Default     any                    `json:"default"`
	Minimum     *float64               `json:"minimum"`
	Maximum     *float64               `json:"maximum"`
	Required    []string               `json:"required"`
	Enum        []any                  `json:"enum"`
	Properties  map[string]*jsonSchema `json:"properties"`
	Items       *jsonSchema            `json:"items"`
	Additional  json.RawMessage        `json:"additionalProperties"`
	OneOf       []*jsonSchema          `json:"oneOf"`
	AnyOf       []*jsonSchema          `json:"anyOf"`
	Defs        map[string]*jsonSchema `json:"$defs"`
	Examples    []json.RawMessage      `json:"examples"`
}

// UnmarshalJSON accepts true and false as schemas without content.
func (s *jsonSchema) UnmarshalJSON(data []byte) error {
	if data[0] != '{' {
		return nil
	}
	type plain jsonSchema
	return json.Unmarshal(data, (*plain)(s))
}

func parseSchema(t *testing.T, text []byte) *jsonSchema {
	t.Helper()
	s := &jsonSchema{}
	if err := json.Unmarshal(text, s); err != nil {
		t.Fatal(err)
	}
	return s
}

// resolve returns s, or the definition that it refers to, with the description of s.
func (s *jsonSchema) resolve(root *jsonSchema) *jsonSchema {
	if s.Ref == "" {
		return s
	}
	target := *root
	steps := strings.Split(strings.TrimPrefix(s.Ref, "#/"), "/")
	for i := 0; i+1 < len(steps); i += 2 {
		target = *map[string]map[string]*jsonSchema{"$defs": target.Defs, "properties": target.Properties}[steps[i]][steps[i+1]]
	}
	if s.Description != "" {
		target.Description = s.Description
	}
	return &target
}

// typeName returns the type of a value as people write it.
func (s *jsonSchema) typeName(root *jsonSchema) string {
	s = s.resolve(root)
	switch {
	case len(s.Enum) > 0 && s.Type != "object":
		var words []string
		for _, v := range s.Enum {
			words = append(words, fmt.Sprintf("`%v`", v))
		}
		return strings.Join(words, ", ")
	case s.Type == "array" && s.Items != nil:
		return "list of " + s.Items.typeName(root)
	case s.Type != nil:
		if list, several := s.Type.([]any); several {
			return strings.Trim(fmt.Sprint(list), "[]")
		}
		return fmt.Sprint(s.Type)
	}
	var kinds []string
	for _, other := range append(s.OneOf, s.AnyOf...) {
		if kind := other.typeName(root); kind != "" && !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return strings.Join(kinds, " or ")
}

// fields adds a table of the fields of an object, and of the objects in it.
func (p *page) fields(root, s *jsonSchema, prefix string) {
	if prefix == "" {
		p.table("field", "type", "")
	}
	names := make([]string, 0, len(s.Properties))
	for name := range s.Properties {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if first := slices.Contains(s.Required, a); first != slices.Contains(s.Required, b) {
			if first {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	for _, name := range names {
		field := s.Properties[name].resolve(root)
		about := strings.TrimSpace(field.Description + field.bounds())
		if slices.Contains(s.Required, name) && prefix == "" {
			about = "Required. " + about
		}
		p.row(code(prefix+name), field.typeName(root), about)
		p.nested(root, field, prefix+name)
	}
}

// bounds returns the range and the default of a field, as sentences.
func (s *jsonSchema) bounds() string {
	text := ""
	if s.Minimum != nil && s.Maximum != nil {
		text = fmt.Sprintf(" %v–%v.", *s.Minimum, *s.Maximum)
	}
	if s.Default != nil && !strings.Contains(s.Description, "Default") {
		text += fmt.Sprintf(" Default: %v.", s.Default)
	}
	return text
}

// nested adds the fields of the objects in a field.
func (p *page) nested(root, field *jsonSchema, name string) {
	if p.shared && (name == "source" || name == "profile") {
		return // they have a section
	}
	if len(field.Properties) > 0 {
		p.fields(root, field, name+".")
	}
	for _, other := range append(field.OneOf, field.AnyOf...) {
		if other = other.resolve(root); len(other.Properties) > 0 && len(field.Properties) == 0 {
			p.fields(root, other, name+".")
		}
	}
	var values jsonSchema
	if len(field.Additional) > 0 && json.Unmarshal(field.Additional, &values) == nil && len(values.Properties) > 0 {
		p.fields(root, &values, name+".NAME.")
	}
}
