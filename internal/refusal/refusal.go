// Package refusal refuses tools as the APIs of model providers do, for tests of package view, which writes the
// tools. It shares neither code nor table with that package. schema/view/rules.go lists the sources of both.
package refusal

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// api holds the checks of an API.
type api struct {
	tool, argument *regexp.Regexp
	schema         func(root bool, s map[string]any) string // of each schema: what is refused
}

var apis = map[string]api{
	"anthropic": {
		tool:     regexp.MustCompile(`^[a-zA-Z0-9_-]{1,128}$`),
		argument: regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`),
		schema:   func(bool, map[string]any) string { return "" },
	},
	"openai": {tool: short, argument: anything, schema: openAI},
	"gemini": {
		tool:     regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$`),
		argument: regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`),
		schema:   gemini,
	},
	"bedrock": {tool: short, argument: regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`), schema: nova},
	"mistral": {
		tool: short, argument: anything,
		schema: func(_ bool, s map[string]any) string { return has(s, "$id", "$schema") },
	},
	"any": { // each of them, behind a client that writes its form of keywords and types
		tool:     regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]{0,63}$`),
		argument: regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`),
		schema: func(root bool, s map[string]any) string {
			return cmp.Or(openAI(root, s), has(s, "$id", "$schema", "$ref"), undeclared(s))
		},
	},
}

var (
	short    = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	anything = regexp.MustCompile(``)
)

// Tools returns how many tools a request to a provider may have.
func Tools(provider string) int {
	switch provider {
	case "openai":
		return 128
	case "gemini":
		return 512
	}
	return 10_000
}

// Of returns why a provider refuses a tool; "" if it takes the tool.
func Of(provider, name string, schema json.RawMessage) string {
	a, ok := apis[provider]
	if !ok {
		return "the provider " + provider + " is not known"
	}
	var root map[string]any
	switch err := json.Unmarshal(schema, &root); {
	case err != nil:
		return err.Error()
	case !a.tool.MatchString(name):
		return "the name of the tool"
	case root["type"] != "object":
		return "the root is not an object"
	}
	if found := has(root, "anyOf", "oneOf", "allOf", "not", "enum", "const", "$ref"); found != "" {
		return "at the root: " + found
	}
	properties, _ := root["properties"].(map[string]any)
	for _, argument := range slices.Sorted(maps.Keys(properties)) {
		if !a.argument.MatchString(argument) {
			return "the argument " + argument
		}
	}
	if levels(root) > 4 && (provider == "gemini" || provider == "any") {
		return "the request exceeds the maximum allowed nesting depth"
	}
	return walk("", root, func(pointer string, s map[string]any) string {
		if why := invalid(root, s); why != "" {
			return why
		}
		return a.schema(pointer == "", s)
	})
}

// Strict returns why a provider refuses a tool in strict mode; "" if it takes the tool. No tool is known to be taken in
// strict mode but by OpenAI.
func Strict(provider, name string, schema json.RawMessage) string {
	if provider != "openai" {
		return "a strict tool"
	}
	if why := Of(provider, name, schema); why != "" {
		return why
	}
	var root map[string]any
	if err := json.Unmarshal(schema, &root); err != nil {
		return err.Error()
	}
	const known = " $defs $ref additionalProperties anyOf description enum exclusiveMaximum exclusiveMinimum format items maxItems" +
		" maximum minItems minimum multipleOf pattern properties required title type "
	properties, values := 0, 0
	if levels(root) > 11 {
		return "more than 10 levels of nesting"
	}
	return walk("", root, func(_ string, s map[string]any) string {
		for _, keyword := range slices.Sorted(maps.Keys(s)) {
			if !strings.Contains(known, " "+keyword+" ") {
				return keyword + " is not permitted"
			}
		}
		if slices.Contains(list(s["type"]), "object") {
			own, _ := s["properties"].(map[string]any)
			properties += len(own)
			if s["additionalProperties"] != false || len(list(s["required"])) != len(own) {
				return "additionalProperties is not false, or a property is not required"
			}
		}
		if values += len(list(s["enum"])); properties > 5000 || values > 1000 {
			return "too many properties, or values of enums"
		}
		return undeclared(s)
	})
}

// levels returns how many objects, arrays, and lists of alternatives with such, are within one another.
func levels(schema any) (most int) {
	s, ok := schema.(map[string]any)
	if !ok {
		return 0
	}
	below := []any{s["items"], s["additionalProperties"]}
	for _, keyword := range []string{"properties", "patternProperties"} {
		named, _ := s[keyword].(map[string]any)
		below = slices.AppendSeq(below, maps.Values(named))
	}
	for _, keyword := range []string{"anyOf", "oneOf", "allOf", "prefixItems"} {
		below = append(below, list(s[keyword])...)
	}
	for _, b := range below {
		most = max(most, levels(b))
	}
	types := list(s["type"])
	if most > 0 || slices.Contains(types, "object") || slices.Contains(types, "array") || s["properties"] != nil || s["items"] != nil {
		most++
	}
	return most
}

