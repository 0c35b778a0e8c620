package queues

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"usher"
)

// Redact returns a job's JSON in the form that people may see: it replaces inline
// ids by their number, the query of a source's URL by ?…, and unknown fields and
// values of a wrong type by a word, because these may contain device ids. It
// returns nil if the body is not a JSON object.
func Redact(body []byte) json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(body, &fields) != nil || fields == nil {
		return nil
	}
	// The source separately, so that its other fields are kept if one is invalid.
	source, sourced := fields["source"]
	delete(fields, "source")
	keepKnown(fields, jobFields())
	hideIDs(fields, "reason", "actor")
	if sourced {
		fields["source"] = redactSource(source)
	}
	out, err := json.Marshal(fields)
	if err != nil {
		return nil
	}
	return out
}

func redactSource(source json.RawMessage) json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(source, &fields) != nil || fields == nil {
		return json.RawMessage(removed)
	}
	ids, inline := fields["ids"]
	delete(fields, "ids")
	keepKnown(fields, sourceFields())
	hideIDs(fields, "format", "compression", "column", "typeColumn", "delimiter", "encoding", "doneMarker")
	if inline {
		fields["ids"] = countOf(ids)
	}
	var url string
	if json.Unmarshal(fields["url"], &url) == nil && url != "" {
		shown, err := json.Marshal((&usher.Source{URL: url}).Redacted())
		if err != nil {
			return json.RawMessage(removed)
		}
		fields["url"] = shown
	}
	out, err := json.Marshal(fields)
	if err != nil {
		return json.RawMessage(removed)
	}
	return out
}

// countOf returns the number of ids in a list. A count stays a count, because the letter
// of an invalid job is stored redacted and redacted again when it is shown.
func countOf(ids json.RawMessage) json.RawMessage {
	var count int
	if json.Unmarshal(ids, &count) != nil {
		var list []json.RawMessage
		_ = json.Unmarshal(ids, &list) // not a list counts as 0
		count = len(list)
	}
	return json.RawMessage(strconv.Itoa(count))
}

// removed replaces a value that may contain anything.
const removed = `"(removed)"`

// jobFields and sourceFields are the types of the fields of a job and its source.
var (
	jobFields    = sync.OnceValue(func() map[string]reflect.Type { return fieldsOf(reflect.TypeFor[usher.Job]()) })
	sourceFields = sync.OnceValue(func() map[string]reflect.Type { return fieldsOf(reflect.TypeFor[usher.Source]()) })
)

// fieldsOf returns the types of a struct's fields by their JSON names.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	known := map[string]reflect.Type{}
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		known[name] = t.Field(i).Type
	}
	return known
}

// keepKnown replaces every value whose key is not one of the known fields, or
// which does not decode into it.
func keepKnown(fields map[string]json.RawMessage, known map[string]reflect.Type) {
	for key, value := range fields {
		if want, ok := known[key]; !ok || json.Unmarshal(value, reflect.New(want).Interface()) != nil {
			if !ok {
				// The key may contain anything as well.
				delete(fields, key)
				key = "(unknown field)"
			}
			fields[key] = json.RawMessage(removed)
		}
	}
}

// idShaped matches the shape of a device id, with or without hyphens.
var idShaped = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32}|[0-9a-f]{16})\b`)
})

// hideIDs removes everything that looks like a device id from text fields. Codes of the
// platform and ids of jobs are kept, although they may look like one.
func hideIDs(fields map[string]json.RawMessage, texts ...string) {
	for _, key := range texts {
		var text string
		if json.Unmarshal(fields[key], &text) != nil || !idShaped().MatchString(text) {
			continue
		}
		hidden, err := json.Marshal(idShaped().ReplaceAllString(text, "(id removed)"))
		if err != nil {
			hidden = []byte(removed)
		}
		fields[key] = hidden
	}
}
