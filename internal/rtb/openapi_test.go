package rtb_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"maps"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"usher/internal/rtb"
	"usher/internal/rtb/samples"
)

var update = flag.Bool("update", false, "write openapi.yaml, docs.json and their compressed forms")

func TestOpenAPI(t *testing.T) {
	t.Parallel()
	want := openAPIDocument(t)
	if *update {
		writePacked(t, "openapi.yaml", want)
	}
	committed, err := os.ReadFile("openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(committed, want) || !*update && !bytes.Equal(rtb.OpenAPI(), want) {
		t.Error("openapi.yaml differs from the table: run go generate ./internal/rtb")
	}
	document, err := openapi3.NewLoader().LoadFromData(committed)
	if err != nil {
		t.Fatal(err)
	}
	if err := document.Validate(t.Context()); err != nil {
		t.Error(err)
	}
}

// writePacked writes a generated file, and the compressed one that is embedded.
func writePacked(t *testing.T, name string, text []byte) {
	t.Helper()
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	_, _ = w.Write(text) // into memory
	_ = w.Close()
	if err := errors.Join(os.WriteFile(name, text, 0o600), os.WriteFile(name+".gz", packed.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// TestOperationsAreComplete counts the operations of each area. Creating and updating
// a campaign are one operation.
func TestOperationsAreComplete(t *testing.T) {
	t.Parallel()
	want := map[string]int{
		"auth": 1, "users": 3, "advertisers": 12, "segments": 10, "campaigns": 14, "creatives": 4,
		"reporting": 5, "planning": 3, "ssp": 4, "payments": 1, "metadata": 21,
	}
	got := map[string]int{}
	for _, op := range rtb.Operations() {
		area, _, _ := strings.Cut(op.Name, ".")
		got[area]++
	}
	if !maps.Equal(got, want) {
		t.Errorf("the table has %v, want %v", got, want)
	}
	if total := len(rtb.Operations()); total != 78 {
		t.Errorf("the table has %d operations, want 78", total)
	}
}

// TestServices compares the services with the table: client.Segments.AddUser calls
// segments.add-user.
func TestServices(t *testing.T) {
	t.Parallel()
	client := reflect.ValueOf(rtb.New(rtb.Options{})).Elem()
	methods := 0
	for _, op := range rtb.Operations() {
		area, verb, _ := strings.Cut(op.Name, ".")
		service := client.FieldByNameFunc(func(name string) bool { return strings.EqualFold(name, area) })
		if !service.IsValid() {
			t.Errorf("%s: the client has no service for %s", op.Name, area)
			continue
		}
		found := false
		for method := range service.Type().Methods() {
			found = found || strings.EqualFold(method.Name, strings.ReplaceAll(verb, "-", ""))
		}
		if !found {
			t.Errorf("%s: %s has no such method", op.Name, service.Type())
		}
		methods++
	}
	for field, service := range client.Fields() {
		if field.IsExported() {
			methods -= service.NumMethod()
		}
	}
	if methods != 0 {
		t.Errorf("the services have %d more methods than the table has operations", -methods)
	}
}

func TestOperationsAreDistinct(t *testing.T) {
	t.Parallel()
	names, places := map[string]bool{}, map[string]bool{}
	for _, op := range rtb.Operations() {
		if names[op.Name] {
			t.Errorf("two operations are named %s", op.Name)
		}
		if place := op.Method + " " + op.Path; places[place] {
			t.Errorf("two operations are %s", place)
		} else {
			places[place] = true
		}
		names[op.Name] = true
		samples.Read(t, op.Name)
	}
}
