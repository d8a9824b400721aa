package attach

// What is declared to servers by their configuration, which revision is spoken, and what
// becomes of tools that are for clients that declare more.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// everything is all that can be declared.
var everything = endpoint.Offers{Forms: true, Pages: true, Sampling: true, Roots: true}

func TestRevisions(t *testing.T) {
	if got, want := endpoint.Revisions(), mcp.SupportedProtocolVersions(); !slices.Equal(got, want) {
		t.Errorf("endpoint has the revisions %v, the SDK %v", got, want)
	}
}

// What is configured is declared, whatever the program answers.
func TestClientDeclares(t *testing.T) {
	quiet := slog.New(slog.DiscardHandler)
	accepting := answering(Handlers{ElicitURLs: true, Elicit: func(context.Context, string, ElicitRequest) (ElicitResult, error) {
		return ElicitResult{Action: ElicitAccept}, nil
	}})
	for name, c := range map[string]struct {
		client     *endpoint.Offers
		input      Input
		tools      string
		unanswered string
		elicited   string
	}{
		"nothing said, no handler":     {nil, nil, "echo", "", "decline"},
		"nothing said, a handler":      {nil, accepting, "echo form page", "", "accept"},
		"declared, no handler":         {&everything, nil, "echo folders form model page", "elicitation sampling roots", "decline"},
		"declared, a handler for some": {&everything, accepting, "echo folders form model page", "sampling roots", "accept"},
		"forms alone, a handler":       {&endpoint.Offers{Forms: true}, accepting, "echo form", "", "accept"},
		"not declared, a handler":      {&endpoint.Offers{}, accepting, "echo", "", "decline"},
		"pages beyond what is answered": {&endpoint.Offers{Forms: true, Pages: true}, answering(Handlers{Elicit: func(context.Context, string, ElicitRequest) (ElicitResult, error) {
			return ElicitResult{Action: ElicitAccept}, nil
		}}), "echo form page", "elicitation.url", "accept"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, mode := range []string{"for-clients", "for-clients-modern"} {
				s := processServer(t, mode)
				s.Client = c.client
				h := connectAll(t, &Options{Logger: quiet, Input: c.input}, s)
				if got := strings.Join(slices.Sorted(maps.Keys(h.serverState("s").listed.items)), " "); got != c.tools {
					t.Errorf("%s: the server offers %s, want %s", mode, got, c.tools)
				}
				st := h.Status()[0]
				if got := strings.Join(st.Unanswered, " "); st.State != Ready || st.Err != nil || got != c.unanswered {
					t.Errorf("%s: %s, %v, without a handler: %q", mode, st.State, st.Err, got)
				}
				if c.unanswered == "" && h.Err() != nil {
					t.Errorf("%s: %v", mode, h.Err())
				} else if c.unanswered != "" {
					checkError(t, h.Err(), `server "s"`, "the key client declares "+strings.ReplaceAll(c.unanswered, " ", ", "), "declines", "attach.Options.Input")
				}
				got, err := haveServerAsk(t.Context(), h, elicitation, form)
				if err != nil || !strings.Contains(got, `"action":"`+c.elicited+`"`) {
					t.Errorf("%s: elicitation: %s, %v, want %s", mode, got, err, c.elicited)
				}
				snap, _, err := h.Snapshot(t.Context(), "s", nil)
				if err != nil || endpoint.OffersOf(snap.ClientCapabilities) != st.Declares || (snap.ClientCapabilities == nil) != (st.Declares == endpoint.Offers{}) {
					t.Errorf("%s: the snapshot has %s, want %s: %v", mode, snap.ClientCapabilities, st.Declares.Capabilities(), err)
				}
			}
		})
	}
}

