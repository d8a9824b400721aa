package gateway

// What servers ask for in the course of calls, and tasks, in whose course they ask, too.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/input"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// startAsking answers what it is asked, with what it was asked in it.
func startAsking(t *testing.T) func(string, json.RawMessage) json.RawMessage {
	return func(method string, params json.RawMessage) json.RawMessage {
		switch method {
		case "elicitation/create":
			checkContains(t, string(params), `"z":{"type":"string"}`, `"message":"Who?"`)
			checkLacks(t, string(params), `"mode":""`) // clients refuse it
			return json.RawMessage(`{"action":"accept","content":{"z":"y","a":9007199254740993}}`)
		case "sampling/createMessage":
			return json.RawMessage(`{"role":"assistant","model":"m","content":{"type":"text","text":"hi"}}`)
		}
		return nil
	}
}

// What servers of either era ask for reaches callers of either era, and the answer
// finds its way back.
func TestAsking(t *testing.T) {
	const caps = `{"elicitation":{"form":{}},"sampling":{}}`
	questions := map[string]string{
		"elicitation/create":     `{"message":"Who?","requestedSchema":{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"integer"}}}}`,
		"sampling/createMessage": `{"messages":[{"role":"user","content":{"type":"text","text":"say hi"}}],"maxTokens":5}`,
	}
	answers := map[string]string{"elicitation/create": `"z":"y"`, "sampling/createMessage": `"text":"hi"`}
	for _, mode := range []string{"asks", "asks-modern"} {
		eachEra(t, func(t *testing.T, protocol string) {
			input := new(Input)
			g := openGateway(t, &attach.Options{Input: input}, &Options{Input: input}, processServer(t, "s", mode))
			for method, params := range questions {
				ask := startAsking(t)
				c := dialAs(t, g, protocol, caps, ask)
				args := fmt.Sprintf(`{"method":%q,"params":%s}`, method, params)
				got := c.must("tools/call", `{"name":"s__echo","arguments":`+args+`}`)
				if protocol == modern {
					var need struct {
						ResultType    string
						InputRequests map[string]struct {
							Method string
							Params json.RawMessage
						}
						RequestState string
					}
					if err := json.Unmarshal([]byte(got), &need); err != nil || need.ResultType != "input_required" || len(need.InputRequests) != 1 {
						t.Fatalf("%v: %s", err, got)
					}
					id := slices.Collect(maps.Keys(need.InputRequests))[0]
					q := need.InputRequests[id]
					retry := fmt.Sprintf(`{"name":"s__echo","arguments":%s,"inputResponses":{%q:%s},"requestState":%q}`, args, id, ask(q.Method, q.Params), need.RequestState)
					for name, wrong := range map[string]string{"another tool": strings.Replace(retry, "s__echo", "s__other", 1), "another state": strings.Replace(retry, `"requestState":"own.`, `"requestState":"own.A`, 1)} {
						if _, err := c.request("tools/call", wrong); err == nil || !strings.Contains(err.Error(), "requestState") {
							t.Errorf("%s: %v", name, err)
						}
					}
					got = c.must("tools/call", retry)
					if _, err := c.request("tools/call", retry); mode == "asks" && err == nil {
						t.Error("the same answer a second time has no error, want one")
					}
				}
				checkContains(t, got, answers[method])
				if protocol == modern && method == "elicitation/create" {
					checkContains(t, got, `"a":9007199254740993`)
				}
			}
			// A caller that answers nothing declines, and the call goes on.
			got, err := dialClient(t, g, protocol).call("s__echo", fmt.Sprintf(`{"method":"elicitation/create","params":%s}`, questions["elicitation/create"]))
			var rpc *jsonrpc.Error
			switch {
			case protocol == modern && mode == "asks-modern": // it was told, and asks all the same
				if !errors.As(err, &rpc) || rpc.Code != mcp.CodeMissingRequiredClientCapabilities || !strings.Contains(string(rpc.Data), `{"requiredCapabilities":{"`) {
					t.Errorf("got %s, %v", got, err)
				}
			case err != nil:
				t.Fatal(err)
			default:
				checkContains(t, got, `"action":"decline"`)
			}
		})
	}
}

