package intake_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"usher"
	"usher/queues/queuetest"
	"usher/queues/schema"
)

var update = flag.Bool("update", false, "write the documents in docs/reference")

// The documents in docs/reference are those that are generated from the schemas of jobs
// and the table of routes.
func TestDocuments(t *testing.T) {
	t.Parallel()
	schemas := schema.Load()
	for name, document := range map[string]object{"openapi.json": openAPI(t, schemas), "asyncapi.json": asyncAPI(t, schemas)} {
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		if err := encoder.Encode(document); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("..", "..", "docs", "reference", name)
		if *update {
			if err := os.WriteFile(path, text.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		committed, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(committed, text.Bytes()) {
			t.Errorf("%s is not up to date: run go generate ./internal/intake (%v)", path, err)
		}
		checkReferences(t, name, text.Bytes())
	}
}

// checkReferences fails the test if a reference of a document leads nowhere.
func checkReferences(t *testing.T, name string, text []byte) {
	t.Helper()
	var document any
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	seen := 0
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, item := range v {
				walk(item)
			}
		case map[string]any:
			if reference, ok := v["$ref"].(string); ok {
				seen++
				at := document
				for field := range strings.SplitSeq(strings.TrimPrefix(reference, "#/"), "/") {
					in, _ := at.(map[string]any)
					at = in[field]
				}
				if at == nil {
					t.Errorf("%s: %s leads nowhere", name, reference)
				}
			}
			for _, value := range v {
				walk(value)
			}
		}
	}
	walk(document)
	if seen == 0 {
		t.Errorf("%s has no references", name)
	}
}

// The OpenAPI document is valid, has each route with the statuses that it answers, and
// describes real requests and responses.
func TestOpenAPI(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "reference", "openapi.json"))
	if err != nil {
		t.Fatal(err)
	}
	document, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := document.Validate(t.Context()); err != nil {
		t.Error(err)
	}
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("urn:openapi", parsed); err != nil {
		t.Fatal(err)
	}
	check := func(component, value string) {
		t.Helper()
		compiled, err := compiler.Compile("urn:openapi#/components/schemas/" + component)
		if err != nil {
			t.Fatal(err)
		}
		instance, err := jsonschema.UnmarshalJSON(strings.NewReader(value))
		if err != nil {
			t.Fatal(err)
		}
		if err := compiled.Validate(instance); err != nil {
			t.Errorf("%s: %v", value, err)
		}
	}
	d := open(t)
	check("segment.add", queuetest.AddJob)
	check("Accepted", d.send(t, "POST", "/v1/jobs/segment.add", queuetest.AddJob).body)
	check("Record", d.send(t, "GET", "/v1/jobs/j1", "").body)
	check("Record", d.send(t, "POST", "/v1/jobs/j1/cancel", `{"reason":"wrong"}`).body)
	check("Problem", d.send(t, "POST", "/v1/jobs/segment.add", "{}").body)
	check("Problem", d.send(t, "GET", "/v1/jobs/nobody", "").body)
	if _, err := compiler.Compile("urn:openapi#/components/schemas/Problem"); err != nil {
		t.Error(err)
	}
}

// object is a JSON object whose fields keep their order.
type object []field

type field struct {
	name  string
	value any
}

func (o object) MarshalJSON() ([]byte, error) {
	b := []byte("{")
	for i, f := range o {
		if i > 0 {
			b = append(b, ',')
		}
		name, err := json.Marshal(f.name)
		if err != nil {
			return nil, err
		}
		var value bytes.Buffer
		encoder := json.NewEncoder(&value)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(f.value); err != nil {
			return nil, err
		}
		b = append(append(append(b, name...), ':'), bytes.TrimSpace(value.Bytes())...)
	}
	return append(b, '}'), nil
}

// get returns a field's value, or nil.
func (o object) get(name string) any {
	for _, f := range o {
		if f.name == name {
			return f.value
		}
	}
	return nil
}

// ordered decodes JSON; its objects keep their order.
func ordered(t *testing.T, text []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var value func() any
	token := func() json.Token {
		t.Helper()
		next, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		return next
	}
	value = func() any {
		switch next := token(); next {
		case json.Delim('{'):
			o := object{}
			for d.More() {
				name, _ := token().(string)
				o = append(o, field{name, value()})
			}
			token()
			return o
		case json.Delim('['):
			list := []any{}
			for d.More() {
				list = append(list, value())
			}
			token()
			return list
		default:
			return next
		}
	}
	return value()
}

// components returns the schemas of all kinds by their names, and the definitions that
// they share.
func components(t *testing.T, schemas *schema.Schemas) object {
	t.Helper()
	var kinds, shared object
	for _, kind := range publishedKinds() {
		text, _ := schemas.Text(kind)
		text = bytes.ReplaceAll(text, []byte(`"#/$defs/`), []byte(`"#/components/schemas/`))
		whole, _ := ordered(t, text).(object)
		var own object
		for _, f := range whole {
			switch f.name {
			case "$schema", "$id", "examples":
			case "$defs":
				definitions, _ := f.value.(object)
				for _, d := range definitions {
					if shared.get(d.name) == nil {
						shared = append(shared, d)
					}
				}
			default:
				own = append(own, f)
			}
		}
		kinds = append(kinds, field{string(kind), own})
	}
	return append(kinds, shared...)
}

// example returns the first example of a kind's schema.
func example(t *testing.T, schemas *schema.Schemas, kind string) any {
	t.Helper()
	for _, k := range usher.Kinds() {
		if string(k) == kind {
			text, _ := schemas.Text(k)
			whole, _ := ordered(t, text).(object)
			list, _ := whole.get("examples").([]any)
			return list[0]
		}
	}
	t.Fatalf("there is no kind %s", kind)
	return nil
}

// typeSchema returns the JSON Schema of a Go type, as encoding/json writes it.
func typeSchema(of reflect.Type) object {
	switch {
	case of == reflect.TypeFor[time.Time]():
		return object{{"type", "string"}, {"format", "date-time"}}
	case of == reflect.TypeFor[json.RawMessage]():
		return object{{"type", "object"}}
	case of.Kind() == reflect.Pointer:
		return object{{"anyOf", []any{typeSchema(of.Elem()), object{{"type", "null"}}}}}
	case of.Implements(reflect.TypeFor[json.Marshaler]()) && of.Kind() == reflect.Struct && of.Name() != "Record":
		return object{} // of several types
	}
	switch of.Kind() {
	case reflect.String:
		return object{{"type", "string"}}
	case reflect.Bool:
		return object{{"type", "boolean"}}
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return object{{"type", "integer"}}
	case reflect.Float64:
		return object{{"type", "number"}}
	case reflect.Slice:
		return object{{"type", "array"}, {"items", typeSchema(of.Elem())}}
	case reflect.Map:
		return object{{"type", "object"}, {"additionalProperties", typeSchema(of.Elem())}}
	}
	properties, required := object{}, []string{}
	for i := range of.NumField() {
		f := of.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" || name == "" {
			continue
		}
		properties = append(properties, field{name, typeSchema(f.Type)})
		if !strings.Contains(options, "omit") {
			required = append(required, name)
		}
	}
	return object{{"type", "object"}, {"required", required}, {"properties", properties}}
}

// publishedKinds returns the kinds of jobs that publishers may publish: all but those that
// only rules publish.
func publishedKinds() []usher.Kind {
	return slices.DeleteFunc(usher.Kinds(), func(k usher.Kind) bool { return k.OfRulesOnly() })
}
