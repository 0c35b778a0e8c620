package feeds

import _ "embed"

//go:embed feeds.schema.json
var schemaText []byte

// Schema returns the JSON Schema of feed files, for editors. Load is stricter: it checks
// places, schedules, zones and the fields of jobs as well.
func Schema() []byte { return schemaText }
