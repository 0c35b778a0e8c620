package rtb

import _ "embed"

// openAPI is generated from the table of operations, see openapi_document_test.go.
//
//go:embed openapi.yaml
var openAPI []byte

// OpenAPI returns the table of operations as an OpenAPI 3.0 document in YAML.
func OpenAPI() []byte { return openAPI }
