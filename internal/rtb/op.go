package rtb

import (
	"context"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"usher"
)

// Op is one operation of the platform. In holds what travels to it, field by
// field (see Where), Out is the object data of its answer.
type Op[In, Out any] struct{ Operation }

// Do calls the operation and returns its answer and the warnings beside it.
func (op Op[In, Out]) Do(ctx context.Context, c *Client, in In) (Out, []usher.Warning, error) {
	var out Out
	warnings, err := c.Call(ctx, op.Operation, in, &out)
	return out, warnings, err
}

// Operation is an Op without its types: a row of the table.
type Operation struct {
	Name    string // area.verb, as in `usher api area verb`
	Method  string
	Path    string // a template: /v3/segments/{segmentId}
	Summary string
	Open    bool  // needs no token
	Named   []int // statuses that the interface names beside 200, 401 and 403

	In, Out reflect.Type // structs
	Fields  []Field      // of In
}

// Where says where a field of In travels. It is a struct tag, whose value is
// the field's name on the wire, then options:
//
//	path:"segmentId"     a segment of the path; with the option digest, 32 hex
//	                     characters; with optional, the last one, which may be left out
//	query:"username"     a parameter of the query; optional with the option optional
//	form:"status"        a field of an application/x-www-form-urlencoded body; as query
//	body:"json"          the whole body
//	file:"users"         a file in a multipart/form-data body; the field is a File;
//	                     with digest, 32 hex characters delimited by commas
//
// A password or a card number has the tag secret:"true", here and inside a body:
// it is in no error, journal or output, and a command does not take it from a
// flag.
type Where string

// The places.
const (
	InPath  Where = "path"
	InQuery Where = "query"
	InForm  Where = "form"
	InBody  Where = "body"
	InFile  Where = "file"
)

// Field is a field of an operation's In.
type Field struct {
	Where    Where
	Name     string // on the wire
	Optional bool
	Digest   bool // 32 hex characters, never shown
	Secret   bool // a password or the like, never shown
	Index    int  // in In
	Type     reflect.Type
}

// Shorter is the path without its last segment, where that may be left out;
// else it is empty.
func (op Operation) Shorter() string {
	for _, f := range op.Fields {
		if f.Where == InPath && f.Optional {
			return strings.TrimSuffix(op.Path, "/{"+f.Name+"}")
		}
	}
	return ""
}

// Nothing is the Out of operations that only change state, and the In of those
// that need nothing.
type Nothing struct{}

// Operations is the table: every operation, in the interface's order.
func Operations() []Operation {
	return slices.Concat(
		authOperations(), userOperations(), advertiserOperations(), linkOperations(),
		segmentOperations(), campaignOperations(), targetingOperations(), creativeOperations(), statusOperations(),
		reportingOperations(), planningOperations(), sspOperations(), paymentOperations(),
		metadataOperations(),
	)
}

// get, post, put and remove define operations by method.
func get[In, Out any](name, path, summary string, named ...int) Op[In, Out] {
	return define[In, Out](http.MethodGet, name, path, summary, named)
}

func post[In, Out any](name, path, summary string, named ...int) Op[In, Out] {
	return define[In, Out](http.MethodPost, name, path, summary, named)
}

func put[In, Out any](name, path, summary string, named ...int) Op[In, Out] {
	return define[In, Out](http.MethodPut, name, path, summary, named)
}

func remove[In, Out any](name, path, summary string, named ...int) Op[In, Out] {
	return define[In, Out](http.MethodDelete, name, path, summary, named)
}

func define[In, Out any](method, name, path, summary string, named []int) Op[In, Out] {
	in := reflect.TypeFor[In]()
	return Op[In, Out]{Operation{
		Name: name, Method: method, Path: path, Summary: summary, Named: named,
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
