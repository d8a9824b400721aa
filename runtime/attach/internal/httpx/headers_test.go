package httpx

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
)

// methodOf returns the method of the message that a server got.
func methodOf(r *http.Request) string {
	var m struct{ Method string }
	body, _ := io.ReadAll(r.Body)
	_ = json.Unmarshal(body, &m)
	return m.Method
}

// Arguments that a schema wants in headers, as the protocol writes them.
func TestParams(t *testing.T) {
	const named = `{"type":"string","x-mcp-header":"A"}`
	for _, c := range []struct {
		properties, args string
		want             string // "" is a tool that cannot be called
	}{
		{`{"a":{"type":"string"}}`, `{"a":"x"}`, "map[]"},
		{`{"a":{"type":"string","x-mcp-header":"A"}}`, `{"a":"x y"}`, "map[A:x y]"},
		{`{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":["string","null"]}}`, `{"a":""}`, "map[A:]"},
		{`{"a":{"type":"string","x-mcp-header":"A"}}`, `{"a":" x"}`, "map[A:=?base64?IHg=?=]"},
		{`{"a":{"type":"string","x-mcp-header":"A"}}`, `{"a":"é\n"}`, "map[A:=?base64?w6kK?=]"},
		{`{"a":{"type":"string","x-mcp-header":"A"}}`, `{"a":"=?base64?x?="}`, "map[A:=?base64?PT9iYXNlNjQ/eD89?=]"},
		{`{"a":{"type":"integer","x-mcp-header":"A"},"b":{"type":"boolean","x-mcp-header":"B"}}`, `{"a":-7,"b":true}`, "map[A:-7 B:true]"},
		{`{"a":{"type":"integer","x-mcp-header":"A"}}`, `{"a":1e3}`, "map[A:1000]"},
		{`{"a":{"type":"integer","x-mcp-header":"A"}}`, `{"a":9007199254740993}`, "map[]"},
		{`{"a":{"type":"integer","x-mcp-header":"A"}}`, `{"a":1.5}`, "map[]"},
		{`{"a":{"type":"string","x-mcp-header":"A"}}`, `{"a":null}`, "map[]"},
		{`{"a":{"type":"string","x-mcp-header":"A"}}`, `{}`, "map[]"},
		{`{"a":{"type":"object","properties":{"b":{"type":"string","x-mcp-header":"B"}}}}`, `{"a":{"b":"x"}}`, "map[B:x]"},
		{`{"a":{"type":"object","properties":{"b":{"type":"string","x-mcp-header":"B"}}}}`, `{"a":5}`, "map[]"},
		{`{"a":{"type":"number","x-mcp-header":"A"}}`, `{}`, ""},
		{`{"a":{"type":"object","x-mcp-header":"A"}}`, `{}`, ""},
		{`{"a":{"type":["string"],"x-mcp-header":"A"}}`, `{}`, ""},
		{`{"a":{"type":"string","x-mcp-header":"X Bad"}}`, `{}`, ""},
		{`{"a":{"type":"string","x-mcp-header":""}}`, `{}`, ""},
		{`{"a":{"type":"string","x-mcp-header":5}}`, `{}`, ""},
		{`{"a":{"type":"string","x-mcp-header":"H"},"b":{"type":"object","properties":{"c":{"type":"string","x-mcp-header":"h"}}}}`, `{}`, ""},
		{`{"a":{"type":"string","X-MCP-Header":"A"}}`, `{"a":"x"}`, "map[]"},
		{`{"a":{"type":"string","x-mcp-he\u0061der":"A"}}`, `{"a":"x"}`, "map[A:x]"},
		{`5`, `{}`, "map[]"},
		// Elsewhere than in a chain of properties.
		{`{"a":{"type":"array","items":` + named + `}}`, `{}`, ""},
		{`{"a":{"type":"array","items":[` + named + `]}}`, `{}`, ""},
		{`{"a":{"type":"array","prefixItems":[true,` + named + `]}}`, `{}`, ""},
		{`{"a":{"type":"array","items":{"properties":{"b":` + named + `}}}}`, `{}`, ""},
		{`{"a":{"additionalProperties":` + named + `}}`, `{}`, ""},
		{`{"a":{"patternProperties":{"^x":` + named + `}}}`, `{}`, ""},
		{`{"a":{"not":` + named + `}}`, `{}`, ""},
		{`{},"if":{"properties":{"a":` + named + `}}`, `{}`, ""},
		{`{},"allOf":[{"properties":{"a":` + named + `}}]`, `{}`, ""},
		{`{},"anyOf":[{},{"oneOf":[{"properties":{"a":` + named + `}}]}]`, `{}`, ""},
		{`{"a":{"$ref":"#/$defs/h"}},"$defs":{"h":` + named + `}`, `{}`, ""},
		{`{"a":{"$ref":"#/definitions/h"}},"definitions":{"h":` + named + `}`, `{}`, ""},
		{`{},"type":"string","x-mcp-header":"A"`, `{}`, ""},
		// Members that are no keyword.
		{`{"x-mcp-header":{"type":"string"}}`, `{"x-mcp-header":"x"}`, "map[]"},
		{`{"a":{"type":"object","default":` + named + `,"const":` + named + `,"enum":[` + named + `],"examples":[` + named + `]}}`, `{}`, "map[]"},
		{`{},"$defs":{"x-mcp-header":{"type":"string"},"properties":{"type":"object"}}`, `{}`, "map[]"},
		{`{"a":{"minimum":1e999},"b":` + named + `}`, `{"b":"x"}`, "map[A:x]"},
	} {
		params, ok := ParamsOf(json.RawMessage(`{"name":"t","inputSchema":{"type":"object","properties":` + c.properties + `}}`))
		if got := fmt.Sprint(params.Headers(json.RawMessage(c.args))); ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%s with %s: %s, %v; want %s", c.properties, c.args, got, ok, c.want)
		}
	}
}

// Which headers a request has, in each era.
func TestHeadersOfASession(t *testing.T) {
	var got http.Header
	l := newLink(t, Options{URL: serveHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		got = r.Header
		w.Header().Set(sessionHeader, "s1")
		answerWith(mediaJSON, `{"jsonrpc":"2.0","id":$,"result":{}}`)(w, r)
	})})
	for _, c := range []struct {
		protocol string
		params   string
		want     string
	}{
		{"", `{}`, "[][][][][]"},
		{"", `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`, "[2026-07-28][s1][tools/call][t][x]"},
		{"2025-11-25", `{}`, "[2025-11-25][s1][][][]"},
		{"2026-07-28", `{}`, "[2026-07-28][s1][tools/call][t][x]"},
		{"2026-07-28", `{"name":"ü"}`, "[2026-07-28][s1][tools/call][=?base64?w7w=?=][x]"},
	} {
		name := "t"
		if strings.Contains(c.params, "ü") {
			name = "ü"
		}
		l.Use(c.protocol)
		if _, err := l.conn.Call(t.Context(), "tools/call", json.RawMessage(c.params), wire.CallOptions{Name: name, Headers: map[string]string{"P": "x"}}); err != nil {
			t.Fatal(err)
		}
		headers := ""
		for _, name := range []string{versionHeader, sessionHeader, methodHeader, nameHeader, paramHeader + "P"} {
			headers += fmt.Sprint(got[http.CanonicalHeaderKey(name)])
		}
		if headers != c.want {
			t.Errorf("%q %s: %s, want %s", c.protocol, c.params, headers, c.want)
		}
	}
}
