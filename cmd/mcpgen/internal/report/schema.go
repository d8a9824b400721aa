package report

// This file holds the published form of the JSON report.

import _ "embed"

//go:embed report.schema.json
var schemaFile string

// Schema returns the JSON Schema of the JSON report.
func Schema() []byte { return []byte(schemaFile) }
