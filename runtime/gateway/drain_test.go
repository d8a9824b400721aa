package gateway

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// askingServer is a server whose tool asks, and that does not withdraw its question: the
// call ends when it gets an answer, or an error, or after the argument wait. Each end is
// sent to ended, with whether there was an answer.
func askingServer(t *testing.T) (s endpoint.Server, ended chan bool) {
	ended = make(chan bool, 1)
	sdk := mcp.NewServer(&mcp.Implementation{Name: "u", Version: "1"}, nil)
	sdk.AddTool(&mcp.Tool{Name: "ask", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var args struct{ Wait time.Duration }
		if err := json.Unmarshal(r.Params.Arguments, &args); err != nil {
			return nil, err
		}
		answered := make(chan error, 1)
		asking, stop := context.WithCancel(context.WithoutCancel(ctx))
		context.AfterFunc(t.Context(), stop) // the SDK does not end before
		go func() {
			_, err := r.Session.Elicit(asking, &mcp.ElicitParams{Message: "Who?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`)})
			answered <- err
		}()
		select {
		case err := <-answered:
			ended <- err == nil
		case <-time.After(args.Wait):
			ended <- false
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "over"}}}, nil
	})
	url := serveHandler(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return sdk }, nil))
	return endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: url}, Client: &endpoint.Offers{Forms: true}}, ended
}

// A question that its caller never answers ends with the call, with the session and with
// the gateway, for callers that leave in the middle of the call as well as for those that
// stay.
func TestUnanswered(t *testing.T) {
	const token = "annannannannannannannannannannann"
	for name, x := range map[string]struct {
		wait    string // of the server, in nanoseconds
		leaves  bool
		deletes bool // the session, before the gateway ends
	}{
		"the call ends":                      {wait: "200000000", leaves: true},
		"the call ends, then the session":    {wait: "200000000", leaves: true, deletes: true},
		"the session ends":                   {wait: "60000000000", deletes: true},
		"the session ends without its owner": {wait: "60000000000", leaves: true, deletes: true},
		"the gateway ends":                   {wait: "60000000000"},
		"the gateway ends without the owner": {wait: "60000000000", leaves: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, ended := askingServer(t)
			input := new(Input)
			g := openGateway(t, &attach.Options{Input: input}, &Options{Input: input}, server)
			auth, err := Tokens(map[string]string{"ann": token, "bob": strings.ReplaceAll(token, "ann", "bob")})
			if err != nil {
				t.Fatal(err)
			}
			url, stop := serveHTTP(t, g, &HandlerOptions{Auth: auth})
			body := strings.Replace(strings.Replace(initialize, legacy, "2025-06-18", 1), `"capabilities":{}`, `"capabilities":{"elicitation":{}}`, 1)
			_, _, headers := postJSON(t, url+Path, body, "Authorization", "Bearer "+token)
			header := http.Header{
				"Authorization": {"Bearer " + token}, "Mcp-Session-Id": {headers.Get(sessionHeader)}, "Mcp-Protocol-Version": {"2025-06-18"},
				"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
			}
			send := func(ctx context.Context, method, body string, header http.Header) *http.Response {
				req, _ := http.NewRequestWithContext(ctx, method, url+Path, strings.NewReader(body))
				req.Header = header
				res, err := http.DefaultClient.Do(req)
				if err != nil {
					t.Fatal(err)
				}
				return res
			}
			calling, leave := context.WithCancel(t.Context())
			defer leave()
			res := send(calling, http.MethodPost, callOf(5, "s__ask", `{"wait":`+x.wait+`}`), header)
			defer res.Body.Close()
			asked := false
			for lines := bufio.NewScanner(res.Body); !asked && lines.Scan(); {
				asked = strings.Contains(lines.Text(), "elicitation/create")
			}
			if !asked {
				t.Fatal("the caller is not asked")
			}
			if x.leaves {
				leave()
			}
			if strings.HasPrefix(name, "the call") {
				<-ended
			}
			bounded, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			if x.deletes {
				others := header.Clone()
				others.Set("Authorization", "Bearer "+strings.ReplaceAll(token, "ann", "bob"))
				if res := send(bounded, http.MethodDelete, "", others); res.StatusCode != http.StatusForbidden {
					t.Errorf("another caller deletes the session: %s", res.Status)
				}
				select {
				case <-ended:
					t.Error("another caller ends the call")
				case <-time.After(100 * time.Millisecond):
				}
				if res := send(bounded, http.MethodDelete, "", header); res.StatusCode != http.StatusNoContent {
					t.Errorf("deleting the session: %s", res.Status)
				}
			}
			stopped := make(chan error, 1)
			go func() { stopped <- stop() }()
			select {
			case err := <-stopped:
				if err != nil {
					t.Error(err)
				}
			case <-bounded.Done():
				t.Fatal("the gateway does not end")
			}
			if !x.leaves { // an answer, or the end of the connection
				_, _ = io.Copy(io.Discard, res.Body)
			}
			if strings.HasPrefix(name, "the call") {
				return
			}
			select {
			case answered := <-ended:
				if answered {
					t.Error("the question is answered")
				}
			case <-bounded.Done():
				t.Error("the server still waits for an answer")
			}
		})
	}
}

// A question that waits for the request for the result of its task ends with the gateway,
// which takes no such request any more.
func TestWaitForResultEnds(t *testing.T) {
	input := new(Input)
	g := openGateway(t, &attach.Options{Input: input}, &Options{Input: input}, processServer(t, "s", "echo"))
	answered := make(chan string, 1)
	go func() {
		_, declined, _ := input.Answer(t.Context(), "s", elicitation, json.RawMessage(`{"message":"?","_meta":{"`+relatedTask+`":{"taskId":"t1"}}}`))
		answered <- declined
	}()
	select {
	case why := <-answered:
		t.Fatalf("declined at once: %s", why)
	case <-time.After(200 * time.Millisecond):
	}
	_ = g.Close()
	select {
	case why := <-answered:
		if why == "" {
			t.Error("the question is not declined")
		}
	case <-time.After(10 * time.Second):
		t.Error("the question outlasts the gateway")
	}
}
