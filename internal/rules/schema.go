package rules

import _ "embed"

//go:embed rules.schema.json
var schema []byte

// Schema is the JSON Schema of rule files, for editors. Load is stricter: it
// knows conditions, zones and patterns.
func Schema() []byte { return schema }
