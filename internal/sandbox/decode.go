package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"usher/internal/rtb"
)

// bodyLimit is how long a JSON or form body may be, in bytes.
const bodyLimit = 8 << 20

// decodeInput makes an op.In of a request. A file goes to c.upload, posted form
// fields go to the journal's entry too.
func decodeInput(r *http.Request, op rtb.Operation, values map[string]string, c *call, e *entry) (any, error) {
	in := reflect.New(op.In).Elem()
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, malformed("the query cannot be read")
	}
	for _, f := range op.Fields {
		into := in.Field(f.Index)
		var err error
		switch f.Where {
		case rtb.InPath:
			into.SetString(values[f.Name])
		case rtb.InQuery:
			into.SetString(query.Get(f.Name))
		case rtb.InForm:
			err = decodeForm(r, e)
			into.SetString(e.Form[f.Name])
		case rtb.InBody:
			err = decodeJSON(r, into.Addr().Interface())
		case rtb.InFile:
			c.upload, err = readUpload(r, f.Name, f.Name == "userIds")
		}
		if err != nil {
			return nil, err
		}
	}
	return in.Interface(), nil
}

// decodeForm reads a form body, once.
func decodeForm(r *http.Request, e *entry) error {
	if e.Form != nil {
		return nil
	}
	body, err := readBody(r, "application/x-www-form-urlencoded")
	if err != nil {
		return err
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return malformed("the form cannot be read")
	}
	e.Form = map[string]string{}
	for name := range form {
		e.Form[name] = form.Get(name)
	}
	return nil
}

func decodeJSON(r *http.Request, into any) error {
	body, err := readBody(r, "application/json")
	if err != nil {
		return err
	}
	err = json.Unmarshal(body, into)
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &syntax):
		return malformed("the body is not JSON: byte %d: %s", syntax.Offset, syntax.Error())
	case errors.As(err, &wrong) && wrong.Field != "":
		return invalid(wrong.Field, fmt.Sprintf("must be %s, not %s", jsonType(wrong.Type), strings.Fields(wrong.Value)[0]))
	}
	return malformed("the body must be a JSON object")
}

// jsonType is a Go type in JSON's words.
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

// readBody reads a body of the content type.
func readBody(r *http.Request, contentType string) ([]byte, error) {
	mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || mediaType != contentType {
		return nil, malformed("Content-Type must be %s", contentType)
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, bodyLimit+1))
	switch {
	case err != nil:
		return nil, wrapMalformed(err, "the body ended early")
	case len(body) > bodyLimit:
		return nil, failure{status: http.StatusRequestEntityTooLarge, message: fmt.Sprintf("a body may have %d bytes", bodyLimit)}
	}
	return body, nil
}
