package impact

// Whether a value in the code is still allowed.

import (
	"encoding/json"
	"fmt"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/validate"
)

// keyword returns whether a value, as JSON, is known to fit the keyword that the
// change is about. What is not known does not; known is whether any can be known.
func (m *matcher) keyword() (fits func(value string) bool, known bool) {
	word := jsontext.LastName(m.change.Path)
	var s *validate.Schema
	if m.change.After != nil && judged(word) {
		s, _ = validate.New(fmt.Appendf(nil, "{%q:%s}", word, m.change.After)) // nil if nothing can be known
	}
	return func(value string) bool {
		if value == "" || s == nil {
			return false
		}
		values := []json.RawMessage{json.RawMessage(value)}
		if value[0] == '[' && !ofLists(word) && json.Unmarshal([]byte(value), &values) != nil {
			return false
		}
		for _, v := range values {
			if s.Validate(v) != nil {
				return false
			}
		}
		return true
	}, s != nil
}

// fitsNow reports whether arguments, as JSON, are known to fit the schema of the item after
// the change.
func (m *matcher) fitsNow(args string) bool {
	var tool struct{ InputSchema json.RawMessage }
	raw := m.itemAfter(m.id)
	if args == "" || raw == nil || json.Unmarshal(raw, &tool) != nil || tool.InputSchema == nil {
		return false
	}
	s, err := validate.New(tool.InputSchema)
	return err == nil && s.Validate(json.RawMessage(args)) == nil
}

// judged are the keywords that can be checked against one value alone.
func judged(word string) bool {
	switch word {
	case "type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
		"minLength", "maxLength", "pattern":
		return true
	}
	return ofLists(word)
}

func ofLists(word string) bool {
	return word == "minItems" || word == "maxItems" || word == "uniqueItems"
}
