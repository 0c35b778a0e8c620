package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Limits on a job's JSON, so that validation costs no more than decoding.
const (
	maxDepth  = 8
	maxItems  = 10_000 // of a list; source.ids is the longest
	maxFields = 200    // of an object
)

// decodeStrict decodes body as one JSON value, with numbers as float64. Unlike
// encoding/json it refuses a duplicate field: decoding into a struct would merge
// the two values into one that the schema has never seen.
func decodeStrict(body []byte) (any, *Issue) {
	if !utf8.Valid(body) {
		return nil, &Issue{Message: "the job is not UTF-8"}
	}
	if !json.Valid(body) {
		err := json.Unmarshal(body, new(json.RawMessage)) // the error has the offset
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) && syntax.Offset < int64(len(body)) {
			return nil, &Issue{Message: fmt.Sprintf("the job is not one JSON value: it breaks at byte %d", syntax.Offset)}
		}
		return nil, &Issue{Message: fmt.Sprintf("the job is not one JSON value: it breaks off after %d bytes", len(body))}
	}
	d := strictDecoder{json.NewDecoder(bytes.NewReader(body))}
	return d.value(nil)
}

// strictDecoder decodes text that is known to be valid JSON.
type strictDecoder struct{ *json.Decoder }

func (d strictDecoder) value(path []string) (any, *Issue) {
	token, err := d.Token()
	if err != nil { // the only possible error is a number that float64 cannot hold
		return nil, issueAt(path, "is a number out of range")
	}
	delim, ok := token.(json.Delim)
	switch {
	case !ok:
		return token, nil
	case len(path) >= maxDepth:
		return nil, issueAt(path, fmt.Sprintf("is nested more than %d deep", maxDepth))
	case delim == '[':
		return d.list(path)
	default:
		return d.object(path)
	}
}

func (d strictDecoder) list(path []string) (any, *Issue) {
	list := []any{}
	for d.More() {
		if len(list) == maxItems {
			return nil, issueAt(path, fmt.Sprintf("has more than %d items: name an export in source.url", maxItems))
		}
		value, issue := d.value(append(path, strconv.Itoa(len(list))))
		if issue != nil {
			return nil, issue
		}
		list = append(list, value)
	}
	_, _ = d.Token() // the end
	return list, nil
}

func (d strictDecoder) object(path []string) (any, *Issue) {
	object := map[string]any{}
	for d.More() {
		if len(object) == maxFields {
			return nil, issueAt(path, fmt.Sprintf("has more than %d fields", maxFields))
		}
		token, _ := d.Token()
		name, _ := token.(string)
		inner := append(slices.Clip(path), name)
		if _, twice := object[name]; twice {
			return nil, issueAt(inner, "comes twice")
		}
		value, issue := d.value(inner)
		if issue != nil {
			return nil, issue
		}
		object[name] = value
	}
	_, _ = d.Token() // the end
	return object, nil
}
