package attach

// Callers of a program that acts for several: each has a session and a token of its own
// with a server, and nobody else's.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/oauth2"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// guarded is a server of the SDK behind bearer tokens. It remembers which token each of its
// sessions was used with.
type guarded struct {
	mu       sync.Mutex
	sessions map[string]map[string]bool // by session, the tokens
	ended    map[string]bool
	hold     chan struct{} // the tool "hold" waits for it
}

func (g *guarded) tokens() map[string]map[string]bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	all := map[string]map[string]bool{}
	for id, tokens := range g.sessions {
		all[id] = tokens
	}
	return all
}

// start runs the server; its address takes the tokens "token-of-ann", "token-of-bob" and
// so on.
func (g *guarded) start(t *testing.T, opts *mcp.StreamableHTTPOptions) string {
	s := mcp.NewServer(&mcp.Implementation{Name: "guarded", Version: "1"}, nil)
	tool := func(name string, wait bool) {
		s.AddTool(&mcp.Tool{Name: name, InputSchema: map[string]any{"type": "object"}}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if wait {
				select {
				case <-g.hold:
				case <-ctx.Done():
				}
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: r.Extra.TokenInfo.UserID}}}, nil
		})
	}
	tool("whoami", false)
	tool("hold", true)
	verify := func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		user, ok := strings.CutPrefix(token, "token-of-")
		if !ok {
			return nil, auth.ErrInvalidToken
		}
		return &auth.TokenInfo{UserID: user, Expiration: time.Now().Add(time.Hour)}, nil
	}
	inner := auth.RequireBearerToken(verify, nil)(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, opts))
	return serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if id := r.Header.Get("Mcp-Session-Id"); id != "" {
			g.mu.Lock()
			if g.sessions == nil {
				g.sessions, g.ended = map[string]map[string]bool{}, map[string]bool{}
			}
			if g.sessions[id] == nil {
				g.sessions[id] = map[string]bool{}
			}
			g.sessions[id][r.Header.Get("Authorization")] = true
			g.ended[id] = g.ended[id] || r.Method == http.MethodDelete
			g.mu.Unlock()
		}
		inner.ServeHTTP(w, r)
	}))
}

// tokenOf gives every caller but "eve" a token.
func tokenOf(_ context.Context, target AuthTarget) (Credentials, error) {
	if target.Caller == "" || target.Caller == "eve" {
		return nil, nil
	}
	source := oauth2.StaticTokenSource(&oauth2.Token{AccessToken: "token-of-" + target.Caller})
	return tokensOf(map[string]oauth2.TokenSource{target.Server: source})[0](context.Background(), AuthTarget{Server: target.Server, URL: target.URL, Auth: target.Auth, Mask: target.Mask})
}

func ofCaller(caller, tool string) runtime.Request {
	return runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: tool, Options: runtime.Options{Caller: caller}}
}

func TestCallersHaveSessionsOfTheirOwn(t *testing.T) {
	for name, opts := range map[string]*mcp.StreamableHTTPOptions{"sessions": nil, "stateless": {Stateless: true}} {
		t.Run(name, func(t *testing.T) {
			g := &guarded{}
			server := endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: g.start(t, opts), Headers: []endpoint.Var{{Name: "Authorization", Value: "Bearer token-of-the-program"}}}}
			h := connectAll(t, &Options{Auth: []AuthFunc{tokenOf}, Callers: &CallerSessions{}}, server)
			var calls sync.WaitGroup
			for _, caller := range []string{"ann", "bob", "", "ann", "bob", "carl"} {
				for range 5 {
					calls.Go(func() {
						want := caller
						if caller == "" {
							want = "the-program"
						}
						if res, err := h.Invoke(t.Context(), ofCaller(caller, "whoami")); err != nil || res.Text() != want {
							t.Errorf("caller %q: %v, %v", caller, res, err)
						}
					})
				}
			}
			calls.Wait()
			_, err := h.Invoke(t.Context(), ofCaller("eve", "whoami"))
			if !errors.Is(err, runtime.ErrAuth) {
				t.Errorf("a caller without a token: %v", err)
			}
			if got := len(h.Status()); got != 1 {
				t.Errorf("%d servers in the status", got)
			}
			for id, tokens := range g.tokens() {
				if len(tokens) != 1 {
					t.Errorf("session %s was used with %v", id, tokens)
				}
			}
			if name == "sessions" && len(g.tokens()) != 4 {
				t.Errorf("sessions: %v", g.tokens())
			}
		})
	}
}

// Sessions of callers are bounded: one that is idle gives way, one that works does not.
func TestCallersAreBounded(t *testing.T) {
	g := &guarded{hold: make(chan struct{})}
	h := connectAll(t, &Options{Auth: []AuthFunc{tokenOf}, Callers: &CallerSessions{Max: 1}}, endpoint.Server{
		Name: "s", Launch: &endpoint.Address{URL: g.start(t, nil), Headers: []endpoint.Var{{Name: "Authorization", Value: "Bearer token-of-x"}}}})
	for _, caller := range []string{"ann", "bob", "ann"} {
		if res, err := h.Invoke(t.Context(), ofCaller(caller, "whoami")); err != nil || res.Text() != caller {
			t.Fatalf("%v, %v", res, err)
		}
	}
	var held sync.WaitGroup
	held.Go(func() {
		if res, err := h.Invoke(t.Context(), ofCaller("ann", "hold")); err != nil || res.Text() != "ann" {
			t.Errorf("%v, %v", res, err)
		}
	})
	eventually(t, "the sessions of callers", func() bool { return callsOf(h, "ann") == 1 })
	if _, err := h.Invoke(t.Context(), ofCaller("bob", "whoami")); !errors.Is(err, runtime.ErrUnavailable) || !strings.Contains(err.Error(), "Max of attach.CallerSessions") {
		t.Errorf("no room: %v", err)
	}
	close(g.hold)
	held.Wait()
}

