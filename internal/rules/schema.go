package rules

import _ "embed"

//go:embed rules.schema.json
var schema []byte

// Schema returns the JSON Schema of rule files, for editors. Load is stricter: it
// checks conditions, zones and patterns as well.
func Schema() []byte { return schema }
