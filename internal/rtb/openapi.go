package rtb

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
)

// openAPI is generated from the table of operations, together with openapi.yaml, which it
// contains; see openapi_document_test.go.
//
//go:embed openapi.yaml.gz
var openAPI []byte

// OpenAPI returns the table of operations as an OpenAPI 3.0 document in YAML.
func OpenAPI() []byte {
	text, err := gzip.NewReader(bytes.NewReader(openAPI))
	var document []byte
	if err == nil {
		document, err = io.ReadAll(text)
	}
	if err != nil {
		panic(fmt.Sprintf("rtb: read openapi.yaml.gz: %v: run go generate ./internal/rtb", err))
	}
	return document
}
