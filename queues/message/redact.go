package message

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"usher"
	"usher/hashing"
	"usher/queues/store"
)

// Redact returns a job's JSON in the form that people may see: it replaces inline
// ids by their number, the query of a source's URL by ?…, and unknown fields and
// values of a wrong type by a word, and masks ids in all texts that are not names,
// because a stranger may have put device ids anywhere. It returns nil if the body is
// not a JSON object.
func Redact(body []byte) json.RawMessage {
	fields := objectOf(body)
	if fields == nil {
		return nil
	}
	// Nested objects separately, so that their other fields are kept if one is invalid.
	source, sourced := fields["source"]
	ids, inline := fields["ids"]
	delete(fields, "source")
	delete(fields, "ids")
	keepKnown(fields, jobFields())
	maskExcept(fields, "id", "advertiser", "segment", "campaign", "creatives", "evaluation", "metrics")
	if sourced {
		fields["source"] = redactSource(source)
	}
	if inline {
		fields["ids"] = countOf(ids)
	}
	if metrics := objectOf(fields["metrics"]); metrics != nil {
		keepKnown(metrics, metricsFields())
		maskExcept(metrics, "campaign")
		fields["metrics"] = encoded(metrics)
	}
	return encoded(fields)
}

func redactSource(source json.RawMessage) json.RawMessage {
	fields := objectOf(source)
	if fields == nil {
		return json.RawMessage(removed)
	}
	ids, inline := fields["ids"]
	delete(fields, "ids")
	keepKnown(fields, sourceFields())
	maskExcept(fields, "url", "doneMarker")
	if inline {
		fields["ids"] = countOf(ids)
	}
	var url string
	if json.Unmarshal(fields["url"], &url) == nil && url != "" {
		fields["url"] = encoded((&usher.Source{URL: url}).Redacted())
	}
	return encoded(fields)
}

// objectOf returns the fields of a JSON object, or nil if data is not an object.
func objectOf(data json.RawMessage) (fields map[string]json.RawMessage) {
	if json.Unmarshal(data, &fields) != nil {
		return nil
	}
	return fields
}

// encoded returns v as JSON.
func encoded(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage(removed)
	}
	return data
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

// jobFields, sourceFields and metricsFields are the types of the fields of a job, its
// source and its metrics.
var (
	jobFields = sync.OnceValue(func() map[string]reflect.Type {
		fields := fieldsOf(reflect.TypeFor[usher.Job]())
		fields["asOf"] = reflect.TypeFor[time.Time]()
		return fields
	})
	sourceFields  = sync.OnceValue(func() map[string]reflect.Type { return fieldsOf(reflect.TypeFor[usher.Source]()) })
	metricsFields = sync.OnceValue(func() map[string]reflect.Type { return fieldsOf(reflect.TypeFor[usher.Metrics]()) })
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

// keepKnown replaces unknown fields, and values that do not decode into their field's type.
// It shortens times to the nanosecond.
func keepKnown(fields map[string]json.RawMessage, known map[string]reflect.Type) {
	for key, value := range fields {
		want, ok := known[key]
		if !ok {
			// The key may contain anything as well.
			delete(fields, key)
			fields["(unknown field)"] = json.RawMessage(removed)
			continue
		}
		decoded := reflect.New(want).Interface()
		if json.Unmarshal(value, decoded) != nil {
			fields[key] = json.RawMessage(removed)
		} else if at, ok := decoded.(*time.Time); ok && !at.IsZero() {
			fields[key] = encoded(at)
		}
	}
}

// maskExcept masks ids in all texts of the fields except the names among them, such as
// codes of the platform, which may look like ids.
func maskExcept(fields map[string]json.RawMessage, names ...string) {
	for key, value := range fields {
		if !slices.Contains(names, key) {
			fields[key] = maskValue(value)
		}
	}
}

// maskValue masks ids in all strings and keys of a JSON value.
func maskValue(value json.RawMessage) json.RawMessage {
	var list []json.RawMessage
	if fields := objectOf(value); fields != nil {
		masked := map[string]json.RawMessage{}
		for key, value := range fields {
			masked[hashing.MaskIDs(key)] = maskValue(value)
		}
		return encoded(masked)
	}
	if json.Unmarshal(value, &list) == nil && list != nil {
		for i := range list {
			list[i] = maskValue(list[i])
		}
		return encoded(list)
	}
	var text string
	if json.Unmarshal(value, &text) == nil && text != "" {
		return encoded(hashing.MaskIDs(text))
	}
	return value // a number, true, false, null, or an empty text
}

// maskTexts masks ids in a job's free texts, before anything of the job is stored. The
// schemas refuse ids in the other texts that are not names.
func maskTexts(job *usher.Job) {
	job.Reason, job.Actor = hashing.MaskIDs(job.Reason), hashing.MaskIDs(job.Actor)
	if at, err := time.Parse(time.RFC3339, job.AsOf); err == nil {
		job.AsOf = at.Format(time.RFC3339Nano) // a fraction may have any number of digits
	}
}

// KnownKind returns a kind. If there is no such kind and its name may hold an id, it
// returns store.UnknownKind.
func (r *Reader) KnownKind(k usher.Kind) usher.Kind {
	if slices.Contains(usher.Kinds(), k) || !strings.ContainsAny(string(k), "0123456789") {
		return k
	}
	return store.UnknownKind
}
