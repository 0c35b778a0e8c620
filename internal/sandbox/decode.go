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

// decodeInput makes an op.In of a request. A file goes to c.upload or c.file,
// posted form fields go to the journal's entry too.
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
			err = decodeForm(r, c)
			into.SetString(c.form.Get(f.Name))
			e.post(f, c.form)
		case rtb.InBody:
			err = decodeJSON(r, into.Addr().Interface())
		case rtb.InFile:
			err = decodeFile(r, f, c)
		}
		if err != nil {
			return nil, err
		}
	}
	return in.Interface(), nil
}

// decodeFile reads a file of ids, or a creative's.
func decodeFile(r *http.Request, f rtb.Field, c *call) (err error) {
	if f.Name == "creative" {
		c.file, err = readAsset(r, f.Name)
		return err
	}
	c.upload, err = readUpload(r, f.Name, f.Name == "userIds", c.printOnly)
	return err
}

// decodeForm reads a form body, once.
func decodeForm(r *http.Request, c *call) error {
	if c.form != nil {
		return nil
	}
	body, err := readBody(r, "application/x-www-form-urlencoded")
	if err != nil {
		return err
	}
	if c.form, err = url.ParseQuery(string(body)); err != nil {
		c.form = nil
		return malformed("the form cannot be read")
	}
	return nil
}

func decodeJSON(r *http.Request, into any) error {
	body, err := readBody(r, "application/json")
	if err != nil {
		return err
	}
	return readJSON(body, "", into)
}

// readJSON reads a body, or the part of it that is called at.
func readJSON(text []byte, at string, into any) error {
	err := json.Unmarshal(text, into)
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &syntax):
		return malformed("the body is not JSON: byte %d: %s", syntax.Offset, syntax.Error())
	case errors.As(err, &wrong) && at+wrong.Field != "":
		field := strings.Trim(at+"."+wrong.Field, ".")
		return invalid(field, fmt.Sprintf("must be %s, not %s", jsonType(wrong.Type), strings.Fields(wrong.Value)[0]))
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
