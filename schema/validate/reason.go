package validate

// This file describes why a value does not fit.

import (
	"encoding/json"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/mcpgen/mcpgen/internal/safetext"
)

const notAllowed = "is not a member that the schema allows"

// reason returns the reason of a single error.
func reason(e *jsonschema.ValidationError) string {
	switch k := e.ErrorKind.(type) {
	case *kind.Type:
		return wantTypes(k.Want, k.Got)
	case *kind.Enum:
		return wantValues(k.Want)
	case *kind.Const:
		return wantValues([]any{k.Want})
	case *kind.FalseSchema:
		return "the schema allows no value here"
	case *kind.Not:
		return "fits a schema that it must not fit"
	case *kind.AnyOf:
		return "matches none of the " + safetext.Count(len(e.Causes), "alternative")
	case *kind.OneOf:
		if len(k.Subschemas) == 2 {
			return "fits alternatives " + strconv.Itoa(k.Subschemas[0]+1) + " and " + strconv.Itoa(k.Subschemas[1]+1) + ", and must fit only one"
		}
		return "matches none of the " + safetext.Count(len(e.Causes), "alternative")
	case *kind.PropertyNames:
		text := "has a member " + quote(k.Property) + ", whose name the schema does not allow"
		if len(e.Causes) > 0 {
			if leaves := leavesOf(e.Causes[0], nil); len(leaves) > 0 {
				text += ": it " + reason(leaves[0])
			}
		}
		return text
	case *kind.Required:
		return "lacks " + members(k.Missing)
	case *kind.DependentRequired:
		return "lacks " + members(k.Missing) + ", required beside " + quote(k.Prop)
	case *kind.AdditionalProperties:
		return "has " + members(k.Properties) + ", which the schema does not allow"
	case *kind.MinProperties:
		return "must have at least " + safetext.Count(k.Want, "member") + ", has " + strconv.Itoa(k.Got)
	case *kind.MaxProperties:
		return "must have at most " + safetext.Count(k.Want, "member") + ", has " + strconv.Itoa(k.Got)
	case *kind.MinItems:
		return "must have at least " + safetext.Count(k.Want, "element") + ", has " + strconv.Itoa(k.Got)
	case *kind.MaxItems:
		return "must have at most " + safetext.Count(k.Want, "element") + ", has " + strconv.Itoa(k.Got)
	case *kind.UniqueItems:
		return "elements " + strconv.Itoa(k.Duplicates[0]) + " and " + strconv.Itoa(k.Duplicates[1]) + " are equal, and must not be"
	case *kind.Contains:
		return "has no element of the kind that the schema wants"
	case *kind.MinContains:
		return "must have at least " + safetext.Count(k.Want, "element") + " of the kind that the schema wants, has " + strconv.Itoa(len(k.Got))
	case *kind.MaxContains:
		return "must have at most " + safetext.Count(k.Want, "element") + " of the kind that the schema counts, has " + strconv.Itoa(len(k.Got))
	case *kind.Minimum:
		return "must be at least " + number(k.Want)
	case *kind.Maximum:
		return "must be at most " + number(k.Want)
	case *kind.ExclusiveMinimum:
		return "must be greater than " + number(k.Want)
	case *kind.ExclusiveMaximum:
		return "must be less than " + number(k.Want)
	case *kind.MultipleOf:
		return "must be a multiple of " + number(k.Want)
	case *kind.MinLength:
		return "must have at least " + safetext.Count(k.Want, "character") + ", has " + strconv.Itoa(k.Got)
	case *kind.MaxLength:
		return "must have at most " + safetext.Count(k.Want, "character") + ", has " + strconv.Itoa(k.Got)
	case *kind.Pattern:
		return "must match the pattern " + quote(k.Want)
	}
	return "does not fit the schema"
}

// wantTypes lists the wanted types in a fixed order.
func wantTypes(want []string, got string) string {
	var names []string
	for _, t := range []string{"object", "array", "string", "number", "integer", "boolean", "null"} {
		if slices.Contains(want, t) {
			names = append(names, withArticle(t))
		}
	}
	text := "must be " + or(names)
	if got == "number" && !slices.Contains(want, "number") && slices.Contains(want, "integer") {
		return text + ", has a fraction"
	}
	if got != "" {
		text += ", is " + withArticle(got)
	}
	return text
}

func withArticle(t string) string {
	switch t {
	case "null":
		return t
	case "object", "array", "integer":
		return "an " + t
	}
	return "a " + t
}

// wantValues lists the first allowed values.
func wantValues(want []any) string {
	const most = 8
	var texts []string
	for _, v := range want[:min(len(want), most)] {
		b, err := json.Marshal(v)
		if err != nil {
			b = []byte("?")
		}
		texts = append(texts, safetext.Clip(clean(string(b)), maxText))
	}
	if len(want) > most {
		return "must be one of " + strings.Join(texts, ", ") + " and " + strconv.Itoa(len(want)-most) + " more"
	}
	return "must be " + or(texts)
}

// members lists the first few names.
func members(names []string) string {
	names = slices.Sorted(slices.Values(names))
	for i, name := range names {
		names[i] = quote(name)
	}
	text := "the member "
	if len(names) > 1 {
		text = "the members "
	}
	return text + safetext.List(names, 5)
}

func or(texts []string) string {
	if len(texts) < 2 {
		return strings.Join(texts, "")
	}
	last := len(texts) - 1
	return strings.Join(texts[:last], ", ") + " or " + texts[last]
}

// number returns a bound in decimal notation.
func number(r *big.Rat) string {
	if r.IsInt() {
		return safetext.Clip(r.Num().String(), maxText)
	}
	digits, exact := r.FloatPrec()
	if !exact || digits > maxText {
		digits = 20
	}
	return r.FloatString(digits)
}
