package decide

// Whether the zero value of a Go type can mean "absent": if the schema excludes
// it, or if it is the default anyway. Only what can be proved counts.

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// excludesZero reports whether no zero value (0, "", false) is valid for s.
func excludesZero(s *jsonschema.Schema) bool {
	if vals := values(s); vals != nil {
		return !slices.ContainsFunc(vals, isZero)
	}
	if len(s.Types) != 1 {
		return false
	}
	switch s.Types[0] {
	case "string":
		return sign(s.MinLength) > 0
	case "integer", "number":
		return sign(s.Minimum) > 0 || sign(s.Maximum) < 0 ||
			s.ExclusiveMinimum != "" && sign(s.ExclusiveMinimum) >= 0 ||
			s.ExclusiveMaximum != "" && sign(s.ExclusiveMaximum) <= 0
	}
	return false
}

// zeroDefault reports whether the default of s is the zero value.
func zeroDefault(s *jsonschema.Schema) bool { return s.Default != nil && isZero(s.Default) }

// isZero reports whether raw is 0, "" or false, however spelled.
func isZero(raw json.RawMessage) bool {
	switch kindOf(raw) {
	case "string":
		return string(raw) == `""`
	case "boolean":
		return string(raw) == "false"
	case "integer", "number":
		return significant(string(raw)) == ""
	}
	return false
}

// sign is -1, 0 or 1; 0 also for an absent number. It looks at the text alone, so
// an exponent of a thousand digits costs nothing.
func sign(n json.Number) int {
	switch {
	case significant(string(n)) == "":
		return 0
	case strings.HasPrefix(string(n), "-"):
		return -1
	}
	return 1
}

// beyondInt64 reports whether s is about integers of which some only fit in 64
// bits without a sign.
func beyondInt64(s *jsonschema.Schema) bool {
	if s.Minimum == "" || sign(s.Minimum) < 0 {
		return false
	}
	_, signed := strconv.ParseInt(string(s.Maximum), 10, 64)
	_, unsigned := strconv.ParseUint(string(s.Maximum), 10, 64)
	return signed != nil && unsigned == nil
}

// smallInt returns a bound that is a plain integer.
func smallInt(n json.Number) (int, bool) {
	i, err := strconv.Atoi(string(n))
	return i, err == nil
}

// zeroWord names the zero value of a scalar type in a sentence.
func zeroWord(ref *ir.Ref) string {
	name := ref.Name
	switch ref.Kind {
	case ir.Named:
		name = ref.Decl.Base
	case ir.Text:
		name = "string"
	}
	switch name {
	case "string":
		return `""`
	case "bool":
		return "false"
	}
	return "0"
}
