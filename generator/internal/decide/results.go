package decide

// Results of tools that declare no schema of their own.

import (
	"encoding/json"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Result is a result schema that the server did not declare. References lead to
// the same schema only; others make the type looser, with a warning.
type Result struct {
	Schema json.RawMessage
	File   string // where the user wrote it, as the configuration names it; "": it was observed
}

// Locked returns what the lock has to say about the schema. The error is that of
// [schema.FullHash].
func (r Result) Locked() (lockfile.LockedResult, error) {
	source := lockfile.ResultUser
	if r.File == "" {
		source = lockfile.ResultObserved
	}
	hash, err := schema.FullHash(r.Schema)
	return lockfile.LockedResult{Source: source, Hash: hash}, err
}

// note says on the method where the type of the result comes from; "" if the
// server declares it, or there is no schema.
func (r Result) note() string {
	switch {
	case r.Schema == nil:
		return ""
	case r.File == "":
		return "Result type observed from calls: every member is optional."
	}
	return "Result type given by " + clean(r.File) + "."
}

// resultOf returns the schema for the results of a tool that declares none.
func resultOf(in Input, def schema.Tool) Result {
	if def.OutputSchema != nil {
		return Result{}
	}
	return in.Results[def.Name]
}
