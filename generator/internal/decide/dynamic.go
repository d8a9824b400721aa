package decide

// Dynamic references: $dynamicRef and $recursiveRef. jsonschema's Bound turns them into $ref
// where they lead to a schema. The others are ignored, and the comment of the type says so.

import (
	"encoding/json"
	"maps"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// dynamic returns the keyword of s that refers dynamically, "" if it has none.
func dynamic(s *jsonschema.Schema) string {
	for _, keyword := range []string{"$dynamicRef", "$recursiveRef"} {
		if s.Keywords[keyword] != nil {
			return keyword
		}
	}
	return ""
}

// keepDynamic lets m, which is a copy, have the dynamic reference of p.
func keepDynamic(m, p *jsonschema.Schema) {
	keyword := dynamic(p)
	if keyword == "" || dynamic(m) != "" {
		return
	}
	if m.Keywords = maps.Clone(m.Keywords); m.Keywords == nil {
		m.Keywords = map[string]json.RawMessage{}
	}
	m.Keywords[keyword] = p.Keywords[keyword]
}
