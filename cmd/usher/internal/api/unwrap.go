package api

import (
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"usher/internal/rtb"
)

// unwrap returns the record in the data of a read, {"segment": {…}}, without the fields that
// only the platform sets, and any other object unchanged. A campaign keeps all fields,
// because an update must send the full definition that was read.
func (c *apiCall) unwrap(object json.RawMessage) (json.RawMessage, error) {
	fields, err := readObject(object)
	if err != nil {
		return nil, err
	}
	fields = slices.DeleteFunc(fields, func(f member) bool { return f.name == "warnings" })
	body := c.bodyField().Type
	if len(fields) != 1 || fields[0].value[0] != '{' {
		return object, nil
	}
	read := c.readType(fields[0].name)
	if _, known := fieldNamed(body, fields[0].name); known || read == nil {
		return object, nil
	}
	object = fields[0].value
	if body == reflect.TypeFor[rtb.Campaign]() {
		return object, nil
	}
	record := map[string]json.RawMessage{}
	if err := json.Unmarshal(object, &record); err != nil {
		return nil, err
	}
	for field := range read.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if written, known := fieldNamed(body, name); !known || readOnly(written.Tag.Get("help")) {
			delete(record, name)
		}
	}
	return json.Marshal(record)
}

// readType returns the record that a read of the same area returns under name, if it is the
// record that the operation writes, and otherwise nil.
func (c *apiCall) readType(name string) reflect.Type {
	area, _, _ := strings.Cut(c.op.Name, ".")
	for _, op := range rtb.Operations() {
		if op.Method != http.MethodGet || !strings.HasPrefix(op.Name, area+".") || op.Out.NumField() != 1 {
			continue
		}
		field := op.Out.Field(0)
		if field.Tag.Get("json") == name && field.Type.Kind() == reflect.Struct && strings.HasPrefix(c.bodyField().Type.Name(), field.Type.Name()) {
			return field.Type
		}
	}
	return nil
}
