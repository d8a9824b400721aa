package decide

// Whether the zero value of a Go type can mean "absent": if the schema excludes
// it, or if it is the default anyway. Only what can be proved counts.

import (
	"encoding/json"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// excludesZero reports whether no zero value (0, "", false) is valid for s.
func excludesZero(s *jsonschema.Schema) bool {
	if vals := s.Values(); vals != nil {
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

// zeroDefault reports whether the default of s is the zero value of the type ref. One of
// another type, such as "" of a boolean, is nothing that a server can mean.
func zeroDefault(s *jsonschema.Schema, ref *ir.Ref) bool {
	zero := zeroOf(defaultOf(s))
	return zero != "" && zero == zeroWord(ref) && isScalar(ref)
}

// defaultOf is the default of s; nil if there is none, or it is of a type that s does not
// allow.
func defaultOf(s *jsonschema.Schema) json.RawMessage {
	kind := kindOf(s.Default)
	if s.Types == nil || slices.Contains(s.Types, kind) || kind == "integer" && slices.Contains(s.Types, "number") {
		return s.Default
	}
	return nil
}

// isScalar reports whether values of the type are texts, numbers or booleans.
func isScalar(ref *ir.Ref) bool {
	return ref.Kind == ir.Basic || ref.Kind == ir.Text || ref.Kind == ir.Named && ref.Decl.Kind == ir.Enum
}

// isZero reports whether raw is 0, "" or false, however spelled.
func isZero(raw json.RawMessage) bool { return zeroOf(raw) != "" }

// zeroOf is the word for raw if it is a zero value, however spelled; else "".
func zeroOf(raw json.RawMessage) string {
	switch kind := kindOf(raw); {
	case kind == "string" && string(raw) == `""`, kind == "boolean" && string(raw) == "false":
		return string(raw)
	case (kind == "integer" || kind == "number") && significant(string(raw)) == "":
		return "0"
	}
	return ""
}

// sign is -1, 0 or 1; 0 also for an absent number. It looks at the text alone, so
// an exponent of a thousand digits costs nothing.
func sign(n json.Number) int {
	switch {
	case n == "" || significant(string(n)) == "":
		return 0
	case strings.HasPrefix(string(n), "-"):
		return -1
	}
	return 1
}

// beyondInt64 reports whether s is about integers of which some only fit in 64
// bits without a sign, and all are at least zero.
func beyondInt64(s *jsonschema.Schema) bool {
	unsigned := func(n json.Number) bool { return n != "" && sign(n) >= 0 }
	if !unsigned(s.Minimum) && !unsigned(s.ExclusiveMinimum) {
		return false
	}
	most := integerBound(s.Maximum)
	if under := integerBound(s.ExclusiveMaximum); under != nil && (most == nil || under.Cmp(most) <= 0) {
		most = under.Sub(under, big.NewInt(1))
	}
	switch {
	case most != nil:
		return !most.IsInt64() && most.IsUint64()
	case s.Maximum != "" || s.ExclusiveMaximum != "":
		return false
	}
	from := integerBound(s.Minimum)
	return from != nil && !from.IsInt64() && from.IsUint64()
}

// integerBound returns a bound that is a whole number; else nil.
func integerBound(n json.Number) *big.Int {
	if r := jsonschema.Rational(n); r != nil && r.IsInt() {
		return r.Num()
	}
	return nil
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