// walk returns the first complaint about a schema in a schema, with its place.
func walk(pointer string, schema any, check func(string, map[string]any) string) string {
	s, ok := schema.(map[string]any)
	if !ok {
		if _, ok := schema.(bool); !ok {
			return fmt.Sprintf("%s is no schema", pointer)
		}
		return ""
	}
	if why := check(pointer, s); why != "" {
		return pointer + ": " + why
	}
	for _, keyword := range slices.Sorted(maps.Keys(s)) {
		below := map[string]any{}
		switch value := s[keyword]; keyword {
		case "items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "unevaluatedItems", "unevaluatedProperties":
			below[""] = value
		case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
			below, ok = value.(map[string]any)
		case "anyOf", "oneOf", "allOf", "prefixItems":
			var list []any
			list, ok = value.([]any)
			ok = ok && len(list) > 0
			for i, sub := range list {
				below[fmt.Sprint(i)] = sub
			}
		}
		if !ok {
			return pointer + "/" + keyword + " holds no schemas"
		}
		for _, name := range slices.Sorted(maps.Keys(below)) {
			if why := walk(strings.TrimSuffix(pointer+"/"+keyword+"/"+name, "/"), below[name], check); why != "" {
				return why
			}
		}
	}
	return ""
}

// invalid returns what the metaschema of 2020-12 has against a schema, and references that lead nowhere.
func invalid(root, s map[string]any) string {
	for _, t := range list(s["type"]) {
		if t, _ := t.(string); !slices.Contains([]string{"object", "array", "string", "number", "integer", "boolean", "null"}, t) {
			return fmt.Sprintf("the type %v", s["type"])
		}
	}
	for _, keyword := range []string{"required", "enum"} {
		values, ok := s[keyword].([]any)
		if s[keyword] != nil && !ok {
			return keyword + " is no list"
		}
		if keyword == "required" && slices.ContainsFunc(values, func(v any) bool { _, ok := v.(string); return !ok }) {
			return "required is no list of names"
		}
	}
	for _, keyword := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems"} {
		if n, ok := s[keyword].(float64); s[keyword] != nil && (!ok || n < 0 && strings.HasSuffix(keyword, "s")) {
			return keyword + " is no such number"
		}
	}
	ref, ok := s["$ref"].(string)
	if !ok || ref == "#" {
		return ""
	}
	to, found := strings.CutPrefix(ref, "#/")
	at := any(root)
	for step := range strings.SplitSeq(to, "/") {
		within, _ := at.(map[string]any)
		at = within[strings.NewReplacer("~1", "/", "~0", "~").Replace(step)]
	}
	if !found || at == nil {
		return "the reference " + ref + " leads nowhere"
	}
	return ""
}

// lookaround matches syntax of JavaScript's regular expressions that those of Rust or Python lack.
var lookaround = regexp.MustCompile(`\(\?<?[=!]|\(\?<[A-Za-z]|\\[pPz]|\[\[:`)

func openAI(_ bool, s map[string]any) string {
	if slices.Contains(list(s["type"]), "array") && s["items"] == nil {
		return "array schema missing items"
	}
	if not, ok := s["not"].(map[string]any); ok && not["type"] == nil || s["not"] == false || s["not"] == true {
		return "a schema must have a type: not"
	}
	patterns, _ := s["patternProperties"].(map[string]any)
	pattern, _ := s["pattern"].(string)
	for _, p := range append(slices.Sorted(maps.Keys(patterns)), pattern) {
		if lookaround.MatchString(p) {
			return "the pattern " + p
		}
	}
	return ""
}

// gemini reads the Schema of the API, in which what has no field is an unknown name.
func gemini(_ bool, s map[string]any) string {
	const fields = " anyOf default description enum example format items maxItems maxLength maxProperties maximum minItems minLength" +
		" minProperties minimum nullable pattern properties propertyOrdering required title type "
	for _, keyword := range slices.Sorted(maps.Keys(s)) {
		if !strings.Contains(fields, " "+keyword+" ") {
			return "Unknown name " + keyword
		}
	}
	format, _ := s["format"].(string)
	switch {
	case len(list(s["type"])) > 1:
		return "a list of types"
	case format != "" && !strings.Contains(" date-time enum float double int32 int64 ", " "+format+" "):
		return "the format " + format
	case s["type"] == "array" && s["items"] == nil:
		return "items: missing field"
	}
	if slices.ContainsFunc(list(s["enum"]), func(v any) bool { _, ok := v.(string); return !ok }) {
		return "an enum of other values than strings"
	}
	return undeclared(s)
}

// undeclared complains about a required property that is not there.
func undeclared(s map[string]any) string {
	properties, _ := s["properties"].(map[string]any)
	for _, name := range list(s["required"]) {
		if _, ok := properties[name.(string)]; !ok {
			return "required: property is not defined: " + name.(string)
		}
	}
	return ""
}

func nova(root bool, s map[string]any) string {
	for _, keyword := range slices.Sorted(maps.Keys(s)) {
		if keyword == "$ref" || root && keyword != "type" && keyword != "properties" && keyword != "required" {
			return keyword
		}
	}
	return ""
}

// has returns the first of some keywords that a schema has.
func has(s map[string]any, keywords ...string) string {
	for _, k := range keywords {
		if _, ok := s[k]; ok {
			return k
		}
	}
	return ""
}

// list returns a value as a list: itself, or of it alone.
func list(v any) []any {
	if values, ok := v.([]any); ok {
		return values
	}
	if v == nil {
		return nil
	}
	return []any{v}
}
