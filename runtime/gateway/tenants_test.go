//lint:file-ignore SA1019 callers of all revisions before 2026-07-28 log and ask this way

package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/agent"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/policy"
)

// tenants is a gateway for Ann, who works, and Bob, who attacks.
type tenants struct {
	t         *testing.T
	url       string
	ann       string // her session
	release   chan struct{}
	held      atomic.Int64 // calls of the tool wait in progress
	cancelled atomic.Int64 // of those that were cancelled
	over      atomic.Bool

	mu     sync.Mutex
	leaked []string // what Bob was told with words of Ann
	tried  map[string]int
}

const annSecret = "ann-secret"

// openTenants serves ten servers: one whose tools echo, fail and wait, one whose list
// changes all the time, a process, one that does not start, one that never answers, one
// that logs at all levels, one with resources that can be followed, one that asks, and two
// that certain bytes kill, one of them with a process for each caller.
func openTenants(t *testing.T) (*tenants, *mcp.Server) {
	x := &tenants{t: t, release: make(chan struct{}), tried: map[string]int{}}
	safe := mcp.NewServer(&mcp.Implementation{Name: "safe", Version: "1"}, nil)
	add := func(name string, f func(ctx context.Context, args string) (*mcp.CallToolResult, error)) {
		safe.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return f(ctx, string(r.Params.Arguments))
		})
	}
	text := func(s string) *mcp.CallToolResult {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
	}
	add("keep", func(_ context.Context, args string) (*mcp.CallToolResult, error) { return text(args), nil })
	add("private", func(context.Context, string) (*mcp.CallToolResult, error) { return text(annSecret), nil })
	add("fail", func(_ context.Context, args string) (*mcp.CallToolResult, error) {
		return nil, fmt.Errorf("no: %s", args)
	})
	add("wait", func(ctx context.Context, args string) (*mcp.CallToolResult, error) {
		x.held.Add(1)
		defer x.held.Add(-1)
		select {
		case <-x.release:
			return text(args), nil
		case <-ctx.Done():
			x.cancelled.Add(1)
			return nil, ctx.Err()
		}
	})
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return safe }, nil)
	shifty, changes := changing(t, "shifty")
	_, notes := changing(t, "notes")
	asks := processServer(t, "asks", "asks")
	asks.Client = &endpoint.Offers{Forms: true}
	input := new(Input)
	gate, err := policy.New(policy.Config{
		Allow:   []string{"tool:*/*", "prompt:*/*", "resource:*/*"},
		Callers: []policy.CallerRules{{CallerMatch: policy.CallerMatch{Caller: "bob"}, Deny: []string{"tool:safe/private"}}},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	host := openGateway(t, &attach.Options{
		Background: true, Middleware: []runtime.Middleware{gate.Middleware()}, Input: input, Logger: slog.New(input.Handler(slog.DiscardHandler)),
		Callers: &attach.CallerSessions{Sessions: true, Servers: func(s endpoint.Server) bool { return s.Name == "own" }},
	}, nil,
		endpoint.Server{Name: "safe", Launch: &endpoint.Address{URL: serveHandler(t, handler)}, Timeout: endpoint.Timeouts{Call: time.Hour}}, changes, notes, asks,
		processServer(t, "exact", "exact"), processServer(t, "down", "crash-on-start"), processServer(t, "hung", "hang-on-call"),
		processServer(t, "loud", "log-levels"), processServer(t, "frail", "crash-when-told"), processServer(t, "own", "crash-when-told")).host
	g, err := New(host, &Options{Drain: time.Second, Input: input, View: agent.NewView(host, &agent.Options{Shows: gate.Shows})})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.Close() })
	x.url, _ = serveHTTP(t, g, &HandlerOptions{Auth: twoCallers(t), Sessions: 12})
	x.url += Path
	x.ann = x.begin(annToken)
	eventually(t, "listed", func() bool {
		list := x.list()
		for _, tool := range []string{"safe__private", "notes__t", "asks__echo", "exact__exact", "hung__echo", "loud__echo", "own__echo"} {
			if !strings.Contains(list, `"`+tool+`"`) {
				return false
			}
		}
		items := x.items()
		return strings.Contains(items, `"notes__p"`) && strings.Contains(items, `"mcpgen://notes/file:///r"`)
	})
	return x, shifty
}

// begin begins a session.
func (x *tenants) begin(token string) string {
	_, _, header := x.send(token, http.MethodPost, initialize)
	id := header.Get(sessionHeader)
	x.send(token, http.MethodPost, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, sessionHeader, id)
	return id
}

