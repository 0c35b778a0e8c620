package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/knadh/koanf/parsers/yaml"
)

// chartPage lists the values of the Helm chart, from its schema and their defaults.
func chartPage(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(atRoot("deploy/chart/values.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	var schema map[string]any
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	if text, err = os.ReadFile(atRoot("deploy/chart/values.yaml")); err != nil {
		t.Fatal(err)
	}
	defaults, err := yaml.Parser().Unmarshal(text)
	if err != nil {
		t.Fatal(err)
	}
	p := newPage("Values of the Helm chart", `
[values.yaml](../../deploy/chart/values.yaml) says what each is for, and [Kubernetes](../guide/kubernetes.md) how to begin. Helm refuses values that are not in this list.
`)
	p.table("value", "accepts", "default")
	definitions, _ := schema["$defs"].(map[string]any)
	p.values(t, "", schema, defaults, definitions)
	p.linef("\n## Variables\n\nIf two of these set a variable, the later line counts. The Job runs `usher migrate`.\n")
	p.table("from", "workers", "Job")
	for _, from := range [][]string{
		{"`config`, without secrets", "yes", "yes"}, {"`existingSecret`", "yes", "yes"}, {"`extraEnvFrom`", "yes", "yes"},
		{"`migrate.existingSecret`", "", "yes"}, {"`extraEnv`", "yes", ""}, {"`migrate.extraEnv`", "", "yes"},
	} {
		p.row(from...)
	}
	return p.String()
}

// values adds the properties of an object of the schema.
func (p *page) values(t *testing.T, prefix string, schema, defaults, definitions map[string]any) {
	t.Helper()
	properties, _ := schema["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		value, _ := properties[name].(map[string]any)
		if ref, ok := value["$ref"].(string); ok {
			value, _ = definitions[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
		}
		key, standard := prefix+name, defaults[name]
		if name == "global" && prefix == "" {
			continue // of Helm
		}
		if name == "config" && prefix == "" {
			p.row(code(key), "the variables of [Configuration](configuration.md) without the prefix `USHER_`, except secrets", "see values.yaml")
			continue
		}
		if _, nested := value["properties"]; nested {
			inner, _ := standard.(map[string]any)
			p.values(t, key+".", value, inner, definitions)
			continue
		}
		p.row(code(key), accepts(value), code(printedJSON(t, standard)))
	}
}

// accepts says which values a schema allows.
func accepts(value map[string]any) string {
	if words, ok := value["enum"].([]any); ok {
		var all []string
		for _, word := range words {
			all = append(all, code(fmt.Sprint(word)))
		}
		return strings.Join(all, ", ")
	}
	switch kind := value["type"].(type) {
	case string:
		return kind
	case []any:
		return strings.Trim(strings.ReplaceAll(fmt.Sprint(kind), " ", " or "), "[]")
	}
	return "any"
}

func printedJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
