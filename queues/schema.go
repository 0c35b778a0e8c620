package queues

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"usher"
)

// schemaFiles are the JSON Schemas (draft 2020-12), one a kind, each whole in
// itself; definitions of one name are the same in all.
//
//go:embed schema/*.json
var schemaFiles embed.FS

const (
	maxJobBytes = 16 << 20 // of a job's JSON
	maxIssues   = 20       // of one job
)

// Schemas are what jobs are held to. They may be used from any goroutine.
type Schemas struct {
	byKind map[usher.Kind]schema
}

// schema is one kind's: as people read it, and compiled.
type schema struct {
	text     []byte
	compiled *jsonschema.Schema
	fields   map[string][]string // what an object takes, by its schema's location
}

// LoadSchemas compiles the schemas that come with usher. An error is a bug.
func LoadSchemas() (*Schemas, error) {
	s := &Schemas{byKind: map[usher.Kind]schema{}}
	for _, kind := range s.Kinds() {
		one, err := loadSchema(kind)
		if err != nil {
			return nil, fmt.Errorf("load the schema of %s: %w", kind, err)
		}
		s.byKind[kind] = one
	}
	return s, nil
}

func loadSchema(kind usher.Kind) (schema, error) {
	text, err := schemaFiles.ReadFile("schema/" + string(kind) + ".json")
	if err != nil {
		return schema{}, err
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return schema{}, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.RegisterFormat(&jsonschema.Format{Name: "date-time", Validate: checkTime})
	compiler.AssertFormat()
	address := "urn:usher:" + string(kind)
	if err := compiler.AddResource(address, document); err != nil {
		return schema{}, err
	}
	compiled, err := compiler.Compile(address)
	if err != nil {
		return schema{}, err
	}
	one := schema{text: text, compiled: compiled, fields: map[string][]string{}}
	one.index(compiled)
	return one, nil
}

// checkTime takes what time.Time takes in a job: the format's usual check also
// takes leap seconds and lower-case letters.
func checkTime(v any) error {
	text, ok := v.(string)
	if !ok {
		return nil
	}
	return new(time.Time).UnmarshalText([]byte(text))
}

// index notes which fields each object of s takes.
func (s *schema) index(of *jsonschema.Schema) {
	if of == nil || s.fields[of.Location] != nil {
		return
	}
	names := make([]string, 0, len(of.Properties))
	for name := range of.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	s.fields[of.Location] = names
	s.index(of.Ref)
	for _, one := range of.OneOf {
		s.index(one)
	}
	for _, property := range of.Properties {
		s.index(property)
	}
}

// Kinds are the kinds of job that there are.
func (*Schemas) Kinds() []usher.Kind {
	return []usher.Kind{
		usher.SegmentAdd, usher.SegmentRemove,
		usher.TargetAdd, usher.TargetReplace, usher.TargetClear,
		usher.CampaignPause, usher.CampaignResume,
		usher.RulesEvaluate,
	}
}

// Text is the schema of kind, as `usher submit KIND --schema` prints it; false
// if there is no such kind.
func (s *Schemas) Text(kind usher.Kind) ([]byte, bool) {
	one, ok := s.byKind[kind]
	return one.text, ok
}

// Validate says what is wrong with body as a job of kind: nothing, or 1 to 20
// issues, sorted. No issue holds a string of body other than the name of a
// field, and that only where it is made of letters: what was meant as a name
// may be an id.
func (s *Schemas) Validate(kind usher.Kind, body []byte) []Issue {
	one, ok := s.byKind[kind]
	if !ok {
		return []Issue{{Message: "there is no such kind of job: accepted are " + s.kindsInWords()}}
	}
	if len(body) > maxJobBytes {
		return []Issue{{Message: fmt.Sprintf("the job has %d bytes, at most %d are accepted: name an export in source.url", len(body), maxJobBytes)}}
	}
	document, issue := readStrictly(body)
	if issue != nil {
		return []Issue{*issue}
	}
	err := one.compiled.Validate(document)
	if err == nil {
		return nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return []Issue{{Message: "the job could not be checked: report this as a bug in usher"}}
	}
	return one.issues(invalid, document)
}

func (s *Schemas) kindsInWords() string {
	words := make([]string, 0, len(s.byKind))
	for _, kind := range s.Kinds() {
		words = append(words, string(kind))
	}
	return strings.Join(words, ", ")
}
