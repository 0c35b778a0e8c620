package rtb

import (
	"context"
	_ "embed" // of openapi.yaml
	"encoding/json"
	"math"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"usher"
)

// Op is one operation of the platform. In is its input, with a struct tag for each
// field (see Where). Out is the object "data" of its answer.
type Op[In, Out any] struct{ Operation }

// Do calls the operation and returns its answer and the warnings in the answer.
func (op Op[In, Out]) Do(ctx context.Context, c *Client, in In) (Out, []usher.Warning, error) {
	var out Out
	warnings, err := c.Call(ctx, op.Operation, in, &out)
	return out, warnings, err
}

// Operation is a row of the table: an Op without its type parameters.
type Operation struct {
	Name    string // area.verb, as in `usher api area verb`
	Method  string
	Path    string // a template: /v3/segments/{segmentId}
	Summary string
	About   string // what the operation does, in sentences, for the help of `usher api`
	Open    bool   // the operation needs no token
	Named   []int  // the statuses that the interface document names besides 200, 401 and 403

	In, Out reflect.Type // structs
	Fields  []Field      // of In
}

// Where is the place of an input field in the request, and the key of its struct
// tag. The tag's value is the field's name in the request, then options:
//
//	path:"segmentId"     a segment of the path. Option digest: 32 hex characters.
//	                     Option optional: the last segment, which may be left out.
//	query:"username"     a parameter of the query. Option optional.
//	form:"status"        a field of an application/x-www-form-urlencoded body. Option optional.
//	body:"json"          the whole body.
//	file:"users"         a file in a multipart/form-data body; the field is a File.
//	                     Option digest: 32 hex characters each, separated by commas.
//
// A field of a body has the tag required:"true" if a call must send it although a read may
// lack it, and required:"false" if a call need not send it although it is always read.
//
// A field has the tag help with its description, in an input and in a body. It begins with
// "read only" if only the platform sets the field.
//
// A password or a card number has the tag secret:"true", in an input and in a body. It
// must not appear in errors, logs or output, and commands do not read it from flags.
type Where string

// The places.
const (
	InPath  Where = "path"
	InQuery Where = "query"
	InForm  Where = "form"
	InBody  Where = "body"
	InFile  Where = "file"
)

// Field is a field of an operation's input.
type Field struct {
	Where    Where
	Name     string // in the request
	Optional bool
	Digest   bool // 32 hex characters, never shown
	Secret   bool // a password or the like, never shown
	Index    int  // of the struct field in In
	Type     reflect.Type
}

// Shorter returns the path without its last segment if that segment is optional, and
// otherwise "".
func (op Operation) Shorter() string {
	for _, f := range op.Fields {
		if f.Where == InPath && f.Optional {
			return strings.TrimSuffix(op.Path, "/{"+f.Name+"}")
		}
	}
	return ""
}

// Nothing is the Out of operations that only change state, and the In of those
// without input.
type Nothing struct{}

// Operations returns the table: all operations, in the order of the interface.
func Operations() []Operation {
	return slices.Concat(
		authOperations(), userOperations(), advertiserOperations(), linkOperations(),
		segmentOperations(), campaignOperations(), targetingOperations(), creativeOperations(),
		reportingOperations(), planningOperations(), sspOperations(), paymentOperations(),
		metadataOperations(),
	)
}

// get, post, put and remove define operations by method.
func get[In, Out any](name, path, summary, about string, named ...int) Op[In, Out] {
	return define[In, Out](http.MethodGet, name, path, summary, about, named)
}

func post[In, Out any](name, path, summary, about string, named ...int) Op[In, Out] {
	return define[In, Out](http.MethodPost, name, path, summary, about, named)
}

func put[In, Out any](name, path, summary, about string, named ...int) Op[In, Out] {
	return define[In, Out](http.MethodPut, name, path, summary, about, named)
}

func remove[In, Out any](name, path, summary, about string, named ...int) Op[In, Out] {
	return define[In, Out](http.MethodDelete, name, path, summary, about, named)
}

func define[In, Out any](method, name, path, summary, about string, named []int) Op[In, Out] {
	in := reflect.TypeFor[In]()
	return Op[In, Out]{Operation{
		Name: name, Method: method, Path: path, Summary: summary, About: about, Named: named,
		In: in, Out: reflect.TypeFor[Out](), Fields: fieldsOf(in),
	}}
}

func fieldsOf(in reflect.Type) []Field {
	var fields []Field
	for i := range in.NumField() {
		for _, where := range []Where{InPath, InQuery, InForm, InBody, InFile} {
			tag, found := in.Field(i).Tag.Lookup(string(where))
			if !found {
				continue
			}
			words := strings.Split(tag, ",")
			_, secret := in.Field(i).Tag.Lookup("secret")
			fields = append(fields, Field{
				Where: where, Name: words[0], Index: i, Type: in.Field(i).Type,
				Optional: slices.Contains(words, "optional"), Digest: slices.Contains(words, "digest"), Secret: secret,
			})
		}
	}
	return fields
}

// Count is a whole number. The interface document only says that it is a number, so the
// platform may also write it as 3.0 or 1E7.
type Count int64

// UnmarshalJSON reads a JSON number. It must be whole and at most 2^53.
func (c *Count) UnmarshalJSON(data []byte) error {
	var number float64
	if err := json.Unmarshal(data, &number); err != nil {
		return err
	}
	if number != math.Trunc(number) || math.Abs(number) > 1<<53 {
		return &json.UnmarshalTypeError{Value: "number that is not whole", Type: reflect.TypeFor[int64]()}
	}
	*c = Count(number)
	return nil
}

// openAPI is generated from the table of operations, see openapi_document_test.go.
//
//go:embed openapi.yaml
var openAPI []byte

// OpenAPI returns the table of operations as an OpenAPI 3.0 document in YAML.
func OpenAPI() []byte { return openAPI }