// send sends a request, and reads the answer: Bob for five seconds at most. Status 0 is no
// answer.
func (x *tenants) send(token, method, body string, header ...string) (int, string, http.Header) {
	patience := 2 * time.Minute
	if token == bobToken {
		patience = 5 * time.Second
	}
	ctx, cancel := context.WithTimeout(x.t.Context(), patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, x.url, strings.NewReader(body))
	if err != nil {
		return 0, err.Error(), nil
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Authorization", "Bearer "+token)
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err.Error(), nil
	}
	defer res.Body.Close()
	data, _ := io.ReadAll(res.Body) // of a stream that goes on, its beginning
	return res.StatusCode, string(data), res.Header
}

func callOf(id int, tool, args string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, args)
}

// list is what Ann is listed, without the servers that change and that Bob kills for all.
func (x *tenants) list() string {
	_, body, _ := x.send(annToken, http.MethodPost, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, sessionHeader, x.ann)
	_, data, _ := strings.Cut(body, "data: ")
	var answer struct {
		Result struct{ Tools []json.RawMessage }
	}
	if err := json.NewDecoder(strings.NewReader(data)).Decode(&answer); err != nil {
		return err.Error() + ": " + body
	}
	var tools []string
	for _, tool := range answer.Result.Tools {
		if !strings.Contains(string(tool), `"shifty__`) && !strings.Contains(string(tool), `"frail__`) {
			tools = append(tools, string(tool))
		}
	}
	return strings.Join(tools, "\n")
}

// items is what Ann is listed of a server besides tools.
func (x *tenants) items() string {
	_, prompts, _ := x.send(annToken, http.MethodPost, `{"jsonrpc":"2.0","id":3,"method":"prompts/list"}`, sessionHeader, x.ann)
	_, resources, _ := x.send(annToken, http.MethodPost, `{"jsonrpc":"2.0","id":4,"method":"resources/list"}`, sessionHeader, x.ann)
	_, prompts, _ = strings.Cut(prompts, "data: ")
	_, resources, _ = strings.Cut(resources, "data: ")
	return prompts + resources
}

// dial connects a client that answers questions with its name.
func (x *tenants) dial(name, token string) *mcp.ClientSession {
	return caller(x.t, &mcp.StreamableClientTransport{Endpoint: x.url, HTTPClient: &http.Client{Transport: withToken(token)}}, &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			x.hear(name, "question", r.Params.Message)
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": name}}, nil
		},
		LoggingMessageHandler: func(_ context.Context, r *mcp.LoggingMessageRequest) {
			x.hear(name, "log", fmt.Sprint(r.Params.Logger, r.Params.Data))
		},
		ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) {
			x.hear(name, "update", r.Params.URI)
		},
	})
}

// hear keeps what Bob is told with words of Ann.
func (x *tenants) hear(who, how, text string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if who == "bob" && strings.Contains(text, annSecret) {
		x.leaked = append(x.leaked, how+": "+text)
	}
}

// ask has a server ask its caller, and returns who answered.
func (x *tenants) ask(session *mcp.ClientSession, message string) string {
	res, err := session.CallTool(x.t.Context(), &mcp.CallToolParams{Name: "asks__echo", Arguments: map[string]any{"method": "elicitation/create", "params": map[string]any{
		"message": message, "requestedSchema": map[string]any{"type": "object", "properties": map[string]any{"name": map[string]any{"type": "string"}}},
	}}})
	got, _ := json.Marshal(res)
	return fmt.Sprint(string(got), err)
}

// hold begins n calls of Bob that do not end before their release.
func (x *tenants) hold(n int, group *sync.WaitGroup) {
	session := x.begin(bobToken)
	for i := range n {
		group.Go(func() {
			req, _ := http.NewRequestWithContext(x.t.Context(), http.MethodPost, x.url, strings.NewReader(callOf(1000+i, "safe__wait", `{"who":"bob"}`)))
			for name, value := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Authorization": "Bearer " + bobToken, sessionHeader: session} {
				req.Header.Set(name, value)
			}
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				x.t.Error(err)
				return
			}
			defer res.Body.Close()
			body, _ := io.ReadAll(res.Body)
			x.hear("bob", "a call that was held", string(body))
		})
	}
}

// attack does something as Bob until it is over, and keeps the answers in which Ann's words are.
func (x *tenants) attack(name string, group *sync.WaitGroup, do func(n int) (answer string)) {
	group.Go(func() {
		for n := 0; !x.over.Load(); n++ {
			answer := do(n)
			x.mu.Lock()
			x.tried[name]++
			if strings.Contains(answer, annSecret) {
				x.leaked = append(x.leaked, name+": "+answer)
			}
			x.mu.Unlock()
			time.Sleep(20 * time.Millisecond) // the processor is everybody's
		}
	})
}

