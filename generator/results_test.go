package generator

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// serverWithResults is a server whose tools declare no result schemas, except the last.
func serverWithResults(t *testing.T, results map[string]Result) Server {
	t.Helper()
	s := &schema.Snapshot{Server: "tracker", ProtocolVersion: "2025-11-25"}
	for i, raw := range []string{`{"name":"a","inputSchema":{"type":"object"}}`, `{"name":"b","inputSchema":{"type":"object"}}`,
		`{"name":"typed","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"x":{"type":"string"}}}}`} {
		it, err := schema.ParseItem(schema.KindTool, json.RawMessage(raw))
		if err != nil {
			t.Fatalf("tool %d: %v", i, err)
		}
		s.Tools = append(s.Tools, it)
	}
	locked, err := lockfile.LockSnapshot(s)
	if err != nil {
		t.Fatal(err)
	}
	for tool, r := range results {
		item, ok := locked.Tools[tool]
		if !ok || tool == "typed" {
			continue
		}
		if item.Result, err = r.Locked(); err != nil {
			t.Fatal(err)
		}
		locked.Tools[tool] = item
	}
	return Server{Name: "tracker", Snapshot: s, Locked: locked, Results: results}
}

func generateServer(s Server) (*Output, error) {
	return Generate(context.Background(), Options{Output: "mcp", ImportPath: "example.com/mcp", Servers: []Server{s}})
}

func fileText(out *Output, path string) string {
	for _, f := range out.Files {
		if f.Path == path {
			return string(f.Data)
		}
	}
	return ""
}

func TestResults(t *testing.T) {
	for _, tt := range []struct{ schema, want string }{
		{`{"type":"object","properties":{"n":{"type":"integer"}}}`, "*AResult"},
		{`{"type":"object","additionalProperties":{"type":"integer"}}`, "map[string]int"},
		{`{"type":"object","additionalProperties":{}}`, "map[string]json.RawMessage"},
		{`{"type":"object","properties":{}}`, "map[string]json.RawMessage"},
		{`{"type":"array","items":{"type":"object","properties":{"n":{"type":"integer"}}}}`, "[]AItem"},
		{`{"type":"array"}`, "[]json.RawMessage"},
		{`{"type":"string"}`, "string"},
		{`{"type":["null","string"]}`, "*string"},
		{`{"type":"null"}`, "json.RawMessage"},
		{`{}`, "json.RawMessage"},
		{`{"anyOf":[{"type":"object","properties":{"n":{"type":"integer"}}},{"type":"string"},{"type":"null"}]}`, ""},
		{`{"type":["boolean","integer","string"]}`, ""},
	} {
		for _, file := range []string{"", "schemas/a.json"} {
			out, err := generateServer(serverWithResults(t, map[string]Result{"a": {Schema: json.RawMessage(tt.schema), File: file}}))
			if err != nil {
				t.Errorf("a result of the schema %s: got %v, want no error", tt.schema, err)
				continue
			}
			if got := out.Tools[0].Go.Result; tt.want != "" && got != tt.want {
				t.Errorf("%s: %s, want %s", tt.schema, got, tt.want)
			}
			if got := out.Tools[1].Go.Result; got != "*runtime.Result" {
				t.Errorf("the result of b is %s, want %q", got, "*runtime.Result")
			}
			want := "Result type observed from calls: every member is optional."
			if file != "" {
				want = "Result type given by schemas/a.json."
			}
			code := strings.ReplaceAll(fileText(out, "mcp/tracker/tracker.go"), "\n// ", " ")
			if strings.Count(code, want) != 1 {
				t.Errorf("%s: %q is not there once", tt.schema, want)
			}
		}
	}
}

func TestResultsOfHostileNames(t *testing.T) {
	hostile := "x\n}\nfunc init() { panic(1) }\n//go:embed \u2028*/" + strings.Repeat("y", 5000)
	name, err := json.Marshal(hostile)
	if err != nil {
		t.Fatal(err)
	}
	shape := fmt.Sprintf(`{"type":"object","properties":{%s:{"type":"object","properties":{%s:{"type":"integer"}}}}}`, name, name)
	for _, file := range []string{"", hostile} {
		if _, err := generateServer(serverWithResults(t, map[string]Result{"a": {Schema: json.RawMessage(shape), File: file}})); err != nil {
			t.Error(err)
		}
	}
}

// A declared schema counts first, and results have to be the locked ones.
func TestResultsAreLocked(t *testing.T) {
	given := map[string]Result{"a": {Schema: json.RawMessage(`{"type":"string"}`)}, "typed": {Schema: json.RawMessage(`{"type":"string"}`)}, "none": {}}
	out, err := generateServer(serverWithResults(t, given))
	if err != nil {
		t.Fatal(err)
	}
	if got := out.Tools[2].Go.Result; got != "*TypedResult" {
		t.Errorf("the server's own schema is not used: %s, want %q", got, "*TypedResult")
	}
	for name, change := range map[string]func(*Server){
		"another schema": func(s *Server) { s.Results["a"] = Result{Schema: json.RawMessage(`{"type":"integer"}`)} },
		"another source": func(s *Server) { s.Results["a"] = Result{Schema: json.RawMessage(`{"type":"string"}`), File: "a.json"} },
		"none":           func(s *Server) { delete(s.Results, "a") },
		"one more":       func(s *Server) { s.Results["b"] = Result{Schema: json.RawMessage(`{"type":"string"}`)} },
		"no JSON":        func(s *Server) { s.Results["a"] = Result{Schema: json.RawMessage(`{`)} },
	} {
		s := serverWithResults(t, map[string]Result{"a": given["a"]})
		change(&s)
		if _, err := generateServer(s); err == nil || !strings.Contains(err.Error(), "tracker: the result schema of tool") {
			t.Errorf("%s: got %v, want an error with %q", name, err, "tracker: the result schema of tool")
		}
	}
}

// Texts of schemas that nobody can see as they are become escapes, wherever they are
// literals.
func TestInvisibleValues(t *testing.T) {
	const values = `["a\u2800b","\u3164","\u00a0x","tag\ufe0f"]`
	for _, raw := range []string{
		`{"type":"string","enum":` + values + `}`,
		`{"type":"object","required":["e","p\u2800q"],"properties":{"e":{"enum":` + values + `},"p\u2800q":{"type":"string"}}}`,
		`{"oneOf":[{"type":"object","required":["k"],"properties":{"k":{"const":"a\u2800"}}},{"type":"object","required":["k"],"properties":{"k":{"const":"b\u2800"}}}]}`,
		`{"oneOf":[{"type":"object","required":["k\u2800"],"properties":{"k\u2800":{"const":"a"}}},{"type":"object","required":["k\u2800"],"properties":{"k\u2800":{"const":"b"}}}]}`,
		`{"oneOf":[{"type":"object","required":["x\u2800"],"properties":{"x\u2800":{"type":"string"}}},{"type":"object","required":["y"],"properties":{"y":{"type":"string"}}}]}`,
	} {
		server := serverWithResults(t, map[string]Result{"a": {Schema: json.RawMessage(raw)}})
		if out, err := generateServer(server); err != nil || fileText(out, "mcp/tracker/types.go") == "" {
			t.Errorf("%s: %v", raw, err)
		}
	}
}