// A caller is asked only for what it declares: for forms or for pages, and for tools of a model only with sampling.tools.
func TestAskedBeyondCapabilities(t *testing.T) {
	const (
		form, page = "elicitation/create", "elicitation/create page"
		tools      = "sampling/createMessage"
	)
	questions := map[string]string{
		form:  `{"message":"Who?","requestedSchema":{"type":"object","properties":{"z":{"type":"string"}}}}`,
		page:  `{"mode":"url","message":"Who?","url":"https://example.com/x","elicitationId":"1"}`,
		tools: `{"messages":[{"role":"user","content":{"type":"text","text":"say hi"}}],"maxTokens":5,"tools":[{"name":"t","inputSchema":{"type":"object"}}],"toolChoice":{"mode":"auto"}}`,
	}
	for _, c := range []struct{ caps, question, refused string }{
		{`{"sampling":{}}`, tools, "sampling.tools"},
		{`{"sampling":{"tools":{}}}`, tools, ""},
		{`{"elicitation":{}}`, form, ""},
		{`{"elicitation":{"form":{}}}`, page, "decline"},
		{`{"elicitation":{"url":{}}}`, page, ""},
		{`{"elicitation":{"url":{}}}`, form, "decline"},
	} {
		for _, mode := range []string{"asks", "asks-modern"} {
			eachEra(t, func(t *testing.T, protocol string) {
				input := new(Input)
				g := openGateway(t, &attach.Options{Input: input}, &Options{Input: input}, processServer(t, "s", mode))
				asked := false
				caller := dialAs(t, g, protocol, c.caps, func(method string, params json.RawMessage) json.RawMessage {
					asked = true
					if method == tools {
						checkContains(t, string(params), `"tools":[{"name":"t"`)
						return json.RawMessage(`{"role":"assistant","model":"m","content":{"type":"text","text":"hi"}}`)
					}
					return json.RawMessage(`{"action":"accept","content":{"z":"y"}}`)
				})
				method, _, _ := strings.Cut(c.question, " ")
				got, err := caller.call("s__echo", fmt.Sprintf(`{"method":%q,"params":%s}`, method, questions[c.question]))
				var rpc *jsonrpc.Error
				missing := errors.As(err, &rpc) && rpc.Code == mcp.CodeMissingRequiredClientCapabilities
				switch asked = asked || strings.Contains(got, "input_required"); {
				case asked != (c.refused == ""):
					t.Errorf("%s, %s, %s: %s, %v", mode, c.caps, c.question, got, err)
				case asked, missing:
				case err != nil:
					checkContains(t, err.Error(), c.refused)
				default:
					checkContains(t, got, c.refused)
				}
				if c.question == tools && !asked && mode == "asks" { // it shows the answer that it got
					checkContains(t, got+fmt.Sprint(err), "-32602")
				}
			})
		}
	}
}

// Without an Input of the gateway the host's own Input answers, whatever callers and
// servers speak.
func TestHostAnswers(t *testing.T) {
	for _, mode := range []string{"asks", "asks-modern"} {
		eachEra(t, func(t *testing.T, protocol string) {
			own := input.Handlers{Elicit: func(context.Context, string, input.ElicitRequest) (input.ElicitResult, error) {
				return input.ElicitResult{Action: input.ElicitAccept, Content: map[string]any{"z": "own"}}, nil
			}}
			g := openGateway(t, &attach.Options{Input: own}, nil, processServer(t, "s", mode))
			got, err := dialAs(t, g, protocol, `{"elicitation":{"form":{}}}`, nil).call("s__echo", `{"method":"elicitation/create","params":{"message":"Who?"}}`)
			if err != nil {
				t.Fatal(err)
			}
			checkContains(t, got, `"z":"own"`)
		})
	}
}

// What a caller can answer is what a server is told in its requests, no more.
func TestToldCapabilities(t *testing.T) {
	for caps, told := range map[string]string{
		`{}`: ``,
		`{"elicitation":{"form":{}},"extensions":{"x/y":{}}}`: `"elicitation":{"form":{}}`,
		`{"elicitation":{"form":{},"url":{}}}`:                `"elicitation":{"form":{},"url":{}}`,
		`{"sampling":{},"roots":{}}`:                          `"sampling":{}`,
	} {
		eachEra(t, func(t *testing.T, protocol string) {
			trace := filepath.Join(t.TempDir(), "trace")
			in := new(Input)
			g := openGateway(t, &attach.Options{Input: in}, &Options{Input: in}, processServer(t, "s", "asks-modern", "-trace", trace))
			// A legacy caller is asked and a modern one gets the question; either may refuse.
			_, _ = dialAs(t, g, protocol, caps, startAsking(t)).request("tools/call", `{"name":"s__echo","arguments":{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{"z":{"type":"string"}}}}}}`)
			data, err := os.ReadFile(trace)
			if err != nil {
				t.Fatal(err)
			}
			_, call, _ := strings.Cut(string(data), `"method":"tools/call"`)
			call, _, _ = strings.Cut(call, "\n")
			var got struct{ Elicitation, Sampling, Roots, Extensions json.RawMessage }
			_, value, _ := strings.Cut(call, `"io.modelcontextprotocol/clientCapabilities":`)
			if err := json.NewDecoder(strings.NewReader(value)).Decode(&got); err != nil {
				t.Fatalf("%v in %s", err, call)
			}
			var all []string
			for name, v := range map[string]json.RawMessage{"elicitation": got.Elicitation, "sampling": got.Sampling} {
				if v != nil {
					all = append(all, fmt.Sprintf("%q:%s", name, v))
				}
			}
			if strings.Join(all, ",") != told || string(got.Extensions) != `{"io.modelcontextprotocol/tasks":{}}` || protocol < modern && got.Roots != nil {
				t.Errorf("caller with %s: the server is told %s", caps, call)
			}
		})
	}
}

