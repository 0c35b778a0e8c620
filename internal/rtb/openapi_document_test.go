package rtb_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"usher/internal/rtb"
)

// pair is a key and its value in a YAML mapping.
type pair struct {
	key   string
	value any
}

// mapping is a YAML mapping whose keys keep their order.
type mapping []pair

func (m mapping) with(key string, value any) mapping { return append(m, pair{key, value}) }

func (m mapping) MarshalYAML() (any, error) {
	items := make(yaml.MapSlice, len(m))
	for i, p := range m {
		items[i] = yaml.MapItem{Key: p.key, Value: p.value}
	}
	return items, nil
}

// openAPIDocument returns the table of operations as an OpenAPI document.
func openAPIDocument(t *testing.T) []byte {
	t.Helper()
	schemas := recordSchemas{}
	var paths mapping
	for _, op := range rtb.Operations() {
		if shorter := op.Shorter(); shorter != "" {
			// OpenAPI has no optional path segments, so the operation has two paths.
			without := op
			without.Name, without.Path = op.Name+"-default", shorter
			without.Fields = slices.DeleteFunc(slices.Clone(op.Fields), func(f rtb.Field) bool { return f.Where == rtb.InPath && f.Optional })
			paths = schemas.addOperation(paths, without)
		}
		paths = schemas.addOperation(paths, op)
	}
	text, err := yaml.MarshalWithOptions(mapping{
		{"openapi", "3.0.3"},
		{"info", mapping{
			{"title", "Real-Time Bidding Advertising Service"},
			{"description", "Generated from the table of operations in usher's package internal/rtb; do not edit."},
			{"version", "v3"},
		}},
		{"servers", []mapping{{{"url", "/"}}}},
		{"security", []mapping{{{"token", []string{}}}}},
		{"paths", paths},
		{"components", mapping{
			{"securitySchemes", mapping{{"token", mapping{{"type", "http"}, {"scheme", "bearer"}}}}},
			{"schemas", schemas.all()},
		}},
	}, yaml.IndentSequence(true))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// recordSchemas has the schemas of the records that the operations refer to, by
// the names of their types.
type recordSchemas map[string]mapping

// all returns the schemas, sorted by name after those of failed calls.
func (s recordSchemas) all() mapping {
	list := mapping{
		{"Note", object(required("code", "description"), mapping{{"code", ofType("string")}, {"description", ofType("string")}})},
		{"Failure", object(required("status", "data"), mapping{
			{"status", oneOf("fail")},
			{"data", object(required("errors"), mapping{{"errors", listOfNotes()}})},
		})},
		{"Error", object(required("status", "message", "code"), mapping{
			{"status", oneOf("error")}, {"message", ofType("string")}, {"code", ofType("string")},
		})},
	}
	var names []string
	for name := range s {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		list = list.with(name, s[name])
	}
	return list
}

func (s recordSchemas) addOperation(paths mapping, op rtb.Operation) mapping {
	at := slices.IndexFunc(paths, func(p pair) bool { return p.key == op.Path })
	if at < 0 {
		at = len(paths)
		paths = paths.with(op.Path, mapping{})
	}
	methods, _ := paths[at].value.(mapping)
	paths[at].value = methods.with(strings.ToLower(op.Method), s.operation(op))
	return paths
}

func (s recordSchemas) operation(op rtb.Operation) mapping {
	area, _, _ := strings.Cut(op.Name, ".")
	m := mapping{{"operationId", op.Name}, {"tags", []string{area}}, {"summary", op.Summary}}
	if op.Open {
		m = m.with("security", []string{})
	}
	if list := parameters(op); len(list) > 0 {
		m = m.with("parameters", list)
	}
	if body := s.requestBody(op); body != nil {
		m = m.with("requestBody", mapping{{"required", true}, {"content", body}})
	}
	return m.with("responses", s.responses(op))
}

func parameters(op rtb.Operation) (list []mapping) {
	for _, f := range op.Fields {
		if f.Where != rtb.InPath && f.Where != rtb.InQuery {
			continue
		}
		schema := ofType("string")
		if f.Digest {
			schema = schema.with("pattern", "^[0-9A-Fa-f]{32}$")
		}
		list = append(list, mapping{{"name", f.Name}, {"in", string(f.Where)}, {"required", !f.Optional || f.Where == rtb.InPath}, {"schema", schema}})
	}
	return list
}

// requestBody returns the schema of a request's body by its content type; nil if
// the operation has no body.
func (s recordSchemas) requestBody(op rtb.Operation) mapping {
	contentType := ""
	var names []string
	var properties mapping
	for _, f := range op.Fields {
		schema := ofType("string")
		switch f.Where {
		case rtb.InBody:
			return mapping{{"application/json", mapping{{"schema", s.schema(f.Type)}}}}
		case rtb.InForm:
			contentType = "application/x-www-form-urlencoded"
			if f.Secret {
				schema = schema.with("format", "password")
			}
		case rtb.InFile:
			contentType, schema = "multipart/form-data", schema.with("format", "binary")
		default:
			continue
		}
		properties = properties.with(f.Name, schema)
		if !f.Optional {
			names = append(names, f.Name)
		}
	}
	if contentType == "" {
		return nil
	}
	return mapping{{contentType, mapping{{"schema", object(names, properties)}}}}
}

func (s recordSchemas) responses(op rtb.Operation) mapping {
	names, properties := s.fields(op.Out)
	data := object(names, properties.with("warnings", listOfNotes()))
	always := required("status")
	if op.Out.NumField() > 0 {
		always = required("status", "data")
	}
	list := mapping{
		response(http.StatusOK, "Success, perhaps with warnings", object(always, mapping{{"status", oneOf("success")}, {"data", data}})),
	}
	if slices.Contains(op.Named, http.StatusBadRequest) {
		list = append(list, response(http.StatusBadRequest, "The request was refused", reference("Failure")))
	}
	list = append(list,
		response(http.StatusUnauthorized, "The token is missing, wrong or has expired", reference("Error")),
		response(http.StatusForbidden, "Not authorized", reference("Error")))
	if slices.Contains(op.Named, http.StatusNotFound) {
		list = append(list, response(http.StatusNotFound, "Unknown", reference("Error")))
	}
	return list
}

func response(status int, description string, schema mapping) pair {
	return pair{strconv.Itoa(status), mapping{{"description", description}, {"content", mapping{{"application/json", mapping{{"schema", schema}}}}}}}
}

// schema returns the schema of a type. Structs are referred to by name.
func (s recordSchemas) schema(t reflect.Type) mapping {
	switch {
	case t == reflect.TypeFor[json.RawMessage]():
		return ofType("object")
	case t == reflect.TypeFor[rtb.Count]():
		return ofType("number")
	}
	switch t.Kind() { // the records have no others
	case reflect.Pointer:
		return s.schema(t.Elem())
	case reflect.String:
		return ofType("string")
	case reflect.Bool:
		return ofType("boolean")
	case reflect.Float64:
		return ofType("number")
	case reflect.Slice:
		return listOf(s.schema(t.Elem()))
	case reflect.Struct:
		if _, found := s[t.Name()]; !found {
			s[t.Name()] = nil // ends the recursion of a record that contains itself
			s[t.Name()] = object(s.fields(t))
		}
		return reference(t.Name())
	}
	panic(fmt.Sprintf("no schema for %s: add its kind here", t))
}

// fields returns the keys that a record always has, and the schemas of all keys.
func (s recordSchemas) fields(record reflect.Type) (names []string, properties mapping) {
	properties = mapping{}
	for _, field := range reflect.VisibleFields(record) {
		if field.Anonymous {
			continue // its fields are visible themselves
		}
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		properties = properties.with(name, s.schema(field.Type))
		if options == "" {
			names = append(names, name)
		}
	}
	return names, properties
}

func object(names []string, properties mapping) mapping {
	m := ofType("object")
	if len(names) > 0 {
		m = m.with("required", names)
	}
	return m.with("properties", properties)
}

func required(names ...string) []string { return names }

func ofType(name string) mapping { return mapping{{"type", name}} }

func oneOf(values ...string) mapping { return ofType("string").with("enum", values) }

func listOf(items mapping) mapping { return ofType("array").with("items", items) }

func listOfNotes() mapping { return listOf(reference("Note")) }

func reference(name string) mapping { return mapping{{"$ref", "#/components/schemas/" + name}} }