func TestIdleCallersEnd(t *testing.T) {
	g := &guarded{}
	h := connectAll(t, &Options{Auth: []AuthFunc{tokenOf}, Callers: &CallerSessions{Idle: time.Millisecond}}, endpoint.Server{
		Name: "s", Launch: &endpoint.Address{URL: g.start(t, nil), Headers: []endpoint.Var{{Name: "Authorization", Value: "Bearer token-of-x"}}}})
	for range 3 {
		if _, err := h.Invoke(t.Context(), ofCaller("ann", "whoami")); err != nil {
			t.Fatal(err)
		}
		eventually(t, "the sessions of callers", func() bool { return callsOf(h, "ann") < 0 })
	}
	eventually(t, "the sessions of callers", func() bool {
		g.mu.Lock()
		defer g.mu.Unlock()
		ended := 0
		for _, over := range g.ended {
			if over {
				ended++
			}
		}
		return ended == 3
	})
}

// A process of a caller ends with its server.
func TestCallersOfACommand(t *testing.T) {
	h := connectAll(t, &Options{Callers: &CallerSessions{}}, processServer(t, "echo"))
	for _, caller := range []string{"", "ann", "bob"} {
		req := ofCaller(caller, "echo")
		req.Args = json.RawMessage(fmt.Sprintf(`{"caller":%q}`, caller))
		if _, err := h.Invoke(t.Context(), req); err != nil {
			t.Fatalf("%q: %v", caller, err)
		}
	}
	if err := h.Detach("s"); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Invoke(t.Context(), ofCaller("ann", "echo")); !errors.Is(err, runtime.ErrNotAttached) {
		t.Errorf("detached: %v", err)
	}
}

// Whoever answers what a server asks knows for whom.
func TestInputKnowsTheCaller(t *testing.T) {
	for name, s := range askingServers(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := answering(Handlers{Elicit: func(ctx context.Context, _ string, _ ElicitRequest) (ElicitResult, error) {
				return ElicitResult{Action: ElicitAccept, Content: map[string]any{"name": CallerOf(ctx)}}, nil
			}})
			anyone := func(context.Context, AuthTarget) (Credentials, error) { return nobodys{}, nil }
			h := connectAll(t, &Options{Input: in, Auth: []AuthFunc{anyone}, Callers: &CallerSessions{}}, s)
			for _, caller := range []string{"ann", "bob"} {
				req := ofCaller(caller, "echo")
				req.Args = json.RawMessage(`{"method":"elicitation/create","params":` + form + `}`)
				res, err := h.Invoke(t.Context(), req)
				if err != nil || !strings.Contains(string(res.Structured), `"name":"`+caller+`"`) {
					t.Errorf("%q: %+v, %v", caller, res, err)
				}
			}
		})
	}
}

// nobodys are credentials of a server that wants none.
type nobodys struct{}

func (nobodys) Header(context.Context) (string, error) { return "", nil }
func (nobodys) Challenged(context.Context, string, *http.Request, *http.Response) error {
	return errors.New("not accepted")
}
func (nobodys) Refused(string)    {}
func (nobodys) Secrets() []string { return nil }

// callsOf returns how many calls a caller has under way with the server s; negative: it has no
// session.
func callsOf(h *Host, caller string) int {
	all := h.serverState("s").callers
	all.mu.Lock()
	defer all.mu.Unlock()
	if k := all.by[asker{caller: caller}]; k != nil {
		return k.calls
	}
	return -1
}

// What a caller's own session refuses is withheld from this caller alone.
func TestWithholds(t *testing.T) {
	m := pinnedManifest(t, "s", mutateTool, echoTool)
	h := connectAll(t, &Options{Judge: proving([]*codec.Manifest{m}, nil), Callers: &CallerSessions{}, Refresh: -1}, processServer(t, "mutable"))
	echo, mutate := ofCaller("ann", "echo"), ofCaller("ann", "mutate")
	echo.Args = json.RawMessage(`{"text":"x"}`)
	mutate.Args = json.RawMessage(`{"remove":["echo"],"add":[{"name":"echo","inputSchema":{"type":"object","required":["other"],"properties":{"other":{"type":"integer"}}}}],"notify":1}`)
	if h.Withholds(echo) {
		t.Error("withheld before there is a session")
	}
	if _, err := h.Invoke(t.Context(), echo); err != nil || h.Withholds(echo) {
		t.Errorf("withheld %t, %v", h.Withholds(echo), err)
	}
	if _, err := h.Invoke(t.Context(), mutate); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the new listing", func() bool { return h.Withholds(echo) })
	echo.Options.Caller = "bob"
	if _, err := h.Invoke(t.Context(), echo); err != nil || h.Withholds(echo) || h.Withholds(mutate) {
		t.Errorf("withheld from another caller: %t, or another tool: %t, %v", h.Withholds(echo), h.Withholds(mutate), err)
	}
}
