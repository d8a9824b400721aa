package attach

// Calls whose server asks for something that the caller answers itself, as a gateway
// has its own client answer.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// inputNotWanted fails the test if the program is asked.
func inputNotWanted(t *testing.T) Input {
	return answering(Handlers{Elicit: func(context.Context, string, ElicitRequest) (ElicitResult, error) {
		t.Error("the program was asked, want its caller asked")
		return ElicitResult{Action: ElicitAccept}, nil
	}})
}

// resumed is what a caller keeps between two rounds.
type resumed struct {
	Requests map[string]struct{ Method string } `json:"inputRequests"`
	State    json.RawMessage                    `json:"requestState"`
}

func TestRelayedRounds(t *testing.T) {
	start := sdkServers()["stateless"]
	sdk, _ := start(t)
	web := httpServer(t, "asks-modern")
	addressOf(web).Transport = endpoint.HTTP
	for name, c := range map[string]struct {
		server     endpoint.Server
		tool, args string
		answer     string
		want       string
	}{
		"sdk":   {sdk, "ask", `{}`, `{"action":"accept","content":{}}`, "accept+state"},
		"http":  {web, "echo", `{"method":"elicitation/create","params":` + form + `}`, `{"action":"accept","content":{"name":"Eve"}}`, "Eve"},
		"stdio": {processServer(t, "asks-modern"), "echo", `{"method":"elicitation/create","params":` + form + `}`, `{"action":"decline"}`, "decline"},
	} {
		t.Run(name, func(t *testing.T) {
			h := connectAll(t, &Options{Input: inputNotWanted(t)}, c.server)
			req := runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: c.tool, Args: json.RawMessage(c.args)}
			req.Options.Relay = json.RawMessage(`{"elicitation":{"form":{}}}`)
			res, err := h.Invoke(t.Context(), req)
			if err != nil || res.Type != "input_required" {
				t.Fatalf("%+v, %v", res, err)
			}
			var round resumed
			if err := json.Unmarshal(res.Raw, &round); err != nil || round.Requests["q"].Method != elicitation {
				t.Fatalf("%s, %v", res.Raw, err)
			}
			// A process that has nothing but what the round before said goes on with it.
			other := connectAll(t, &Options{Input: inputNotWanted(t)}, c.server)
			req.Options.InputResponses = json.RawMessage(`{"q":` + c.answer + `}`)
			req.Options.RequestState = round.State
			res, err = other.Invoke(t.Context(), req)
			if err != nil || res.Type != "complete" || !strings.Contains(res.Text()+string(res.Structured), c.want) {
				t.Errorf("%+v, %v", res, err)
			}
		})
	}
}

