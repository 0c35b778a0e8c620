package rtb

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"reflect"
)

// docs has the comments of this package as JSON, because a program cannot read its own
// comments. go generate writes it, together with docs.json, which it contains.
//
//go:embed docs.json.gz
var docs []byte

// Docs has the comments of the operations and of the fields of their records, for the
// help of `usher api` and the sandbox's page.
type Docs struct {
	Operations map[string]string `json:"operations"` // by method and path; paragraphs are separated by a blank line
	Fields     map[string]string `json:"fields"`     // by Type.Field; one line
}

// ReadDocs returns the comments.
func ReadDocs() Docs {
	var d Docs
	if err := json.Unmarshal(unpack("docs.json.gz", docs), &d); err != nil {
		panic(fmt.Sprintf("rtb: decode docs.json.gz: %v: run go generate ./internal/rtb", err))
	}
	return d
}

// Operation returns the comment of the service's method for an operation, without its
// last line, which is the operation's method and path.
func (d Docs) Operation(op Operation) string { return d.Operations[op.Method+" "+op.Path] }

// Field returns the comment of a record's field.
func (d Docs) Field(record reflect.Type, field string) string {
	return d.Fields[record.Name()+"."+field]
}
