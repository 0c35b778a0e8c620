package rules_test

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"usher/internal/rules"
	"usher/internal/rules/figures"
)

// schemaOf returns the part of the schema at a path of keys.
func schemaOf(t *testing.T, path ...string) map[string]any {
	t.Helper()
	var part map[string]any
	if err := json.Unmarshal(rules.Schema(), &part); err != nil {
		t.Fatal(err)
	}
	for _, key := range path {
		part, _ = part[key].(map[string]any)
	}
	return part
}

// TestSchemaHasSameKeysAsLoad compares the schema with the keys that Load names in its
// hint on an unknown key.
func TestSchemaHasSameKeysAsLoad(t *testing.T) {
	t.Parallel()
	const file = "account: A\ntimezone: UTC\nTOPrules:\n  - name: r\n    scope: {campaigns: [\"A-*\"]SCOPE}\n    window: today\n    pause_when: clicks > 1\nRULE    limits: {LIMITS}\n    min_data: {MIN}\ntests:\n  - expect: none\nTEST    metrics: {VALUES}\n"
	for mark, c := range map[string]struct {
		odd  string
		path []string
	}{
		"TOP":    {"zzzzzzzzzzzz: 1\n", nil},
		"SCOPE":  {", zzzzzzzzzzzz: 1", []string{"$defs", "rule", "properties", "scope"}},
		"RULE":   {"    zzzzzzzzzzzz: 1\n", []string{"$defs", "rule"}},
		"LIMITS": {"zzzzzzzzzzzz: 1", []string{"$defs", "rule", "properties", "limits"}},
		"MIN":    {"zzzzzzzzzzzz: 1", []string{"$defs", "rule", "properties", "min_data"}},
		"TEST":   {"    zzzzzzzzzzzz: 1\n", []string{"$defs", "test"}},
		"VALUES": {"zzzzzzzzzzzz: 1", []string{"$defs", "test", "properties", "metrics"}},
	} {
		t.Run(mark, func(t *testing.T) {
			t.Parallel()
			text := file
			for _, m := range []string{"TOP", "SCOPE", "RULE", "LIMITS", "MIN", "TEST", "VALUES"} {
				if m == mark {
					text = strings.Replace(text, m, c.odd, 1)
				} else {
					text = strings.Replace(text, m, "", 1)
				}
			}
			_, problems := rules.Load("x.yaml", []byte(text))
			var keys []string
			for _, p := range problems {
				if strings.Contains(p.Message, "zzzzzzzzzzzz") {
					list, _, _ := strings.Cut(p.Hint, "; ") // then come outcomes
					keys = strings.Split(strings.TrimPrefix(list, "it takes: "), ", ")
				}
			}
			properties, _ := schemaOf(t, c.path...)["properties"].(map[string]any)
			want := slices.Sorted(maps.Keys(properties))
			if !slices.Equal(keys, want) {
				t.Errorf("Load has %v\nthe schema has %v", keys, want)
			}
		})
	}
}

// Editors show the description of a key when the mouse is over it, so every key has one, except
// the fields of reports.
func TestEveryKeyIsDescribed(t *testing.T) {
	t.Parallel()
	var walk func(path string, part map[string]any)
	walk = func(path string, part map[string]any) {
		properties, _ := part["properties"].(map[string]any)
		for key, is := range properties {
			property, isObject := is.(map[string]any)
			if !isObject || slices.Contains(figures.Names(), key) {
				continue // false forbids the key
			}
			if text, _ := property["description"].(string); text == "" {
				t.Errorf("%s%s has no description", path, key)
			}
			walk(path+key+".", property)
		}
	}
	walk("", schemaOf(t))
	for _, name := range []string{"rule", "test"} {
		walk(name+".", schemaOf(t, "$defs", name))
	}
}

