package queues

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"usher/queues/schema"

	"usher"
)

// Assign is a Change that sets fields by their dotted names: text, or JSON where
// the job takes no text there; null removes a field.
func (q *Queue) Assign(assignments map[string]string) Change {
	return func(kind usher.Kind, shown json.RawMessage) (json.RawMessage, error) {
		var job map[string]any
		if err := json.Unmarshal(shown, &job); err != nil {
			return nil, fmt.Errorf("read the job: %w", err)
		}
		for _, path := range slices.Sorted(maps.Keys(assignments)) {
			q.assign(kind, job, strings.Split(path, "."), assignments[path])
		}
		return json.Marshal(job)
	}
}

// assign sets one field.
func (q *Queue) assign(kind usher.Kind, job map[string]any, path []string, value string) {
	last := len(path) - 1
	holder := job
	for _, name := range path[:last] {
		inner, ok := holder[name].(map[string]any)
		if !ok {
			inner = map[string]any{}
			holder[name] = inner
		}
		holder = inner
	}
	if value == "null" {
		delete(holder, path[last])
		return
	}
	holder[path[last]] = value
	if q.accepts(kind, job, path) {
		return
	}
	var other any
	if json.Unmarshal([]byte(value), &other) != nil {
		return // the edit says what is wrong with it
	}
	if holder[path[last]] = other; !q.accepts(kind, job, path) {
		holder[path[last]] = value
	}
}

// accepts reports whether nothing is wrong with what lies at path.
func (q *Queue) accepts(kind usher.Kind, job map[string]any, path []string) bool {
	text, err := json.Marshal(job)
	if err != nil {
		return false
	}
	at := schema.Pointer(path)
	return !slices.ContainsFunc(q.schemas.Validate(kind, text), func(i schema.Issue) bool {
		return i.Pointer == at || strings.HasPrefix(i.Pointer, at+"/")
	})
}
