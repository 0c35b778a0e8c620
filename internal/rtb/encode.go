package rtb

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"reflect"
	"strings"

	"usher"
)

// message is a request that can be sent any number of times.
type message struct {
	path        string // escaped, relative to the base URL
	shown       string // the path without digests, for messages
	query       string // encoded
	contentType string
	length      int64
	open        func() io.ReadCloser // returns the body from its first byte; nil: no body
	secrets     []string             // removed from the platform's texts
}

// InputError is an input that violates the rules of the interface. Nothing was sent.
// A Permanent of class invalid_job wraps it.
type InputError struct {
	Op, Field, Rule string
}

func (e *InputError) Error() string { return fmt.Sprintf("%s: %s %s", e.Op, e.Field, e.Rule) }

func refuseInput(op Operation, field, rule string) error {
	return &usher.Permanent{
		Class: usher.InvalidJob,
		Hint:  "correct " + field + "; nothing was sent",
		Err:   &InputError{Op: op.Name, Field: field, Rule: rule},
	}
}

// encode encodes in, a value of type op.In, as a message.
func encode(op Operation, in any) (*message, error) {
	value := reflect.ValueOf(in)
	if value.Type() != op.In {
		return nil, fmt.Errorf("encode %s: in is a %s, want a %s: this is a bug in usher", op.Name, value.Type(), op.In)
	}
	m := &message{path: op.Path, shown: op.Path}
	query, form := url.Values{}, url.Values{}
	for _, f := range op.Fields {
		v := value.Field(f.Index)
		if f.Secret {
			m.secrets = append(m.secrets, v.String())
		}
		var err error
		switch f.Where {
		case InPath:
			err = m.setPath(op, f, v.String())
		case InQuery:
			setValue(query, f, v.String())
		case InForm:
			setValue(form, f, v.String())
			m.setBytes("application/x-www-form-urlencoded", []byte(form.Encode()))
		case InBody:
			m.secrets = append(m.secrets, secretsIn(v)...)
			err = m.setJSON(op, v.Interface())
		case InFile:
			err = m.setFile(op, f, v.Interface())
		}
		if err != nil {
			return nil, err
		}
	}
	m.query = query.Encode()
	return m, nil
}

func setValue(values url.Values, f Field, value string) {
	if value != "" || !f.Optional {
		values.Set(f.Name, value)
	}
}

// secretsIn returns the secrets in a body.
func secretsIn(body reflect.Value) []string {
	if body.Kind() != reflect.Struct {
		return nil
	}
	var secrets []string
	for field, v := range body.Fields() {
		if _, secret := field.Tag.Lookup("secret"); secret {
			secrets = append(secrets, v.String())
		}
	}
	return secrets
}

// setPath replaces a placeholder of the path. It refuses values that would address
// another operation: an empty one, and dots, which a proxy would resolve.
func (m *message) setPath(op Operation, f Field, value string) error {
	placeholder := "{" + f.Name + "}"
	switch {
	case value == "" && f.Optional:
		m.path, m.shown = strings.TrimSuffix(m.path, "/"+placeholder), strings.TrimSuffix(m.shown, "/"+placeholder)
		return nil
	case value == "":
		return refuseInput(op, f.Name, "must not be empty")
	case value == "." || value == "..":
		return refuseInput(op, f.Name, "must not be . or ..")
	case f.Digest && !isDigest(value):
		return refuseInput(op, f.Name, "must be an MD5 of 32 hex characters")
	}
	shown := printable(value, 64)
	if f.Digest {
		shown = "…"
		m.secrets = append(m.secrets, value)
	}
	m.path = strings.Replace(m.path, placeholder, url.PathEscape(value), 1)
	m.shown = strings.Replace(m.shown, placeholder, shown, 1)
	return nil
}

func (m *message) setJSON(op Operation, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return refuseInput(op, "body", "must be JSON: "+err.Error())
	}
	m.setBytes("application/json", body)
	return nil
}

func (m *message) setBytes(contentType string, body []byte) {
	m.contentType, m.length = contentType, int64(len(body))
	m.open = func() io.ReadCloser { return io.NopCloser(bytes.NewReader(body)) }
}

func (m *message) setFile(op Operation, f Field, v any) error {
	file, ok := v.(File)
	if !ok {
		return fmt.Errorf("encode %s: field %s is a %T, want a File: this is a bug in usher", op.Name, f.Name, v)
	}
	if file.Batch == nil && file.Content == nil {
		return refuseInput(op, f.Name, "must be a file")
	}
	m.contentType = "multipart/form-data; boundary=" + Boundary
	m.length, m.open = file.body(f.Name)
	return nil
}

// isDigest reports whether s is 32 hex characters.
func isDigest(s string) bool {
	return len(s) == 32 && strings.Trim(s, "0123456789abcdefABCDEF") == ""
}