// What a server is told of the client is what the caller says of it.
func TestRelayedCapabilities(t *testing.T) {
	s, _ := sdkServers()["stateless"](t)
	h := connectAll(t, &Options{Input: inputNotWanted(t)}, s)
	req := runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: "meta"}
	for relay, want := range map[string]string{
		"": `"elicitation":{"form":{}}`, `{}`: `"io.modelcontextprotocol/clientCapabilities":{}`, `{"sampling":{}}`: `{"sampling":{}}`,
	} {
		req.Options.Relay = json.RawMessage(relay)
		if relay == "" {
			req.Options.Relay = nil
		}
		res, err := h.Invoke(t.Context(), req)
		if err != nil || !strings.Contains(string(res.Structured), want) {
			t.Errorf("%s: %+v, %v", relay, res, err)
		}
	}
	for _, bad := range []runtime.Options{{Relay: json.RawMessage(`[]`)}, {InputResponses: json.RawMessage(`{`)}, {RequestState: json.RawMessage(`x`)}} {
		req.Options = bad
		if _, err := h.Invoke(t.Context(), req); !errors.Is(err, runtime.ErrInvalidArgs) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

// A task is the server's to run and the caller's to follow.
func TestRelayedTaskRequests(t *testing.T) {
	h := connectReady(t, processServer(t, "modern"))
	req := runtime.Request{Server: "s", Method: protocol.MethodGetTask, Name: "echo", Args: json.RawMessage(`{"taskId":"t1"}`)}
	var rpc *runtime.RPCError
	if _, err := h.Invoke(t.Context(), req); !errors.As(err, &rpc) || rpc.Code != -32601 {
		t.Errorf("a server without tasks: %v", err)
	}
	req.Args = json.RawMessage(`{}`)
	if _, err := h.Invoke(t.Context(), req); !errors.Is(err, runtime.ErrInvalidArgs) {
		t.Errorf("no id: %v", err)
	}
}

// answeringCalls is a server of 2026-07-28 with the tool t, which answers each call with the
// same members.
func answeringCalls(t *testing.T, status int, answer string) endpoint.Server {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		_ = json.NewDecoder(r.Body).Decode(&m)
		result, known := map[string]string{
			"server/discover": `"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"m","version":"1"},"ttlMs":0,"cacheScope":"private"`,
			"tools/list":      `"tools":[{"name":"t","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"private"`,
		}[m.Method]
		w.Header().Set("Content-Type", "application/json")
		if result = `"result":{"resultType":"complete",` + result + `}`; !known {
			result = answer
			w.WriteHeader(status)
		}
		_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,` + result + `}`))
	}))
	t.Cleanup(web.Close)
	return endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: web.URL}}
}

// What a server demands of its client is in the error of a call, with what to do.
func TestDemandsOfAClient(t *testing.T) {
	const caps, revision = `"error":{"code":-32021,"message":"no"%s}`, `"error":{"code":-32022,"message":"no"%s}`
	const report = "report the error to the server's author"
	for _, c := range []struct {
		answer, data string
		text         string
		step         string
	}{
		{caps, `,"data":{"requiredCapabilities":{"sampling":{}, "elicitation":{"url":{}}}}`, `it requires {"sampling":{},"elicitation":{"url":{}}}`,
			"write client: {elicitation: true, sampling: true} for the server, then run mcpgen update"},
		{caps, `,"data":{"requiredCapabilities":{"extensions":{"x/\u001b\u202ey":{}}}}`, `it requires {"extensions":{"x/`, "update mcpgen"},
		{caps, `,"data":{"requiredCapabilities":{"x":"` + strings.Repeat("y", 1000) + `"}}`, `it requires {"x":"yyyy`, "update mcpgen"},
		{caps, ``, "no (code -32021)", "declare what the tool requires with the key client: of the server"},
		{caps, `,"data":{"requiredCapabilities":5}`, "no (code -32021)", "declare what the tool requires with the key client: of the server"},
		{revision, `,"data":{"supported":["2099-01-01\u001b","2098-01-01"],"requested":"2026-07-28"}`, "the server speaks revisions 2099-01-01, 2098-01-01 of the protocol", "update mcpgen"},
		{revision, `,"data":{"supported":["2099-01-01","2025-11-25"]}`, "it speaks 2099-01-01, 2025-11-25", "write protocol: 2025-11-25 for the server"},
		{revision, `,"data":{"supported":[]}`, "no (code -32022)", report},
		{revision, ``, "no (code -32022)", report},
	} {
		for _, status := range []int{http.StatusOK, http.StatusBadRequest} {
			h := connectAll(t, nil, answeringCalls(t, status, fmt.Sprintf(c.answer, c.data)))
			_, err := callTool(t.Context(), h, "t", `{}`)
			checkError(t, err, c.text, c.step)
			if text, steps := hint.Apart(err.Error(), err, nil); !slices.Contains(steps, c.step) || !strings.Contains(text, c.text) || len(text) > 700 {
				t.Errorf("%d: %q, %q", status, text, steps)
			}
			if rpc, ok := errors.AsType[*runtime.RPCError](err); !ok || rpc.Code > -32021 {
				t.Errorf("%d: %v", status, err)
			}
		}
	}
}

// A server that asks without end gets answers; its error does not say that it gets none.
func TestEndlessQuestions(t *testing.T) {
	own := answering(Handlers{Elicit: func(context.Context, string, ElicitRequest) (ElicitResult, error) {
		return ElicitResult{Action: ElicitAccept, Content: map[string]any{"password": "x"}}, nil
	}})
	h := connectAll(t, &Options{Input: own}, processServer(t, "modern-mrtr"))
	_, err := callTool(t.Context(), h, "echo", `{"text":"x"}`)
	checkError(t, err, "the server still asks after 9 answers", "Your password?", "report the error to the server's author")
	if strings.Contains(err.Error(), "does not give") || strings.Contains(err.Error(), "in the arguments") {
		t.Error(err)
	}
}

// A task without an ID is the server's mistake, also where the caller wants the handle.
func TestTaskWithoutID(t *testing.T) {
	h := connectAll(t, nil, answeringCalls(t, http.StatusOK, `"result":{"resultType":"task","status":"working"}`))
	for name, o := range map[string]runtime.Options{"relayed": {Relay: json.RawMessage(`{}`)}, "handle": {Task: true}, "followed": {}} {
		_, err := h.Invoke(t.Context(), runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: "t", Options: o})
		if err == nil || !strings.Contains(err.Error(), "a task that has no ID") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