// attacks begins all attacks of Bob. What it returns waits for their end.
func (x *tenants) attacks(shifty *mcp.Server) (wait func()) {
	group := new(sync.WaitGroup)
	own := x.begin(bobToken)
	client := x.dial("bob", bobToken)
	bob := func(body string, header ...string) string {
		_, answer, _ := x.send(bobToken, http.MethodPost, body, slices.Concat([]string{sessionHeader, own}, header)...)
		return answer
	}
	x.attack("stolen session", group, func(n int) string {
		method := []string{http.MethodPost, http.MethodPost, http.MethodGet, http.MethodDelete}[n%4]
		body := []string{callOf(100, "safe__private", `{}`), `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`, "", ""}[n%4]
		status, answer, _ := x.send(bobToken, method, body, sessionHeader, x.ann, "Last-Event-ID", "0_0")
		if status != 0 && status < 400 {
			x.t.Errorf("Ann's session takes Bob's %s: %d %s", method, status, answer)
		}
		return answer
	})
	x.attack("foreign calls cancelled", group, func(n int) string {
		return bob(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, n%300))
	})
	x.attack("answers to questions of others", group, func(n int) string {
		return bob(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"action":"accept","content":{"a":"bob"}}}`, n%50))
	})
	for range 4 {
		x.attack("flood", group, func(n int) string {
			return bob(callOf(n, "safe__keep", `{"who":"bob"}`)) + bob(callOf(n, "exact__exact", `{"n":1}`))
		})
	}
	x.attack("errors", group, func(n int) string {
		tool := []string{"safe__fail", "safe__private", "down__x", "nobody__x", "safe__\\u0000"}[n%5]
		return bob(callOf(n, tool, `{"who":"bob"}`)) + bob(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}`)
	})
	x.attack("many sessions", group, func(int) string { x.begin(bobToken); return "" })
	x.attack("huge bodies", group, func(int) string {
		time.Sleep(200 * time.Millisecond) // this machine's memory is not what is tested
		return bob(callOf(1, "safe__keep", `{"x":"`+strings.Repeat("y", 17<<20)+`"}`))
	})
	x.attack("slow readers", group, func(int) string { return x.slowReader(own) })
	x.attack("a list that changes", group, func(n int) string {
		name := fmt.Sprint("t", n%20)
		shifty.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}, nil)
		time.Sleep(2 * time.Millisecond)
		shifty.RemoveTools(name)
		return ""
	})
	x.attack("bytes that kill a server", group, func(int) string {
		return bob(callOf(1, "frail__echo", `{"x":"die"}`)) + bob(callOf(2, "own__echo", `{"x":"die"}`))
	})
	x.attack("questions", group, func(n int) string { return x.ask(client, fmt.Sprint("bob asks ", n)) })
	x.attack("calls without an end", group, func(n int) string {
		for id := range 20 { // none of them is waited for
			ctx, leave := context.WithTimeout(x.t.Context(), time.Millisecond)
			req, _ := http.NewRequestWithContext(ctx, http.MethodPost, x.url, strings.NewReader(callOf(3000+20*n+id, "hung__echo", `{"who":"bob"}`)))
			for name, value := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Authorization": "Bearer " + bobToken, sessionHeader: own} {
				req.Header.Set(name, value)
			}
			if res, err := http.DefaultClient.Do(req); err == nil {
				_ = res.Body.Close()
			}
			leave()
		}
		return ""
	})
	x.attack("levels of logs", group, func(n int) string {
		level := levels[n%len(levels)]
		_ = client.SetLoggingLevel(x.t.Context(), &mcp.SetLoggingLevelParams{Level: mcp.LoggingLevel(level)}) // it may be late
		return bob(callOf(4, "loud__echo", `{"who":"bob"}`))
	})
	x.attack("resources that Ann follows", group, func(int) string {
		_ = client.Subscribe(x.t.Context(), &mcp.SubscribeParams{URI: "mcpgen://notes/file:///r"}) // the limit is tested elsewhere
		_ = client.Unsubscribe(x.t.Context(), &mcp.UnsubscribeParams{URI: "mcpgen://notes/file:///r"})
		return ""
	})
	return group.Wait
}

