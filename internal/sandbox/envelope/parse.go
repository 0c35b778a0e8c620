package envelope

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// ParseJSON decodes a body, or the field of a body with the given name, into a value. Its
// errors are Failures, which name the field that has a wrong type.
func ParseJSON(text []byte, name string, into any) error {
	err := json.Unmarshal(text, into)
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &syntax):
		return Malformed("the body is not JSON: byte %d: %s", syntax.Offset, syntax.Error())
	case errors.As(err, &wrong) && name+wrong.Field != "":
		field := strings.Trim(name+"."+wrong.Field, ".")
		return Invalid(field, fmt.Sprintf("must be %s, not %s", jsonType(wrong.Type), strings.Fields(wrong.Value)[0]))
	}
	return Malformed("the body must be a JSON object")
}

// jsonType names a Go type in the terms of JSON.
func jsonType(t reflect.Type) string {
	switch t.Kind() { //nolint:exhaustive // the records have no others
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "a boolean"
	case reflect.Slice:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Int64:
		return "a whole number"
	}
	return "a number"
}