// What is declared and has no handler is declined in the protocol's own way.
func TestDeclaredIsDeclined(t *testing.T) {
	s := processServer(t, "for-clients")
	s.Client = &everything
	h := connectAll(t, &Options{Logger: slog.New(slog.DiscardHandler)}, s)
	if got, err := haveServerAsk(t.Context(), h, sampling, `{"messages":[],"maxTokens":1}`); err != nil || !strings.Contains(got, `"code":-1,`) {
		t.Errorf("sampling: %s, %v, want the code of a client that says no", got, err)
	}
	if got, err := haveServerAsk(t.Context(), h, listRoots, `{}`); err != nil || got != `{"roots":[]}` {
		t.Errorf("roots: %s, %v", got, err)
	}
	modern := processServer(t, "for-clients-modern")
	modern.Client = &everything
	h = connectAll(t, &Options{Logger: slog.New(slog.DiscardHandler)}, modern)
	if got, err := haveServerAsk(t.Context(), h, listRoots, `{}`); err != nil || got != `{"roots":[]}` {
		t.Errorf("modern roots: %s, %v", got, err)
	}
	var needs *InputError
	if _, err := haveServerAsk(t.Context(), h, sampling, `{"messages":[],"maxTokens":1}`); !errors.As(err, &needs) {
		t.Errorf("modern sampling: %v, want an input error", err)
	}
}

// capturedManifest is a manifest of tools that were listed for a client that declared all.
func capturedManifest(t *testing.T, tools ...string) *codec.Manifest {
	t.Helper()
	m := pinnedManifest(t, "s", tools...)
	text := strings.Replace(m.Snapshot(), "{", `{"clientCapabilities":`+string(everything.Capabilities())+",", 1)
	return codec.NewManifest("s", text, m.Refs()...)
}

func TestUnoffered(t *testing.T) {
	const formTool = `{"name":"form","description":"For clients.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}}}`
	m := capturedManifest(t, echoTool, formTool)
	for name, c := range map[string]struct {
		client *endpoint.Offers
		mode   DriftMode
		state  ToolState
	}{
		"declares what was declared": {&everything, DriftCompatible, Verified},
		"declares less":              {&endpoint.Offers{Sampling: true}, DriftCompatible, Unoffered},
		"declares nothing":           {nil, DriftClosed, Unoffered},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := processServer(t, "for-clients")
			s.Client = c.client
			h := connectAll(t, &Options{Logger: slog.New(slog.DiscardHandler), Judge: proving([]*codec.Manifest{m}, nil), Drift: c.mode}, s)
			all := states(h)
			if all["form"].State != c.state || all["echo"].State != Verified {
				t.Fatalf("form is %s, echo %s", all["form"], all["echo"])
			}
			st := h.Status()[0]
			if len(st.Problems) > 0 || st.Drift[c.state] == 0 || st.Drift[Missing] > 0 {
				t.Errorf("problems %v, states %v", st.Problems, st.Drift)
			}
			err := callPinned(t, h, m, "form")
			if c.state == Verified {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if !errors.Is(err, runtime.ErrUnknownTool) || errors.Is(err, runtime.ErrDrift) {
				t.Errorf("called: %v, want no drift", err)
			}
			checkError(t, err, "to a client that declares elicitation")
			listTools(t, h)
			if got := states(h)["form"].State; got != Unoffered {
				t.Errorf("listed afresh it is %s", got)
			}
		})
	}
}

// A tool that is gone for clients that declare what was declared is drift.
func TestGoneIsNoUnoffered(t *testing.T) {
	m := capturedManifest(t, echoTool, listTool)
	s := processServer(t, "for-clients")
	s.Client = &everything
	h := connectAll(t, &Options{Logger: slog.New(slog.DiscardHandler), Judge: proving([]*codec.Manifest{m}, nil)}, s)
	if got := states(h)["list_prs"]; got.State != Missing {
		t.Errorf("it is %s", got)
	}
	if err := callPinned(t, h, m, "list_prs"); !errors.Is(err, runtime.ErrDrift) {
		t.Errorf("called: %v, want drift", err)
	}
}

// elicitingServer is a server of the SDK whose tool elicits in the course of a call, which
// the newest revision has no way for. It has another one for clients that can be asked.
func elicitingServer() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "eliciting", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "greet"}, greet)
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if p, ok := req.GetParams().(*mcp.InitializeParams); ok && p.Capabilities.Elicitation != nil {
				mcp.AddTool(server, &mcp.Tool{Name: "ask"}, greet)
			}
			return next(ctx, method, req)
		}
	})
	return server
}

