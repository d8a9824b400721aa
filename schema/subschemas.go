package schema

import "github.com/mcpgen/mcpgen/schema/internal/tree"

// Subschemas calls visit for each schema directly in a decoded schema, in no order, until it returns false. Name is
// the name of a property, pattern or definition; "" if keyword gives no names. The result is false if visit's was.
func Subschemas(s map[string]any, visit func(keyword, name string, inner any) bool) bool {
	for keyword, value := range s {
		holds := tree.Holds(keyword)
		if named, isObject := value.(map[string]any); isObject && holds == tree.HoldsNamed {
			for name, inner := range named {
				if !visit(keyword, name, inner) {
					return false
				}
			}
		}
		if holds != tree.HoldsAny {
			continue
		}
		list, isList := value.([]any)
		if !isList {
			list = []any{value}
		}
		for _, inner := range list {
			if !visit(keyword, "", inner) {
				return false
			}
		}
	}
	return true
}
