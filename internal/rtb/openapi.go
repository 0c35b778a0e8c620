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
func OpenAPI() []byte { return unpack("openapi.yaml.gz", openAPI) }

// unpack decompresses an embedded file.
func unpack(name string, data []byte) []byte {
	r, err := gzip.NewReader(bytes.NewReader(data))
	var text []byte
	if err == nil {
		text, err = io.ReadAll(r)
	}
	if err != nil {
		panic(fmt.Sprintf("rtb: read %s: %v: run go generate ./internal/rtb", name, err))
	}
	return text
}
