package decide

import (
	"strings"
	"testing"
)

// toolOf is a tool whose arguments are those members.
func toolOf(tool string, members ...string) string {
	return `{"name":"` + tool + `","inputSchema":{"type":"object","properties":{` + strings.Join(members, ",") + `}}}`
}

// TestUnionsOfBasicTypes has unions that members of different names share.
func TestUnionsOfBasicTypes(t *testing.T) {
	const (
		boolOrString  = `{"type":["boolean","string"]}`
		lists         = `{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]}`
		three         = `{"type":["string","number","boolean"]}`
		four          = `{"anyOf":[` + three + `,{"type":"array","items":{"type":"string"}}]}`
		color         = `{"anyOf":[{"enum":["red","green"]},{"type":"integer"}]}`
		mapOrString   = `{"type":["object","string"]}`
		nullableInt   = `{"type":["integer","string","null"]}`
		twoListsOfOne = `{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"array","items":{"type":"string","format":"uri"},"minItems":3}]}`
	)
	for _, tt := range []struct {
		name, from, to, want string // want is what the type of from is declared as
	}{
		{"bool or string", boolOrString, boolOrString, "BoolOrString"},
		{"the order of the schema", `{"type":["string","boolean"]}`, `{"type":["string","boolean"]}`, "StringOrBool"},
		{"however it is written", boolOrString, `{"anyOf":[{"type":"boolean"},{"type":"string"}]}`, "BoolOrString"},
		{"lists", lists, lists, "StringOrStrings"},
		{"three", three, three, "StringOrNumberOrBool"},
		{"too many", four, four, "From"},
		{"null is none of them", nullableInt, nullableInt, "IntOrString"},
		{"an enum says more", color, color, "From"},
		{"maps can be anything", mapOrString, mapOrString, "From"},
		{"nothing tells two lists apart", twoListsOfOne, twoListsOfOne, "From"},
		{"not shared", boolOrString, three, "From"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := &Input{Server: Server{Name: "srv"}}
			p := decideAndLock(t, in, toolOf("search_flights", `"from":`+tt.from, `"to":`+tt.to))
			wantDeclared(t, p, map[string]string{"SearchFlightsArgsFrom": tt.want})
		})
	}
}

// TestUnionOfBasicTypesNames has all names around one.
func TestUnionOfBasicTypesNames(t *testing.T) {
	const from, to, also = `"from":{"type":["boolean","string"]}`, `"to":{"type":["boolean","string"]}`, `"also":{"type":["boolean","string"]}`
	neutral := map[string]string{
		"SearchFlightsArgsFrom": "BoolOrString", "SearchFlightsArgsFromBool": "BoolOrStringBool", "SearchFlightsArgsFromString": "BoolOrStringString", "SearchFlightsArgsFromOther": "BoolOrStringOther",
	}
	in := &Input{Server: Server{Name: "srv"}}
	wantDeclared(t, decideAndLock(t, in, toolOf("search_flights", from, to)), neutral)
	t.Log("it stays while there is one member")
	wantDeclared(t, decideAndLock(t, in, toolOf("search_flights", from)), neutral)

	t.Log("a name in the lock stays, whatever else shares the type")
	in = &Input{Server: Server{Name: "srv"}}
	decideAndLock(t, in, toolOf("search_flights", from))
	wantDeclared(t, decideAndLock(t, in, toolOf("search_flights", from, to, also)), map[string]string{
		"SearchFlightsArgsFrom": "From", "SearchFlightsArgsTo": "From", "SearchFlightsArgsAlso": "From", "SearchFlightsArgsToBool": "FromBool",
	})

	t.Log("members of one name have that")
	in = &Input{Server: Server{Name: "srv"}}
	wantDeclared(t, decideAndLock(t, in, toolOf("search_flights", from), toolOf("search_trains", from)), map[string]string{"SearchFlightsArgsFrom": "From", "SearchTrainsArgsFrom": "From"})

	t.Log("members of one struct are values of that")
	in = &Input{Server: Server{Name: "srv"}}
	wantDeclared(t, decideAndLock(t, in, toolOf("search_flights", `"access":{"type":"object","properties":{`+from+`,`+to+`}}`)), map[string]string{"SearchFlightsArgsAccessFrom": "AccessValue"})

	t.Log("a definition has its own")
	in = &Input{Server: Server{Name: "srv"}}
	p := decideAndLock(t, in, `{"name":"search_flights","inputSchema":{"type":"object","properties":{"from":{"$ref":"#/$defs/Flag"},"to":{"type":["boolean","string"]}},"$defs":{"Flag":{"anyOf":[{"type":"boolean"},{"type":"string"}]}}}}`)
	wantDeclared(t, p, map[string]string{"SearchFlightsArgsFlag": "Flag", "SearchFlightsArgsTo": "Flag"})

	t.Log("where the name is taken, the type asks for those of others")
	in = &Input{Server: Server{Name: "srv"}}
	wantDeclared(t, decideAndLock(t, in, toolOf("search_flights", from, to), toolOf("bool_or_string")), map[string]string{"SearchFlightsArgsFrom": "From", "SearchFlightsArgsTo": "From", "SearchFlightsArgsFromBool": "FromBool"})
}
