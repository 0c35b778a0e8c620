package rules

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
)

// packedSchema is rules.schema.json, compressed by `gzip -9n` because it is a part of the binary.
//
//go:embed rules.schema.json.gz
var packedSchema []byte

// Schema returns the JSON Schema of rule files, for editors. Load is stricter: it
// checks conditions, zones and patterns as well.
func Schema() []byte {
	r, err := gzip.NewReader(bytes.NewReader(packedSchema))
	var schema []byte
	if err == nil {
		schema, err = io.ReadAll(r)
	}
	if err != nil {
		panic(fmt.Sprintf("rules: read rules.schema.json.gz: %v", err)) // a test reads it
	}
	return schema
}
