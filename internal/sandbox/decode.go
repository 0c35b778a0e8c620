package sandbox

import (
	"io"
	"mime"
	"net/http"
	"net/url"
	"reflect"

	"usher/internal/rtb"
	"usher/internal/sandbox/operations"
)

// bodyLimit is the maximum size of a JSON or form body, in bytes.
const bodyLimit = 8 << 20

// decoder decodes a request into an operation's In. It puts files into the Call, and adds
// posted form fields to the journal's entry.
type decoder struct {
	*request
	fingerprintsOnly bool
	query            url.Values
	form             url.Values // nil before readForm
}

func (s *Sandbox) decode(r *request) (any, error) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, operations.Malformed("the query cannot be read")
	}
	d := &decoder{request: r, fingerprintsOnly: s.o.fingerprintsOnly(), query: query}
	in := reflect.New(r.route.Operation.In).Elem()
	for _, f := range r.route.Operation.Fields {
		if err := d.field(f, in.Field(f.Index)); err != nil {
			return nil, err
		}
	}
	return in.Interface(), nil
}

func (d *decoder) field(f rtb.Field, into reflect.Value) error {
	switch f.Where {
	case rtb.InPath:
		into.SetString(d.values[f.Name])
	case rtb.InQuery:
		into.SetString(d.query.Get(f.Name))
	case rtb.InForm:
		if err := d.readForm(); err != nil {
			return err
		}
		into.SetString(d.form.Get(f.Name))
		d.entry.addForm(f, d.form)
	case rtb.InBody:
		body, err := readBody(d.Request, "application/json")
		if err != nil {
			return err
		}
		return operations.ParseJSON(body, "", into.Addr().Interface())
	case rtb.InFile:
		return d.readFile(f.Name)
	}
	return nil
}

// readFile reads a file of ids, or a creative.
func (d *decoder) readFile(field string) (err error) {
	if field == "creative" {
		d.call.Creative, err = readCreative(d.Request, field)
		return err
	}
	d.call.IDs, err = readIDs(d.Request, listOptions{field: field, anyID: field == "userIds", fingerprintOnly: d.fingerprintsOnly})
	return err
}

// readForm reads a form body, once.
func (d *decoder) readForm() error {
	if d.form != nil {
		return nil
	}
	body, err := readBody(d.Request, "application/x-www-form-urlencoded")
	if err != nil {
		return err
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return operations.Malformed("the form cannot be read")
	}
	d.form = form
	return nil
}

// readBody reads a body, whose content type must be contentType.
func readBody(r *http.Request, contentType string) ([]byte, error) {
	mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || mediaType != contentType {
		return nil, operations.Malformed("Content-Type must be %s", contentType)
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, bodyLimit+1))
	switch {
	case err != nil:
		return nil, operations.Truncated(err, "the body ended early")
	case len(body) > bodyLimit:
		return nil, operations.TooLarge("a body must have at most %d bytes", bodyLimit)
	}
	return body, nil
}