// elicitingProcess describes this server as a process.
func elicitingProcess(t *testing.T) endpoint.Server {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return endpoint.Server{Name: "s", Launch: &endpoint.Process{Command: exe, Env: []endpoint.Var{{Name: asEliciting, Value: "1"}}}}
}

func greet(ctx context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
	res, err := req.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Who?", RequestedSchema: map[string]any{
		"type": "object", "properties": map[string]any{"name": map[string]any{"type": "string"}}}})
	if err != nil {
		return nil, nil, err
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprint("hello ", res.Content["name"])}}}, nil, nil
}

func TestProtocolPinned(t *testing.T) {
	input := answering(Handlers{Elicit: func(context.Context, string, ElicitRequest) (ElicitResult, error) {
		return ElicitResult{Action: ElicitAccept, Content: map[string]any{"name": "Ada"}}, nil
	}})
	for protocol, want := range map[string]string{legacy: "hello Ada", "2025-06-18": "hello Ada", modern: "", "": ""} {
		s := elicitingProcess(t)
		s.Protocol = protocol
		h := connectAll(t, &Options{Input: input, Logger: slog.New(slog.DiscardHandler)}, s)
		st := h.Status()[0]
		if st.State != Ready || st.Protocol != cmp.Or(protocol, modern) {
			t.Errorf("%q: it is %s with %s: %v", protocol, st.State, st.Protocol, st.Err)
			continue
		}
		res, err := callTool(t.Context(), h, "greet", `{}`)
		if got := ""; want != "" {
			if err == nil {
				got = res.Text()
			}
			if got != want {
				t.Errorf("%s: %q, %v", protocol, got, err)
			}
		} else if err == nil && !res.IsError {
			t.Errorf("%s: the server elicits in the middle of a call: this test shows nothing", protocol)
		}
	}
}

// A server of the SDK that adds a tool for clients that can be asked: it depends on what is
// declared alone.
func TestClientOfSDK(t *testing.T) {
	for _, client := range []*endpoint.Offers{nil, {}, {Forms: true}} {
		s := elicitingProcess(t)
		s.Protocol, s.Client = legacy, client
		h := connectAll(t, &Options{Logger: slog.New(slog.DiscardHandler)}, s)
		snap, _, err := h.Snapshot(t.Context(), "s", nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(snap.Tools) == 2; got != (client != nil && client.Forms) {
			t.Errorf("client %v: %d tools", client, len(snap.Tools))
		}
	}
}

// A server that does not speak the configured revision is not used.
func TestProtocolNotSpoken(t *testing.T) {
	for name, s := range map[string]endpoint.Server{
		"stdio, an old server": processServer(t, "for-clients"), "stdio, a new server": processServer(t, "for-clients-modern"),
		"http, an old server": httpServer(t, "for-clients"), "http, a new server": httpServer(t, "for-clients-modern"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			speaks, other := legacy, modern
			if strings.Contains(name, "new") {
				speaks, other = modern, legacy
			}
			s.Protocol = other
			h := connectAll(t, &Options{Logger: slog.New(slog.DiscardHandler)}, s)
			checkError(t, h.Err(), `server "s"`, "handshake")
			if st := h.Status()[0]; st.State != Failed {
				t.Errorf("it is %s", st.State)
			}
			s.Protocol = speaks
			h = connectAll(t, &Options{Logger: slog.New(slog.DiscardHandler)}, s)
			if st := h.Status()[0]; st.State != Ready || st.Protocol != speaks {
				t.Errorf("it is %s with %s: %v", st.State, st.Protocol, st.Err)
			}
		})
	}
	s := processServer(t, "echo")
	s.Protocol = "2025-11-26"
	_, err := Connect(t.Context(), []endpoint.Server{s}, nil)
	checkError(t, err, `unknown protocol "2025-11-26"`, "2026-07-28, 2025-11-25, 2025-06-18")
}
