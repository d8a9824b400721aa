package attach

// Prompts, resources and templates that change while a session lives are listed and
// judged again, as tools are.

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// library is a server of the SDK whose prompts, resources and templates change.
type library struct {
	*mcp.Server
	refuses atomic.Bool // prompts are refused with -32602
}

func (l *library) prompt(description string, args ...*mcp.PromptArgument) {
	l.AddPrompt(&mcp.Prompt{Name: "weather", Description: description, Arguments: args}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		if l.refuses.Load() {
			return nil, &jsonrpc.Error{Code: -32602, Message: "the server knows better"}
		}
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{}}, nil
	})
}

func (l *library) read(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: "demo://readme", Text: "x"}}}, nil
}

var city = &mcp.PromptArgument{Name: "city", Required: true}

// openLibrary starts a library; tells reports whether it says that its lists changed.
func openLibrary(t *testing.T, tells bool) (*library, endpoint.Server) {
	t.Helper()
	opts := &mcp.ServerOptions{}
	if !tells {
		opts.Capabilities = &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}, Prompts: &mcp.PromptCapabilities{}, Resources: &mcp.ResourceCapabilities{}}
	}
	l := &library{Server: mcp.NewServer(&mcp.Implementation{Name: "library", Version: "1"}, opts)}
	l.AddTool(&mcp.Tool{Name: "echo", InputSchema: map[string]any{"type": "object"}}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{}, nil
	})
	l.prompt("Old words.", city)
	l.AddResource(&mcp.Resource{URI: "demo://readme", Name: "readme", MIMEType: "text/plain"}, l.read)
	l.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "demo://pages/{id}", Name: "any"}, l.read)
	url := serveHTTP(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return l.Server }, nil))
	return l, endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: url, Transport: endpoint.HTTP}}
}

// The definitions of a library that was just opened.
const (
	libraryPrompt   = `{"name":"weather","description":"Old words.","arguments":[{"name":"city","required":true}]}`
	libraryResource = `{"uri":"demo://readme","name":"readme","mimeType":"text/plain"}`
	libraryTemplate = `{"uriTemplate":"demo://pages/{id}","name":"any"}`
)

func libraryManifest() *codec.Manifest {
	return codec.NewManifest("s", `{"mcpgen":1,"server":"s","tools":[],"prompts":[`+libraryPrompt+`],"resources":[`+libraryResource+`],"resourceTemplates":[`+libraryTemplate+`]}`)
}

// libraryCalls returns a call of each kind of item, made for a caller.
func libraryCalls(t *testing.T, h *Host, caller string) map[schema.Kind]func() error {
	t.Helper()
	call := func(method, name, pin string) func() error {
		return func() error {
			_, err := h.Invoke(t.Context(), runtime.Request{Server: "s", Method: method, Name: name, Pin: pin, Options: runtime.Options{Caller: caller}})
			return err
		}
	}
	return map[schema.Kind]func() error{
		schema.KindPrompt:   call(protocol.MethodGetPrompt, "weather", contractOf(t, schema.KindPrompt, libraryPrompt)),
		schema.KindResource: call(protocol.MethodReadResource, "demo://readme", contractOf(t, schema.KindResource, libraryResource)),
		schema.KindTemplate: call(protocol.MethodReadResource, "demo://pages/5", contractOf(t, schema.KindTemplate, libraryTemplate)),
	}
}

func TestItemsThatChange(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tells   bool
		refresh time.Duration
		caller  string
		judge   Judge
	}{
		"told":                 {tells: true, refresh: -1},
		"told, by a manifest":  {tells: true, refresh: -1, judge: proving([]*codec.Manifest{libraryManifest()}, nil)},
		"told, of a caller":    {tells: true, refresh: -1, caller: "ann"},
		"expired":              {refresh: 20 * time.Millisecond},
		"expired, of a caller": {refresh: 20 * time.Millisecond, caller: "ann"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, server := openLibrary(t, c.tells)
			opts := &Options{Refresh: c.refresh, Judge: c.judge}
			if c.caller != "" {
				opts.Callers, opts.Auth = &CallerSessions{}, []AuthFunc{tokenOf}
			}
			h := connectAll(t, opts, server)
			calls := libraryCalls(t, h, c.caller)
			for kind, call := range calls {
				eventually(t, "the "+string(kind), func() bool { return call() == nil })
			}
			l.prompt("Old words.", &mcp.PromptArgument{Name: "town", Required: true})
			l.AddResource(&mcp.Resource{URI: "demo://readme", Name: "readme", MIMEType: "text/markdown"}, l.read)
			l.RemoveResourceTemplates("demo://pages/{id}")
			l.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "demo://pages/{id}", Name: "any", MIMEType: "image/png"}, l.read)
			for kind, call := range calls {
				if kind != schema.KindPrompt && c.judge != nil {
					continue // proven to serve
				}
				eventually(t, "the drift of the "+string(kind), func() bool { return errors.Is(call(), runtime.ErrDrift) })
			}
		})
	}
}

