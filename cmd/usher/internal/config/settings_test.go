package config

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/knadh/koanf/parsers/yaml"
	"github.com/knadh/koanf/providers/file"
	"github.com/knadh/koanf/v2"
)

// These files repeat the keys of settings.go.
const (
	exampleFile = "deploy/usher.yaml"
	chartFile   = "deploy/chart/values.schema.json"
)

// repositoryFile returns the path of a file of the repository.
func repositoryFile(name string) string {
	return filepath.Join("..", "..", "..", "..", filepath.FromSlash(name))
}

func TestExampleFileHasEverySetting(t *testing.T) {
	t.Parallel()
	read := koanf.New(".")
	if err := read.Load(file.Provider(repositoryFile(exampleFile)), yaml.Parser()); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, s := range settings() {
		known[s.key] = true
		if !read.Exists(s.key) {
			t.Errorf("%s lacks the key %s", exampleFile, s.key)
			continue
		}
		value, err := s.parse("key "+s.key, read.Get(s.key))
		if err != nil {
			t.Errorf("%s: %v", exampleFile, err)
		} else if !reflect.DeepEqual(value, s.value) {
			t.Errorf("%s: %s is %v, its default is %v", exampleFile, s.key, value, s.value)
		}
	}
	for _, key := range read.Keys() {
		if !known[key] {
			t.Errorf("%s has the unknown key %s", exampleFile, key)
		}
	}
}

// TestExampleFileExplains requires a comment above every key.
func TestExampleFileExplains(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(repositoryFile(exampleFile))
	if err != nil {
		t.Fatal(err)
	}
	leaves := map[string]bool{}
	for _, s := range settings() {
		_, leaf, nested := strings.Cut(s.key, ".")
		if !nested {
			leaf = s.key
		}
		leaves[leaf] = true
	}
	seen, before := 0, ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		key, rest, _ := strings.Cut(line, ":")
		if leaves[key] && rest != "" {
			seen++
			if !strings.HasPrefix(before, "#") {
				t.Errorf("%s has no comment on %s", exampleFile, key)
			}
		}
		before = line
	}
	if want := len(settings()); seen != want {
		t.Errorf("%s has %d keys, want %d", exampleFile, seen, want)
	}
}

// chartType returns the definition of the key's type in chartFile.
func (s setting) chartType() string {
	switch s.value.(type) {
	case bool:
		return "switch"
	case int:
		return "integer"
	case float64:
		return "number"
	case time.Duration:
		return "duration"
	case []string:
		return "list"
	}
	return "text"
}

// TestChartHasEverySetting requires the chart to accept every key, except for secrets and for
// what it sets itself.
func TestChartHasEverySetting(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(repositoryFile(chartFile))
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Properties struct {
			Config struct {
				Properties map[string]struct {
					Ref string `json:"$ref"`
				} `json:"properties"`
			} `json:"config"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, s := range settings() {
		name := strings.TrimPrefix(s.variable(), "USHER_")
		if s.hasFileVariable() {
			want[name+"_FILE"] = "text"
		}
		if !s.secret && !slices.Contains([]string{"worker", "console.listen", "intake.listen"}, s.key) {
			want[name] = s.chartType()
		}
	}
	got := map[string]string{}
	for name, property := range schema.Properties.Config.Properties {
		got[name] = strings.TrimPrefix(property.Ref, "#/$defs/")
	}
	if !maps.Equal(got, want) {
		t.Errorf("config in %s has\n%v\nwant\n%v", chartFile, got, want)
	}
}
