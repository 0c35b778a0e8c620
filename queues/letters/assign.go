package letters

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"usher"
	"usher/queues/schema"
)

// Assign returns a Change that sets fields by their dotted names. A value is what the schema accepts of
// text, JSON and a list with that text, in this order; null removes the field.
func (ls *Letters) Assign(assignments map[string]string) Change {
	return func(kind usher.Kind, shown json.RawMessage) (json.RawMessage, error) {
		var job map[string]any
		if err := json.Unmarshal(shown, &job); err != nil {
			return nil, fmt.Errorf("read the job: %w", err)
		}
		for _, path := range slices.Sorted(maps.Keys(assignments)) {
			ls.assign(kind, job, strings.Split(path, "."), assignments[path])
		}
		return json.Marshal(job)
	}
}

// assign sets one field.
func (ls *Letters) assign(kind usher.Kind, job map[string]any, path []string, value string) {
	last := len(path) - 1
	object := job
	for _, name := range path[:last] {
		inner, ok := object[name].(map[string]any)
		if !ok {
			inner = map[string]any{}
			object[name] = inner
		}
		object = inner
	}
	if value == "null" {
		delete(object, path[last])
		return
	}
	readings := []any{value}
	var parsed any
	if json.Unmarshal([]byte(value), &parsed) == nil {
		readings = append(readings, parsed)
	}
	for _, reading := range append(readings, []any{value}) {
		if object[path[last]] = reading; ls.accepts(kind, job, path) {
			return
		}
	}
	object[path[last]] = value // the validation of the whole job reports what is wrong
}

// accepts reports whether the schema accepts the value at path.
func (ls *Letters) accepts(kind usher.Kind, job map[string]any, path []string) bool {
	text, err := json.Marshal(job)
	if err != nil {
		return false
	}
	at := schema.Pointer(path)
	return !slices.ContainsFunc(ls.schemas.Validate(kind, text), func(i schema.Issue) bool {
		return i.Pointer == at || strings.HasPrefix(i.Pointer, at+"/")
	})
}
