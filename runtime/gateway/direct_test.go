package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// What the gateway answers without the SDK is what it answers with it, which it does for
// another Accept header; and the SDK sees what is not in the usual form.
func TestDirect(t *testing.T) {
	upstream := mcp.NewServer(&mcp.Implementation{Name: "u", Version: "1"}, nil)
	add := func(name, schema string, res *mcp.CallToolResult, err error) {
		upstream.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(schema)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return res, err
		})
	}
	const object = `{"type":"object"}`
	text := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "<x> \u2028 &"}}, StructuredContent: map[string]any{"n": 1}}
	add("t", object, text, nil)
	add("denied", object, text, nil)
	add("no", object, &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "no"}}}, nil)
	add("rpc", object, nil, fmt.Errorf("it cannot"))
	add("by_header", `{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"A"}}}`, text, nil)
	g := openGateway(t, &attach.Options{Middleware: []runtime.Middleware{denyTool("denied")}}, &Options{Version: "1"}, endpoint.Server{Name: "s", Launch: &endpoint.Address{
		URL: serveHandler(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return upstream }, nil)),
	}}, processServer(t, "asks", "asks-modern"))
	handler, err := g.Handler(nil)
	if err != nil {
		t.Fatal(err)
	}
	url := serveHandler(t, handler)
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":%s%s}`
	call := func(name, caps, more string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":"a\u00e9","method":"tools/call","params":{"name":%q,"arguments":{"x":[1]},`+meta+`}}`, name, caps, more)
	}
	const question = `{"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}`
	for _, tc := range []struct {
		what, body, name string
		direct           bool
	}{
		{"a result", call("s__t", `{}`, ""), "s__t", true},
		{"capabilities", call("s__t", `{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{},"experimental":{"a":{}}}`, ""), "s__t", true},
		{"a number as id", strings.Replace(call("s__t", `{}`, ""), `"a\u00e9"`, "12", 1), "s__t", true},
		{"space", strings.Replace(call("s__t", `{}`, ""), `,"params":`, " ,\n\"params\" : ", 1), "s__t", true},
		{"another's _meta", call("s__t", `{}`, `,"traceparent":"00-1-2-01"`), "s__t", true},
		{"an error of the tool", call("s__no", `{}`, ""), "s__no", true},
		{"an error of the server", call("s__rpc", `{}`, ""), "s__rpc", true},
		{"a refusal", call("s__denied", `{}`, ""), "s__denied", true},
		{"no such tool", call("s__none", `{}`, ""), "s__none", true},
		{"no arguments", strings.Replace(call("s__t", `{}`, ""), `"arguments":{"x":[1]},`, "", 1), "s__t", true},
		{"a question", strings.Replace(call("asks__echo", `{"elicitation":{}}`, ""), `{"x":[1]}`, question, 1), "asks__echo", true},
		{"a question that is not answered", strings.Replace(call("asks__echo", `{}`, ""), `{"x":[1]}`, question, 1), "asks__echo", true},
		{"progress", call("s__t", `{}`, `,"progressToken":1`), "s__t", false},
		{"logs", call("s__t", `{}`, `,"io.modelcontextprotocol/logLevel":"debug"`), "s__t", false},
		{"an argument as header", strings.Replace(call("s__by_header", `{}`, ""), `"x":[1]`, `"a":"b"`, 1), "s__by_header", false},
		{"another name in the header", call("s__t", `{}`, ""), "s__no", false},
		{"no capabilities", call("s__t", `null`, ""), "s__t", false},
		{"odd capabilities", call("s__t", `{"elicitation":5}`, ""), "s__t", false},
		{"another revision", strings.Replace(call("s__t", `{}`, ""), "2026-07-28", "2025-11-25", 1), "s__t", false},
		{"odd arguments", strings.Replace(call("s__t", `{}`, ""), `{"x":[1]}`, `[1]`, 1), "s__t", false},
		{"no _meta", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"s__t"}}`, "s__t", false},
		{"another method", strings.Replace(call("s__t", `{}`, ""), "tools/call", "prompts/get", 1), "s__t", false},
		{"a notification", strings.Replace(call("s__t", `{}`, ""), `"id":"a\u00e9",`, "", 1), "s__t", false},
	} {
		header := []string{"Mcp-Protocol-Version", modern, "Mcp-Method", "tools/call", "Mcp-Name", tc.name}
		status, got, headers := within(t, url, tc.body, header...)
		sdkStatus, want, _ := within(t, url, tc.body, append(header, "Accept", "*/*")...)
		if _, data, ok := strings.Cut(want, "data: "); ok {
			want = data
		}
		if _, data, ok := strings.Cut(got, "data: "); ok {
			got = data
		}
		if status != sdkStatus || !sameAnswer(got, want) {
			t.Errorf("%s: %d %s\nthe SDK: %d %s", tc.what, status, got, sdkStatus, want)
		}
		if direct := headers.Get("Content-Type") == "application/json"; status == http.StatusOK && direct != tc.direct {
			t.Errorf("%s: answered without the SDK: %t", tc.what, direct)
		}
	}
}

// sameAnswer compares answers without what is random, and the numbers of reports.
func sameAnswer(a, b string) bool {
	var values [2]map[string]any
	for i, text := range []string{a, b} {
		if err := json.Unmarshal([]byte(text), &values[i]); err != nil {
			return a == b
		}
		if result, ok := values[i]["result"].(map[string]any); ok && result["requestState"] != nil {
			result["requestState"] = ""
		}
	}
	x, _ := json.Marshal(values[0])
	y, _ := json.Marshal(values[1])
	return string(x) == string(y)
}
