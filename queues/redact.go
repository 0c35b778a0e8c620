package queues

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"usher"
)

// redact returns a job's JSON as it may be kept and shown: inline ids replaced
// by their count, the query of a source's URL by ?…, and what no job has, or
// has with another type, by a word: a stranger may have put device ids there.
// It returns nil for what is not a JSON object.
func redact(body []byte) json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(body, &fields) != nil || fields == nil {
		return nil
	}
	// The source apart: with a wrong field in it, it is still told what is in it.
	source, sourced := fields["source"]
	delete(fields, "source")
	keepKnown(fields, reflect.TypeFor[usher.Job]())
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
	keepKnown(fields, reflect.TypeFor[usher.Source]())
	if inline {
		fields["ids"] = countOf(ids)
	}
	var url string
	if json.Unmarshal(fields["url"], &url) == nil && url != "" {
		shown, err := json.Marshal((&usher.Source{URL: url}).Shown())
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

// countOf is how many ids a list holds. What is a count stays one: a letter of
// an invalid job is kept redacted, and redacted again where it is shown.
func countOf(ids json.RawMessage) json.RawMessage {
	var count int
	if json.Unmarshal(ids, &count) != nil {
		var list []json.RawMessage
		_ = json.Unmarshal(ids, &list) // not a list: none
		count = len(list)
	}
	return json.RawMessage(strconv.Itoa(count))
}

// removed stands where a stranger's value stood.
const removed = `"(removed)"`

// keepKnown replaces every value whose key is not one of t's JSON fields, or
// which does not decode into it.
func keepKnown(fields map[string]json.RawMessage, t reflect.Type) {
	known := map[string]reflect.Type{}
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		known[name] = t.Field(i).Type
	}
	for key, value := range fields {
		if want, ok := known[key]; !ok || json.Unmarshal(value, reflect.New(want).Interface()) != nil {
			if !ok {
				// The key itself is a stranger's word too.
				delete(fields, key)
				key = "(unknown field)"
			}
			fields[key] = json.RawMessage(removed)
		}
	}
}

// shownJob is a letter's kept job as people see it: the query of its source's
// URL is not shown, and digests only as a count.
func shownJob(kept json.RawMessage) json.RawMessage {
	if kept == nil {
		return nil
	}
	return redact(kept)
}
