package schema

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"usher"
)

// files are the JSON Schemas (draft 2020-12), one for each kind. Each is
// complete; definitions of the same name are equal in all of them.
//
//go:embed *.json
var files embed.FS

const (
	maxJobBytes = 64 << 20 // of a job's JSON, as of a message of NATS
	maxIssues   = 20       // of one job
)

// Schemas are the schemas of all kinds of job. They are safe for concurrent use.
type Schemas struct {
	byKind map[usher.Kind]schema
}

// schema is the schema of one kind.
type schema struct {
	text []byte // as people read it
	// compiled compiles the schema when it is first needed: most commands check no job,
	// and compiling all schemas takes longer than connecting to NATS.
	compiled func() (compiledSchema, error)
}

type compiledSchema struct {
	*jsonschema.Schema
	fields map[string][]string // that an object accepts, by the location of its schema
}

// Load returns the schemas.
func Load() *Schemas { return load() }

var load = sync.OnceValue(func() *Schemas {
	s := &Schemas{byKind: map[usher.Kind]schema{}}
	for _, kind := range usher.Kinds() {
		text, err := files.ReadFile(string(kind) + ".json")
		if err != nil {
			panic(err) // the file is embedded
		}
		s.byKind[kind] = schema{text, sync.OnceValues(func() (compiledSchema, error) { return compile(kind, text) })}
	}
	return s
})

func compile(kind usher.Kind, text []byte) (compiledSchema, error) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return compiledSchema{}, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.RegisterFormat(&jsonschema.Format{Name: "date-time", Validate: checkTime})
	compiler.AssertFormat()
	address := "urn:usher:" + string(kind)
	if err := compiler.AddResource(address, document); err != nil {
		return compiledSchema{}, err
	}
	root, err := compiler.Compile(address)
	if err != nil {
		return compiledSchema{}, err
	}
	c := compiledSchema{root, map[string][]string{}}
	c.index(root)
	return c, nil
}

// checkTime accepts what time.Time decodes. The usual check of the format also
// accepts leap seconds and lower-case letters.
func checkTime(v any) error {
	text, ok := v.(string)
	if !ok {
		return nil
	}
	return new(time.Time).UnmarshalText([]byte(text))
}

// index collects which fields each object of the schema accepts.
func (s *compiledSchema) index(of *jsonschema.Schema) {
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

// Text returns the schema of a kind, as `usher submit KIND --schema` prints it,
// and reports whether the kind exists.
func (s *Schemas) Text(kind usher.Kind) ([]byte, bool) {
	one, ok := s.byKind[kind]
	return one.text, ok
}

// Validate checks body against the schema of a kind. It returns nil if the body is
// valid, otherwise 1 to 20 issues in order. No issue contains a string of the
// body except the name of a field, and that only if it consists of letters: a
// misplaced name may be a device id.
func (s *Schemas) Validate(kind usher.Kind, body []byte) []Issue {
	one, ok := s.byKind[kind]
	if !ok {
		return []Issue{{Message: "there is no such kind of job: accepted are " + s.kindsInWords()}}
	}
	if len(body) > maxJobBytes {
		return []Issue{{Message: fmt.Sprintf("the job has %d bytes, at most %d are accepted: name an export in source.url", len(body), maxJobBytes)}}
	}
	document, issue := decodeStrict(body)
	if issue != nil {
		return []Issue{*issue}
	}
	compiled, err := one.compiled()
	if err == nil {
		err = compiled.Validate(document)
	}
	if err == nil {
		return append(deviceIDs(document), wrongIDs(document)...)
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return []Issue{{Message: "the job could not be checked: report this as a bug in usher"}}
	}
	return compiled.issues(invalid, document)
}

func (s *Schemas) kindsInWords() string {
	words := make([]string, 0, len(s.byKind))
	for _, kind := range usher.Kinds() {
		words = append(words, string(kind))
	}
	return strings.Join(words, ", ")
}
