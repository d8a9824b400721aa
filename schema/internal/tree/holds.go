package tree

// Holding is how a keyword of JSON Schema holds schemas.
type Holding int

// The ways of holding schemas.
const (
	HoldsNone  Holding = iota
	HoldsAny           // one schema, or an array of schemas
	HoldsNamed         // an object whose members are schemas
)

// Holds returns how a keyword holds schemas, in any draft.
func Holds(keyword string) Holding {
	switch keyword {
	case "properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions":
		return HoldsNamed
	case "additionalProperties", "unevaluatedProperties", "propertyNames",
		"items", "prefixItems", "additionalItems", "unevaluatedItems", "contains", "contentSchema",
		"allOf", "anyOf", "oneOf", "not", "if", "then", "else":
		return HoldsAny
	}
	return HoldsNone
}