// Gateways that share a key go on with each other's calls, and those that do not share
// one refuse them.
func TestSharedKeys(t *testing.T) {
	keys := func(b string) *Keys {
		k, err := NewKeys(Key{ID: "k", Secret: []byte(strings.Repeat(b, keySize))})
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	gateway := func(mode string, k *Keys) *client {
		input := new(Input)
		return dialAs(t, openGateway(t, &attach.Options{Input: input}, &Options{Input: input, Keys: k}, processServer(t, "s", mode)), modern, `{"elicitation":{"form":{}}}`, nil)
	}
	const args = `"name":"s__echo","arguments":{"method":"elicitation/create","params":{"message":"Who?"}}`
	got := gateway("asks-modern", keys("a")).must("tools/call", `{`+args+`}`)
	var need struct{ RequestState string }
	if err := json.Unmarshal([]byte(got), &need); err != nil || need.RequestState == "" {
		t.Fatalf("%v: %s", err, got)
	}
	retry := fmt.Sprintf(`{%s,"inputResponses":{"q":{"action":"accept","content":{"z":"y"}}},"requestState":%q}`, args, need.RequestState)
	checkContains(t, gateway("asks-modern", keys("a")).must("tools/call", retry), `"action":"accept"`)
	if _, err := gateway("asks-modern", keys("b")).request("tools/call", retry); err == nil || !strings.Contains(err.Error(), "requestState") {
		t.Errorf("got %v", err)
	}
	// A server that waits in the middle of a call cannot be answered through any of them.
	checkContains(t, gateway("asks", keys("a")).must("tools/call", `{`+args+`}`), `"action":"decline"`)
}

// A tool that runs as a task answers like any other to a caller that takes no tasks, after
// what it asks in its course: in a session that callers share, and in the caller's own.
func TestTasks(t *testing.T) {
	for _, offers := range []*endpoint.Offers{nil, {Forms: true}} {
		for _, mode := range []string{"tasks", "tasks-2025"} {
			followTask(t, mode, offers)
		}
	}
}

// followTask has callers of both eras call a tool that asks and runs as a task.
func followTask(t *testing.T, mode string, offers *endpoint.Offers) {
	eachEra(t, func(t *testing.T, protocol string) {
		input := new(Input)
		server := processServer(t, "s", mode)
		server.Client = offers
		g := openGateway(t, apart(input), &Options{Input: input}, server)
		answer := func(string, json.RawMessage) json.RawMessage {
			return json.RawMessage(`{"action":"accept","content":{"name":"Ada"}}`)
		}
		c := dialAs(t, g, protocol, `{"elicitation":{"form":{}}}`, answer)
		got, err := c.call("s__research", `{"topic":"x","polls":2,"pause":20}`)
		if err != nil {
			t.Fatal(err)
		}
		checkContains(t, got, `"report":`)
		const args = `"name":"s__research","arguments":{"topic":"y","polls":1,"ask":true,"pause":20}`
		got = c.must("tools/call", `{`+args+`}`)
		for protocol == modern && strings.Contains(got, "input_required") {
			var need struct {
				InputRequests map[string]json.RawMessage
				RequestState  string
			}
			if err := json.Unmarshal([]byte(got), &need); err != nil {
				t.Fatal(err)
			}
			for id := range need.InputRequests {
				got = c.must("tools/call", fmt.Sprintf(`{%s,"inputResponses":{%q:%s},"requestState":%q}`, args, id, answer("", nil), need.RequestState))
			}
		}
		checkContains(t, got, `"for":"Ada"`)
	})
}
