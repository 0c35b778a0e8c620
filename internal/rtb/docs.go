package rtb

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"reflect"
)

// docsText is what the docstrings of this package say, by operation and field:
// a program cannot read its own comments. `go generate` writes it.
//
//go:embed docs.json
var docsText []byte

// Docs are the docstrings of the operations and of the fields of their records,
// for the help of `usher api` and for the sandbox's page.
type Docs struct {
	Operations map[string]string `json:"operations"` // by method and path; paragraphs apart by a blank line
	Fields     map[string]string `json:"fields"`     // by Type.Field; one line
}

// ReadDocs reads the docstrings.
func ReadDocs() Docs {
	var d Docs
	if err := json.Unmarshal(docsText, &d); err != nil {
		panic(fmt.Sprintf("rtb: read docs.json: %v: run go generate ./internal/rtb", err))
	}
	return d
}

// Operation is what the service's method says of an operation; empty where no
// method has a docstring that ends in its method and path.
func (d Docs) Operation(op Operation) string { return d.Operations[op.Method+" "+op.Path] }

// Field is what a record's comment says of its field.
func (d Docs) Field(record reflect.Type, field string) string {
	return d.Fields[record.Name()+"."+field]
}
