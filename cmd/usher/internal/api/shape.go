package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"usher/cmd/usher/internal/command"
	"usher/internal/readable"
	"usher/internal/rtb"
)

// shape compares a JSON body with the record of the interface. A value of a wrong type is
// an error, which names its JSON path. An unknown field is only reported, because the
// platform may know more fields than its interface document.
type shape struct {
	all      []string // the paths of all fields of the record, without indexes
	warnings []string
}

// checkShape returns an error for the first value of a wrong type, and the warnings about
// unknown fields.
func checkShape(body json.RawMessage, record reflect.Type) ([]string, error) {
	s := &shape{all: fieldPaths(record, "")}
	err := s.check("", body, record)
	return s.warnings, err
}

// settingsFields has the documented fields of the settings that a campaign keeps as raw
// JSON. The interface does not say that there are no others.
func settingsFields(name string) []string {
	return map[string][]string{
		"targetingSettings":       {"geoSettings", "contextualSettings", "retargetingSettings", "deviceTargetingSettings"},
		"contextualSettings":      {"iabCategories"},
		"deviceTargetingSettings": {"devices"},
		"optimisationSettings":    {"optimisationStrategy", "commenceOptimisationAfter"},
	}[name]
}

func (s *shape) check(path string, value json.RawMessage, t reflect.Type) error {
	value = bytes.TrimSpace(value)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if string(value) == "null" {
		return nil
	}
	if t == reflect.TypeFor[json.RawMessage]() {
		return s.checkSettings(path, value)
	}
	want, fits := wanted(t)
	if !fits(value) {
		return command.Usagef("%s must be %s, not %s; nothing was sent", path, want, jsonKind(value))
	}
	switch t.Kind() { // the other kinds have no values inside
	case reflect.Struct:
		return s.checkObject(path, value, t)
	case reflect.Slice:
		return s.checkArray(path, value, t.Elem())
	}
	return nil
}

func (s *shape) checkArray(path string, value json.RawMessage, element reflect.Type) error {
	var items []json.RawMessage
	if err := json.Unmarshal(value, &items); err != nil {
		return command.Usagef("%s: %w", path, err)
	}
	for i, item := range items {
		if err := s.check(fmt.Sprintf("%s[%d]", path, i), item, element); err != nil {
			return err
		}
	}
	return nil
}

func (s *shape) checkObject(path string, value json.RawMessage, record reflect.Type) error {
	members, err := readObject(value)
	if err != nil {
		return command.Usagef("%s: %w", path, err)
	}
	for _, m := range members {
		field, found := fieldNamed(record, m.name)
		if !found {
			s.warnUnknown(path, m.name, fieldNames(record))
			continue
		}
		if err := s.check(join(path, m.name), m.value, field.Type); err != nil {
			return err
		}
	}
	return nil
}

// checkSettings checks an object whose contents the interface does not document in full: a
// field is reported only if its name resembles a documented one.
func (s *shape) checkSettings(path string, value json.RawMessage) error {
	if value[0] != '{' {
		return command.Usagef("%s must be an object, not %s; nothing was sent", path, jsonKind(value))
	}
	known := settingsFields(path[strings.LastIndexByte(path, '.')+1:])
	members, err := readObject(value)
	if err != nil {
		return command.Usagef("%s: %w", path, err)
	}
	for _, m := range members {
		inside := settingsFields(m.name) != nil && slices.Contains(known, m.name)
		switch {
		case inside && string(m.value) != "null":
			if err := s.checkSettings(join(path, m.name), m.value); err != nil {
				return err
			}
		case !slices.Contains(known, m.name) && command.DidYouMean(m.name, known) != "":
			s.warnUnknown(path, m.name, known)
		}
	}
	return nil
}

// warnUnknown reports an unknown field with the nearest of its siblings, or else with the
// place of the record in which a field has this name.
func (s *shape) warnUnknown(path, name string, siblings []string) {
	var choices []string
	for _, sibling := range siblings {
		choices = append(choices, join(path, sibling))
	}
	near := ""
	if command.DidYouMean(name, siblings) != "" {
		near = join(path, command.Nearest(name, siblings, min(3, len(name)/2)))
	} else if at := slices.IndexFunc(s.all, func(other string) bool {
		return strings.HasSuffix(other, "."+name) && !slices.Contains(choices, other)
	}); at >= 0 {
		near = s.all[at]
	}
	text := fmt.Sprintf("the interface has no field %s; it is sent unchanged", readable.Printable(join(path, name)))
	if near != "" {
		text += fmt.Sprintf("; did you mean %q?", near)
	}
	s.warnings = append(s.warnings, text)
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// wanted describes the JSON values of a type, and reports whether a value is one.
func wanted(t reflect.Type) (want string, fits func(json.RawMessage) bool) {
	begins := func(opening byte) func(json.RawMessage) bool {
		return func(value json.RawMessage) bool { return value[0] == opening }
	}
	switch {
	case t == reflect.TypeFor[rtb.Count]():
		return "a whole number, such as 300", func(value json.RawMessage) bool { return json.Unmarshal(value, new(rtb.Count)) == nil }
	case t.Kind() == reflect.Struct:
		return "an object", begins('{')
	case t.Kind() == reflect.Slice:
		return "a list", begins('[')
	case t.Kind() == reflect.String:
		return "text", begins('"')
	case t.Kind() == reflect.Bool:
		return "true or false", func(value json.RawMessage) bool { return value[0] == 't' || value[0] == 'f' }
	}
	return "a number, such as 2.5", isNumber
}

// jsonKind names the type of a value, and not the value, which may be a secret.
func jsonKind(value json.RawMessage) string {
	switch value[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "text"
	case 't', 'f':
		return "true or false"
	}
	return "the number " + readable.Line(string(value), 20)
}

// jsonName returns the name of a record's field in JSON.
func jsonName(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	return name
}

// fieldNamed returns the field of a record by its JSON name.
func fieldNamed(record reflect.Type, name string) (reflect.StructField, bool) {
	for field := range record.Fields() {
		if jsonName(field) == name {
			return field, true
		}
	}
	return reflect.StructField{}, false
}

// fieldNames returns the JSON names of a record's fields.
func fieldNames(record reflect.Type) []string {
	var names []string
	for field := range record.Fields() {
		names = append(names, jsonName(field))
	}
	return names
}

// fieldPaths returns the paths of all fields of a record, without indexes.
func fieldPaths(t reflect.Type, above string) []string {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice && t != reflect.TypeFor[json.RawMessage]() {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	var paths []string
	for field := range t.Fields() {
		name := jsonName(field)
		paths = append(paths, join(above, name))
		paths = append(paths, fieldPaths(field.Type, join(above, name))...)
	}
	return paths
}
