package rtb_test

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"usher/internal/rtb"
	"usher/internal/rtb/samples"
)

var update = flag.Bool("update", false, "write openapi.yaml")

func TestOpenAPI(t *testing.T) {
	t.Parallel()
	want := openAPIDocument(t)
	if *update {
		if err := os.WriteFile("openapi.yaml", want, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	committed, err := os.ReadFile("openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(committed, want) {
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
		if op.About == "" {
			t.Errorf("%s: the help has no description", op.Name)
		}
		samples.Read(t, op.Name)
	}
}