// A server that refuses a prompt may have another one now: the error says so.
func TestDoubtOfAPrompt(t *testing.T) {
	t.Parallel()
	l, server := openLibrary(t, false)
	h := connectAll(t, &Options{Refresh: -1}, server)
	call := libraryCalls(t, h, "")[schema.KindPrompt]
	if err := call(); err != nil {
		t.Fatal(err)
	}
	l.prompt("Old words.", &mcp.PromptArgument{Name: "town", Required: true})
	l.refuses.Store(true)
	if err := call(); !errors.Is(err, runtime.ErrDrift) || !errors.Is(err, runtime.ErrRPC) {
		t.Errorf("got %v, want drift and the server's answer", err)
	}
}

// A reload judges prompts by the rules and the manifest of now, also in the sessions of
// callers.
func TestReloadJudgesPromptsAgain(t *testing.T) {
	t.Parallel()
	for _, caller := range []string{"", "ann"} {
		l, server := openLibrary(t, false)
		l.prompt("Old words.", city, &mcp.PromptArgument{Name: "extra", Required: true})
		strict := proving([]*codec.Manifest{libraryManifest()}, nil)
		loose := proving([]*codec.Manifest{libraryManifest()}, &drift.Options{Rules: []drift.Override{{Rule: "prompt-arg-added-required", Severity: drift.Info}}})
		var now atomic.Pointer[Judge]
		now.Store(&strict)
		opts := &Options{Refresh: -1, Judge: judgeFunc(func(server string) Pinned { return (*now.Load()).Pinned(server) })}
		if caller != "" {
			opts.Callers, opts.Auth = &CallerSessions{}, []AuthFunc{tokenOf}
		}
		h := connectAll(t, opts, server)
		call := libraryCalls(t, h, caller)[schema.KindPrompt]
		for _, step := range []struct {
			judge   Judge
			refused bool
		}{{strict, true}, {loose, false}, {strict, true}} {
			now.Store(&step.judge)
			if err := h.Reload(t.Context(), []endpoint.Server{server}); err != nil {
				t.Fatal(err)
			}
			if err := call(); errors.Is(err, runtime.ErrDrift) != step.refused {
				t.Errorf("caller %q: got %v, want a refusal: %t", caller, err, step.refused)
			}
		}
	}
}

// What the rules say of texts, and of one server, holds for prompts as for tools.
func TestRulesForPrompts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		opts *drift.Options
		args []*mcp.PromptArgument
		want string
	}{
		"texts":             {&drift.Options{}, []*mcp.PromptArgument{city}, ""},
		"every byte":        {&drift.Options{Profile: drift.Pin}, []*mcp.PromptArgument{city}, "prompt-docs-changed"},
		"texts by a rule":   {&drift.Options{Rules: []drift.Override{{Rule: "prompt-docs-changed", Severity: drift.Breaking}}}, []*mcp.PromptArgument{city}, "prompt-docs-changed"},
		"of this server":    {&drift.Options{Rules: []drift.Override{{Server: "s", Rule: "prompt-arg-added-optional", Severity: drift.Breaking}}}, []*mcp.PromptArgument{city, {Name: "more"}}, "prompt-arg-added-optional"},
		"of another server": {&drift.Options{Rules: []drift.Override{{Server: "t", Rule: "prompt-arg-added-optional", Severity: drift.Breaking}}}, []*mcp.PromptArgument{city, {Name: "more"}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			l, server := openLibrary(t, false)
			l.prompt("New words.", c.args...)
			h := connectAll(t, &Options{Refresh: -1, Judge: proving([]*codec.Manifest{libraryManifest()}, c.opts)}, server)
			checkRule(t, libraryCalls(t, h, "")[schema.KindPrompt](), c.want)
		})
	}
}
