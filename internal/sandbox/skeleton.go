package sandbox

import (
	"encoding/json"
	"reflect"
	"strings"
)

// recordField is a field of a record in JSON.
type recordField struct {
	reflect.StructField
	record reflect.Type // the type that declares it
}

// fieldsOf returns a record's fields, including those of embedded records.
func fieldsOf(t reflect.Type) []recordField {
	var list []recordField
	for i := range t.NumField() {
		if field := t.Field(i); field.Anonymous {
			list = append(list, fieldsOf(field.Type)...)
		} else {
			list = append(list, recordField{field, t})
		}
	}
	return list
}

// skeleton returns the JSON of a record with placeholders as values. It has the fields for
// which wanted returns true.
func skeleton(t reflect.Type, wanted func(field recordField) bool) string {
	var b strings.Builder
	writeSkeleton(&b, t, "", wanted)
	return b.String()
}

func writeSkeleton(b *strings.Builder, t reflect.Type, indent string, wanted func(field recordField) bool) {
	switch t.Kind() { //nolint:exhaustive // the records have no others
	case reflect.Pointer:
		writeSkeleton(b, t.Elem(), indent, wanted)
	case reflect.Struct:
		separator := "{\n"
		for _, field := range fieldsOf(t) {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if !wanted(field) {
				continue
			}
			b.WriteString(separator + indent + `  "` + name + `": `)
			writeSkeleton(b, field.Type, indent+"  ", wanted)
			separator = ",\n"
		}
		b.WriteString("\n" + indent + "}")
	case reflect.Slice:
		if t == reflect.TypeFor[json.RawMessage]() {
			b.WriteString("{}")
			return
		}
		b.WriteString("[")
		writeSkeleton(b, t.Elem(), indent, wanted)
		b.WriteString("]")
	case reflect.String:
		b.WriteString(`"…"`)
	case reflect.Bool:
		b.WriteString("true")
	default:
		b.WriteString("0")
	}
}