// TestSchemaAcceptsValidFiles checks that the schema and Load accept the same files.
func TestSchemaAcceptsValidFiles(t *testing.T) {
	t.Parallel()
	compiler := jsonschema.NewCompiler()
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(string(rules.Schema())))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiler.AddResource("urn:usher:rules", document); err != nil {
		t.Fatal(err)
	}
	schema := compiler.MustCompile("urn:usher:rules")
	example, err := os.ReadFile("../../deploy/rules/budgets.yaml")
	if err != nil {
		t.Fatal(err)
	}
	spend, err := os.ReadFile("../../deploy/rules/spend.yaml")
	if err != nil {
		t.Fatal(err)
	}
	changed := func(condition string) string {
		return strings.Replace(budgets, "ctr < 0.0005", condition, 1)
	}
	for text, good := range map[string]bool{
		budgets: true, string(example): true, string(spend): true,
		strings.Replace(string(spend), ", min: 50", "", 1):                                                                                                     false,
		strings.Replace(string(spend), "20%", "0.2", 1):                                                                                                        false,
		strings.Replace(string(spend), "    decrease_when", "    pause_when", 1):                                                                               false,
		strings.Replace(budgets, "cooldown: 1h", "cooldwn: 1h", 1):                                                                                             false,
		strings.Replace(budgets, "last 7 days", "last 0 days", 1):                                                                                              false,
		strings.Replace(budgets, "mode: act", "mode: acts", 1):                                                                                                 false,
		strings.Replace(budgets, "mode: act", "for: 30 days", 1):                                                                                               true,
		strings.Replace(budgets, "mode: act", "for: 1 day", 1):                                                                                                 true,
		strings.Replace(budgets, "mode: act", "for: 31 days", 1):                                                                                               false,
		strings.Replace(budgets, "mode: act", "for: 3d", 1):                                                                                                    false,
		strings.Replace(budgets, "mode: act", "mode: notify", 1):                                                                                               true,
		strings.Replace(budgets, "mode: act", "active_hours: 22:00-06:00", 1):                                                                                  true,
		strings.Replace(budgets, "mode: act", "active_hours: 8-22", 1):                                                                                         false,
		budgets + "  - {name: night, scope: {campaigns: [\"SANDBOX1-*\"]}, active_hours: \"08:00-22:00\", schedule: \"0 * * * *\"}\n":                          true,
		budgets + "  - {name: night, scope: {campaigns: [\"SANDBOX1-*\"]}, active_hours: \"08:00-22:00\", window: today, schedule: \"0 * * * *\"}\n":           true,
		budgets + "  - {name: night, scope: {campaigns: [\"SANDBOX1-*\"]}, active_hours: \"08:00-22:00\", resume_when: clicks > 1, schedule: \"0 * * * *\"}\n": false,
		strings.Replace(budgets, "    window: today\n", "", 1):                                                                                                 false,
		strings.Replace(budgets, "max_share: 20%", "max_share: 0.2", 1):                                                                                        false,
		strings.Replace(budgets, "impressions: 5000", "impressions: 0", 1):                                                                                     false,
		strings.Replace(budgets, "account: SANDBOX1", "account: My Shop", 1):                                                                                   false,
		strings.Replace(budgets, "Europe/London", "GMT+2", 1):                                                                                                  false,
		strings.Replace(budgets, "SANDBOX1-*", "SANDBOX1-.*", 1):                                                                                               false,
		strings.Replace(budgets, "0 7 * * *", "0 7 * * MON-FRI", 1):                                                                                            false,
		strings.Replace(budgets, "0 7 * * *", "@daily", 1):                                                                                                     false,
		strings.Replace(budgets, "0 7 * * *", " 0  7 * * 1-5", 1):                                                                                              true,
		strings.Replace(budgets, "SANDBOX1-*", "SANDBOX1-[a-c]?", 1):                                                                                           true,
		changed("grossMediaSpend => 95"):                                                                                                                       false,
		changed("grossMediaSpend ≥ 95"):                                                                                                                        false,
		changed("grossMediaSpend = 95"):                                                                                                                        false,
		changed("grossMediaSpend >= $95"):                                                                                                                      false,
		changed("grossMediaSpend >= 95 %"):                                                                                                                     false,
		changed("grossMediaSpend >= 0,95 * budget"):                                                                                                            false,
		changed("clicks <> 5"):                                                false,
		changed("NOT clicks > 5"):                                             false,
		changed("grossMediaSpend >= 100 EUR"):                                 false,
		changed("“clicks” > 5"):                                               false,
		changed("impressions >= 1.000.000"):                                   false,
		changed("impressions >= 5k"):                                          false,
		changed("spend >= budget - 10%"):                                      false,
		changed("clicks > 5 AND won > 5"):                                     false,
		changed("'!(clicks != 5) && won >= 5 || clicks == 3 ? true : false'"): true,
	} {
		data, err := yaml.YAMLToJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(data)))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); (err == nil) != good {
			t.Errorf("the schema returns %v for\n%s", err, text)
		}
		if set, problems := rules.Load("x.yaml", []byte(text)); (set != nil) != good {
			t.Errorf("Load returns %v for\n%s", problems, text)
		}
	}
}
