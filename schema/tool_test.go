package schema

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestParseTool(t *testing.T) {
	tool, problems, err := ParseTool(json.RawMessage(`{"name":"n","title":"t","description":"d","inputSchema":{"type":"object"},
		"outputSchema":{"x":1},"annotations":{"readOnlyHint":true},"execution":{"taskSupport":"optional"},"_meta":{}}`))
	if err != nil || len(problems) > 0 {
		t.Fatalf("got the problems %v and the error %v, want none", problems, err)
	}
	if tool.Name != "n" || tool.Title != "t" || tool.Description != "d" || string(tool.InputSchema) != `{"type":"object"}` ||
		string(tool.OutputSchema) != `{"x":1}` || string(tool.Annotations) != `{"readOnlyHint":true}` || string(tool.Execution) != `{"taskSupport":"optional"}` {
		t.Errorf("got %+v", tool)
	}
}

func TestParseToolIsTolerant(t *testing.T) {
	const in = `"inputSchema":{}`
	for _, tc := range []struct{ name, members, want string }{
		{"annotations of PHP", in + `,"annotations":[]`, "/annotations: must be an object, but is an array: mcpgen ignores the value"},
		{"hint", in + `,"annotations":{"readOnlyHint":"yes","openWorldHint":false}`, "/annotations/readOnlyHint: must be a boolean, but is a string: mcpgen ignores the value"},
		{"annotation title", in + `,"annotations":{"title":5}`, "/annotations/title: must be a string, but is a number: mcpgen ignores the value"},
		{"null hint", in + `,"annotations":{"readOnlyHint":null}`, ""},
		{"title", in + `,"title":5`, "/title: must be a string, but is a number: mcpgen ignores the value"},
		{"description", in + `,"description":["a"]`, "/description: must be a string, but is an array: mcpgen ignores the value"},
		{"null description", in + `,"description":null`, ""},
		{"input null", `"inputSchema":null`, "/inputSchema: must be an object, but is null: mcpgen ignores the value"},
		{"input true", `"inputSchema":true`, "/inputSchema: must be an object, but is true: mcpgen ignores the value"},
		{"input missing", `"x":1`, "/inputSchema: missing: any object is taken as arguments"},
		{"input of a text", `"inputSchema":{"type":"string"}`, `/inputSchema/type: is "string", but arguments are always an object`},
		{"output", in + `,"outputSchema":"x"`, "/outputSchema: must be an object, but is a string: mcpgen ignores the value"},
		{"execution", in + `,"execution":1`, "/execution: must be an object, but is a number: mcpgen ignores the value"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tool, problems, err := ParseTool(json.RawMessage(`{"name":"n",` + tc.members + `}`))
			if err != nil || tool.Name != "n" {
				t.Fatalf("got the tool %+v, error %v; want one of the name n", tool, err)
			}
			var got []string
			for _, p := range problems {
				if p.Kind != KindTool || p.Name != "n" {
					t.Errorf("%+v does not name the tool", p)
				}
				got = append(got, p.Pointer+": "+p.Reason)
			}
			if strings.Join(got, "; ") != tc.want {
				t.Errorf("got %v\nwant %s", got, tc.want)
			}
			if tool.Annotations != nil && (strings.Contains(string(tool.Annotations), "yes") || !json.Valid(tool.Annotations)) {
				t.Errorf("annotations %s", tool.Annotations)
			}
			if tool.Title != "" || tool.Description != "" {
				t.Errorf("got %+v", tool)
			}
		})
	}
}

func TestParseToolRefuses(t *testing.T) {
	for in, want := range map[string]string{
		`null`:                           "the tool is null, not an object",
		`[]`:                             "the tool is an array, not an object",
		`{}`:                             `the tool has no "name"`,
		`{"name":5}`:                     `at "/name": must be a string, is a number`,
		`{"name":""}`:                    `at "/name": must not be empty`,
		`{"name":"a","name":"b"}`:        `at "/name": duplicate member name`,
		`{"name":"a","x":{"y":1,"y":1}}`: `at "/x/y": duplicate member name`,
		`{"name":"a"`:                    "the JSON ends",
		"{\"name\":\"\xff\"}":            "not valid UTF-8",
		`{"name":"\ud800"}`:              "half of a surrogate pair",
		`{"name":"` + strings.Repeat("n", 257) + `"}`: "longer than 256 bytes",
	} {
		_, _, err := ParseTool(json.RawMessage(in))
		if e := (*Error)(nil); !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, want %s", in, err, want)
		}
	}
}

func TestMessagesHideNothing(t *testing.T) {
	e := &Error{Pointer: "/a\x1b[31m\u202e" + strings.Repeat("é", 200), Reason: "x"}
	if got := e.Error(); strings.ContainsAny(got, "\x1b\u202e") || len(got) > 300 || !strings.Contains(got, `"…`) {
		t.Errorf("got %q", got)
	}
	if got := (Problem{Kind: KindTool, Name: "a\nb", Pointer: "/x", Reason: "r"}).String(); got != `tool "a\nb" at "/x": r` {
		t.Errorf("got %s, want %q", got, `tool "a\nb" at "/x": r`)
	}
	if got := (Problem{Reason: "r"}).String(); got != "r" {
		t.Errorf("got %s, want %q", got, "r")
	}
}

func FuzzParseTool(f *testing.F) {
	for _, s := range []string{
		`{"name":"n","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":"yes","x":1}}`,
		`{"name":"n","inputSchema":null,"annotations":[],"title":5}`,
		`{"name":"\ud800"}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tool, _, err := ParseTool(data)
		it, itemErr := ParseItem(KindTool, data)
		if (err == nil) != (itemErr == nil) || tool.Name != it.Name {
			t.Fatalf("ParseTool says %v, ParseItem %v", err, itemErr)
		}
		if err != nil {
			return
		}
		for _, raw := range []json.RawMessage{tool.InputSchema, tool.OutputSchema, tool.Annotations, tool.Execution} {
			if raw != nil && (!json.Valid(raw) || raw[0] != '{') {
				t.Fatalf("%q is not an object", raw)
			}
		}
		if _, err := ContractHash(KindTool, it.Raw); err != nil {
			t.Fatalf("accepted, but has no contract: %v", err)
		}
	})
}
