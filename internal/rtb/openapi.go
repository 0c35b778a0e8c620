package rtb

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// OpenAPI is the table as an OpenAPI 3.0 document in YAML. The file
// openapi.yaml beside this one is what it returned last; `go generate` writes
// it anew and a test compares.
func OpenAPI() []byte {
	schemas := schemaSet{seen: map[string]mapping{}}
	var paths mapping
	for _, op := range Operations() {
		if shorter := op.Shorter(); shorter != "" {
			without := op
			without.Name, without.Path = op.Name+"-default", shorter
			without.Fields = slices.DeleteFunc(slices.Clone(op.Fields), func(f Field) bool { return f.Where == InPath && f.Optional })
			paths = schemas.add(paths, without)
		}
		paths = schemas.add(paths, op)
	}
	document := mapping{
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
	}
	var b strings.Builder
	writeYAML(&b, document, 0)
	return []byte(b.String())
}

// schemaSet gathers the records that operations refer to.
type schemaSet struct{ seen map[string]mapping }

func (s *schemaSet) all() mapping {
	list := mapping{
		{"Note", mapping{{"type", "object"}, {"required", []string{"code", "description"}}, {"properties", mapping{
			{"code", mapping{{"type", "string"}}}, {"description", mapping{{"type", "string"}}},
		}}}},
		{"Failure", mapping{{"type", "object"}, {"required", []string{"status", "data"}}, {"properties", mapping{
			{"status", mapping{{"type", "string"}, {"enum", []string{"fail"}}}},
			{"data", mapping{{"type", "object"}, {"required", []string{"errors"}}, {"properties", mapping{{"errors", notesSchema()}}}}},
		}}}},
		{"Error", mapping{{"type", "object"}, {"required", []string{"status", "message", "code"}}, {"properties", mapping{
			{"status", mapping{{"type", "string"}, {"enum", []string{"error"}}}},
			{"message", mapping{{"type", "string"}}}, {"code", mapping{{"type", "string"}}},
		}}}},
	}
	var names []string
	for name := range s.seen {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		list = list.with(name, s.seen[name])
	}
	return list
}

func notesSchema() mapping { return mapping{{"type", "array"}, {"items", reference("Note")}} }

func reference(name string) mapping { return mapping{{"$ref", "#/components/schemas/" + name}} }

// add puts an operation to its path. OpenAPI knows no optional segment of a
// path: such an operation stands there twice.
func (s *schemaSet) add(paths mapping, op Operation) mapping {
	at := slices.IndexFunc(paths, func(p pair) bool { return p.key == op.Path })
	if at < 0 {
		at = len(paths)
		paths = paths.with(op.Path, mapping{})
	}
	methods, _ := paths[at].value.(mapping)
	paths[at].value = methods.with(strings.ToLower(op.Method), s.operation(op))
	return paths
}

func (s *schemaSet) operation(op Operation) mapping {
	area, _, _ := strings.Cut(op.Name, ".")
	m := mapping{{"operationId", op.Name}, {"tags", []string{area}}, {"summary", op.Summary}}
	if op.Open {
		m = m.with("security", []string{})
	}
	var parameters []mapping
	for _, f := range op.Fields {
		if f.Where == InPath || f.Where == InQuery {
			schema := mapping{{"type", "string"}}
			if f.Digest {
				schema = schema.with("pattern", "^[0-9A-Fa-f]{32}$")
			}
			parameters = append(parameters, mapping{{"name", f.Name}, {"in", string(f.Where)}, {"required", !f.Optional || f.Where == InPath}, {"schema", schema}})
		}
	}
	if len(parameters) > 0 {
		m = m.with("parameters", parameters)
	}
	if body := s.body(op); body != nil {
		m = m.with("requestBody", mapping{{"required", true}, {"content", body}})
	}
	return m.with("responses", s.responses(op))
}

// body is the content of a request, by its content type.
func (s *schemaSet) body(op Operation) mapping {
	content := ""
	var required []string
	var properties mapping
	for _, f := range op.Fields {
		schema := mapping{{"type", "string"}}
		switch f.Where {
		case InBody:
			return mapping{{"application/json", mapping{{"schema", s.of(f.Type)}}}}
		case InForm:
			content = "application/x-www-form-urlencoded"
			if f.Secret {
				schema = schema.with("format", "password")
			}
		case InFile:
			content, schema = "multipart/form-data", schema.with("format", "binary")
		default:
			continue
		}
		properties = properties.with(f.Name, schema)
		if !f.Optional {
			required = append(required, f.Name)
		}
	}
	if content == "" {
		return nil
	}
	return mapping{{content, mapping{{"schema", mapping{{"type", "object"}, {"required", required}, {"properties", properties}}}}}}
}

func (s *schemaSet) responses(op Operation) mapping {
	data := s.object(op.Out)
	properties, _ := data[len(data)-1].value.(mapping)
	data[len(data)-1].value = properties.with("warnings", notesSchema())
	required := []string{"status"}
	if op.Out.NumField() > 0 {
		required = append(required, "data")
	}
	list := mapping{response(200, "Success, perhaps with warnings", mapping{{"type", "object"}, {"required", required}, {"properties", mapping{
		{"status", mapping{{"type", "string"}, {"enum", []string{"success"}}}}, {"data", data},
	}}})}
	for _, status := range []int{400, 401, 403, 404} {
		switch {
		case status == 401:
			list = append(list, response(status, "The token is missing, wrong or has expired", reference("Error")))
		case status == 403:
			list = append(list, response(status, "Not authorized", reference("Error")))
		case status == 404 && slices.Contains(op.Named, status):
			list = append(list, response(status, "Unknown", reference("Error")))
		case slices.Contains(op.Named, status):
			list = append(list, response(status, "The request was refused", reference("Failure")))
		}
	}
	return list
}

func response(status int, description string, schema mapping) pair {
	return pair{strconv.Itoa(status), mapping{{"description", description}, {"content", mapping{{"application/json", mapping{{"schema", schema}}}}}}}
}

// of is the schema of a type; records are referred to by name.
func (s *schemaSet) of(t reflect.Type) mapping {
	switch {
	case t == reflect.TypeFor[json.RawMessage]():
		return mapping{{"type", "object"}}
	case t == reflect.TypeFor[Count]():
		return mapping{{"type", "number"}}
	}
	switch t.Kind() { //nolint:exhaustive // the records have no others
	case reflect.Pointer:
		return s.of(t.Elem())
	case reflect.String:
		return mapping{{"type", "string"}}
	case reflect.Bool:
		return mapping{{"type", "boolean"}}
	case reflect.Float64:
		return mapping{{"type", "number"}}
	case reflect.Slice:
		return mapping{{"type", "array"}, {"items", s.of(t.Elem())}}
	case reflect.Struct:
		if _, found := s.seen[t.Name()]; !found {
			s.seen[t.Name()] = nil // in the making
			s.seen[t.Name()] = s.object(t)
		}
		return reference(t.Name())
	}
	panic(fmt.Sprintf("rtb: no schema for %s: give it one in openapi.go", t))
}

// object is the schema of a struct; its last pair is properties.
func (s *schemaSet) object(t reflect.Type) mapping {
	var required []string
	properties := mapping{}
	for _, field := range reflect.VisibleFields(t) {
		if field.Anonymous {
			continue // its fields are visible themselves
		}
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		properties = properties.with(name, s.of(field.Type))
		if options == "" {
			required = append(required, name)
		}
	}
	m := mapping{{"type", "object"}}
	if len(required) > 0 {
		m = m.with("required", required)
	}
	return m.with("properties", properties)
}
