package ndjson_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"usher/internal/exports/ndjson"
)

// drawValue draws an object, with arrays and objects in it, or a value.
func drawValue(t *rapid.T, depth int) any {
	kinds := []string{"array", "array", "object", "object", "object", "text", "null"}
	if depth == 0 {
		kinds = kinds[5:]
	}
	switch rapid.SampledFrom(kinds).Draw(t, "kind") {
	case "array":
		list := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "elements") {
			list = append(list, drawValue(t, depth-1))
		}
		return list
	case "object":
		return drawObject(t, depth)
	case "text":
		return fmt.Sprint(rapid.IntRange(0, 99).Draw(t, "text"))
	}
	return nil
}

// drawObject draws an object of few different keys, so that paths often meet.
func drawObject(t *rapid.T, depth int) map[string]any {
	object := map[string]any{}
	for _, key := range []string{"a", "b", "id", "flag"} {
		if rapid.IntRange(0, 2).Draw(t, key) > 0 {
			object[key] = drawValue(t, depth-1)
		}
	}
	return object
}

// valuesAt returns the values at the keys of a path, in all elements of arrays.
func valuesAt(value any, keys []string) (values []any) {
	if list, ok := value.([]any); ok {
		for _, inner := range list {
			values = append(values, valuesAt(inner, keys)...)
		}
		return values
	}
	if len(keys) == 0 {
		return []any{value}
	}
	object, _ := value.(map[string]any)
	if inner, found := object[keys[0]]; found {
		return valuesAt(inner, keys[1:])
	}
	return nil
}

// textsAt returns the values at a path as the Finder does.
func textsAt(value any, keys []string) []string {
	texts := []string{}
	for _, found := range valuesAt(value, keys) {
		text, _ := found.(string)
		texts = append(texts, text)
	}
	return texts
}

// besideOf returns the ids of a record with the values beside each, by the values that encoding/json reads.
func besideOf(record any, path, ids string) (list []string) {
	own, other := strings.Split(ids, "."), strings.Split(path, ".")
	shared := 0
	for shared < min(len(own), len(other))-1 && own[shared] == other[shared] {
		shared++
	}
	for _, element := range valuesAt(record, own[:shared]) {
		values := textsAt(element, other[shared:])
		found := textsAt(element, own[shared:])
		for i, id := range found {
			beside := values
			if len(found) == len(values) {
				beside = values[i : i+1]
			}
			list = append(list, fmt.Sprintf("%s %q", id, beside))
		}
	}
	return list
}

// TestFindBeside compares with encoding/json, at random paths of random records: ids with and without values, in arrays
// and arrays within arrays, and values outside of them.
func TestFindBeside(t *testing.T) {
	t.Parallel()
	paths := rapid.Custom(func(t *rapid.T) string {
		keys := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "a", "b"}), 0, 2).Draw(t, "keys")
		return strings.Join(append(keys, rapid.SampledFrom([]string{"id", "flag"}).Draw(t, "last")), ".")
	})
	rapid.Check(t, func(t *rapid.T) {
		var record any = drawObject(t, 5)
		if rapid.Bool().Draw(t, "array") {
			record = []any{record, drawObject(t, 5)}
		}
		text, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		ids, path := paths.Draw(t, "ids"), paths.Draw(t, "path")
		own, others := ndjson.NewFinder(ids), ndjson.NewFinderBeside(path, ids)
		for range 2 { // finders are used again
			found, got := own.Values(text), []string(nil)
			if !others.FindBeside(text, own) {
				t.Fatalf("%s is no record", text)
			}
			at := 0
			for n, values := range others.Beside() {
				for range n {
					if len(found) > 0 {
						got = append(got, fmt.Sprintf("%s %q", found[at], values))
					}
					at++
				}
			}
			if at != max(len(found), 1) {
				t.Fatalf("%s: %d ids of %d", text, at, len(found))
			}
			if want := besideOf(record, path, ids); !slices.Equal(got, want) {
				t.Fatalf("%s: %s beside %s: %q, want %q", text, path, ids, got, want)
			}
		}
	})
}