// slowReader calls a tool with a large answer, half of which it does not read, and sends half
// of another call.
func (x *tenants) slowReader(session string) string {
	address, path, _ := strings.Cut(strings.TrimPrefix(x.url, "http://"), "/")
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return ""
	}
	defer conn.Close()
	body := callOf(1, "safe__keep", `{"x":"`+strings.Repeat("y", 1<<20)+`"}`)
	head := "POST /" + path + " HTTP/1.1\r\nHost: " + address + "\r\nAuthorization: Bearer " + bobToken + "\r\n" + sessionHeader + ": " + session +
		"\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: " + fmt.Sprint(len(body)) + "\r\n\r\n"
	_ = conn.SetDeadline(time.Now().Add(2 * time.Second))
	_, _ = io.WriteString(conn, head+body+head+body[:100]) // the deadline ends what is not taken
	half := make([]byte, 1000)
	n, _ := conn.Read(half)
	time.Sleep(200 * time.Millisecond)
	return string(half[:n])
}

// held is how many calls of Bob are in progress all the time.
const held = 64

// Whatever one caller does, another one's calls are carried out, with their own answers,
// while the first one's are held; its lists stay the same, its session its own, its
// questions are asked of it alone, and its words are not in any answer to the other.
func TestHostileTenant(t *testing.T) {
	x, shifty := openTenants(t)
	ann := x.dial("ann", annToken)
	if err := ann.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "mcpgen://notes/file:///r"}); err != nil {
		t.Fatal(err)
	}
	before, items := x.list(), x.items()
	long := make(chan string, 1)
	go func() {
		_, body, _ := x.send(annToken, http.MethodPost, callOf(99, "safe__wait", `{"a":"`+annSecret+`-long"}`), sessionHeader, x.ann)
		long <- body
	}()
	call := func(n int, tool, secret string) (answer string) {
		status, body, _ := x.send(annToken, http.MethodPost, callOf(n, tool, `{"a":"`+secret+`"}`), sessionHeader, x.ann)
		if status != http.StatusOK || !strings.Contains(body, fmt.Sprintf(`"id":%d`, n)) || strings.Contains(body, "bob") {
			t.Errorf("Ann's call %d of %s is answered %d %.500s", n, tool, status, body)
		}
		return body
	}
	work := func(rounds int) {
		for n := range rounds {
			secret := fmt.Sprintf("%s-%d-%d", annSecret, rounds, n)
			for i, tool := range []string{"safe__keep", "own__echo", "loud__echo"} {
				if body := call(100+10*n+i, tool, secret); !strings.Contains(body, secret+`\"`) {
					t.Errorf("Ann's call of %s is answered %.500s", tool, body)
				}
			}
			modern, header := modernCall("exact__exact", fmt.Sprintf(`{"n":%d}`, n))
			if status, body, _ := x.send(annToken, http.MethodPost, modern, header...); status != http.StatusOK || !strings.Contains(body, fmt.Sprintf(`"n":%d`, n)) {
				t.Errorf("Ann's call %d of another server is answered %d %.500s", n, status, body)
			}
			if answered := x.ask(ann, secret); !strings.Contains(answered, `\"name\":\"ann\"`) {
				t.Errorf("Ann's question is answered %.500s", answered)
			}
			if n%5 != 0 {
				continue
			}
			if body := call(100+10*n+5, "frail__echo", secret); !strings.Contains(body, secret+`\"`) && !strings.Contains(body, `"kind":"unavailable"`) {
				t.Errorf("Ann's call of a server that Bob kills is answered %.500s", body)
			}
			if list := x.list(); list != before {
				t.Errorf("Ann is listed\n%s\nand was\n%s", list, before)
			}
			if list := x.items(); list != items {
				t.Errorf("Ann is listed\n%s\nand was\n%s", list, items)
			}
		}
	}
	work(1)
	group := new(sync.WaitGroup)
	x.hold(held, group)
	eventually(t, "held", func() bool { return x.held.Load() == held+1 })
	wait := x.attacks(shifty)
	work(10)
	call(500, "safe__private", annSecret)
	if n := x.held.Load(); n != held+1 {
		t.Errorf("%d of %d calls were in progress when Ann's had been answered", n, held+1)
	}
	x.over.Store(true)
	wait()
	close(x.release)
	group.Wait()
	if body := <-long; !strings.Contains(body, annSecret+"-long") || x.cancelled.Load() != 0 {
		t.Errorf("Ann's long call ends with %q, and %d were cancelled", body, x.cancelled.Load())
	}
	for _, leak := range x.leaked {
		t.Errorf("Bob reads %.500s", leak)
	}
	for name, n := range x.tried {
		if n == 0 {
			t.Errorf("never tried: %s", name)
		}
	}
	t.Logf("attacks: %v", x.tried)
}
