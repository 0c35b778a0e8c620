package queues

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Limits on a job's JSON beside its size, so that checking it costs no more
// than reading it.
const (
	maxDepth  = 8
	maxItems  = 10_000 // of a list: source.ids is the longest
	maxFields = 200    // of an object
)

// readStrictly reads body as one JSON value, numbers as float64. Other than
// encoding/json it refuses a field that comes twice: decoded into a struct the
// two would be mixed, and so escape the schema.
func readStrictly(body []byte) (any, *Issue) {
	if !utf8.Valid(body) {
		return nil, &Issue{Message: "the job is not UTF-8"}
	}
	var whole json.RawMessage
	if err := json.Unmarshal(body, &whole); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) && syntax.Offset < int64(len(body)) {
			return nil, &Issue{Message: fmt.Sprintf("the job is not one JSON value: it breaks at byte %d", syntax.Offset)}
		}
		return nil, &Issue{Message: fmt.Sprintf("the job is not one JSON value: it breaks off after %d bytes", len(body))}
	}
	r := strictReader{json.NewDecoder(bytes.NewReader(body))}
	return r.value(nil)
}

// strictReader reads what is known to be valid JSON.
type strictReader struct{ *json.Decoder }

func (r strictReader) value(path []string) (any, *Issue) {
	token, err := r.Token()
	if err != nil { // the only way to fail is a number that float64 cannot hold
		return nil, at(path, "is a number out of range")
	}
	delim, ok := token.(json.Delim)
	switch {
	case !ok:
		return token, nil
	case len(path) >= maxDepth:
		return nil, at(path, fmt.Sprintf("is nested more than %d deep", maxDepth))
	case delim == '[':
		return r.list(path)
	default:
		return r.object(path)
	}
}

func (r strictReader) list(path []string) (any, *Issue) {
	list := []any{}
	for r.More() {
		if len(list) == maxItems {
			return nil, at(path, fmt.Sprintf("has more than %d items: name an export in source.url", maxItems))
		}
		value, issue := r.value(append(path, strconv.Itoa(len(list))))
		if issue != nil {
			return nil, issue
		}
		list = append(list, value)
	}
	_, _ = r.Token() // the end
	return list, nil
}

func (r strictReader) object(path []string) (any, *Issue) {
	object := map[string]any{}
	for r.More() {
		if len(object) == maxFields {
			return nil, at(path, fmt.Sprintf("has more than %d fields", maxFields))
		}
		token, _ := r.Token()
		name, _ := token.(string)
		inner := append(slices.Clip(path), name)
		if _, twice := object[name]; twice {
			return nil, at(inner, "comes twice")
		}
		value, issue := r.value(inner)
		if issue != nil {
			return nil, issue
		}
		object[name] = value
	}
	_, _ = r.Token() // the end
	return object, nil
}
