// Package gateway offers a host as one MCP server: the tools, prompts and resources
// of all its servers, under the names of one naming scheme. They are pinned, gated
// and audited like every other call of the host.
//
//	gw, err := gateway.New(host.Host, &gateway.Options{View: host.View})
//	defer gw.Close()
//	handler, err := gw.Handler(nil) // streamable HTTP
//	gw.Serve(ctx, &mcp.StdioTransport{}) // standard input and output
//	mcptoolset.New(mcptoolset.Config{Transport: gw.Transport()}) // a client in this process
//
// The gateway uses the server of the MCP SDK for sessions, revisions and transports.
// It answers listings and calls itself, from raw bytes: schemas are sent as they were
// locked, arguments and results are never decoded, and numbers keep their digits. A
// definition that the SDK would refuse is left out alone.
//
// The host's middleware decides in each call what a caller may do. Listings leave out
// what their caller is not shown ([agent.Options.Shows]); a denied call of it is answered
// as one of an unknown name, and the log has the reason. No listing waits for a
// locked server: if some of its items turn out to be missing, a notification removes
// them. A server that is down removes only its own tools. Tokens of callers are not
// forwarded: servers are called with the host's own.
//
// A call that its server runs as a task is a task for callers that take tasks: those of
// 2025-11-25 at servers of that revision, later ones at all, except if they answer
// questions that an older server asks in an open request. Any gateway with the same
// [Options.Keys] goes on with it, for the same caller, if the server keeps it. There is
// no tasks/list, since servers list the tasks of all callers together. For other callers
// the gateway waits until the task has ended.
package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/agent"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/view"
)

// modern is the first revision of the protocol without sessions.
const modern = "2026-07-28"

// DefaultDrain is the default of [Options.Drain].
const DefaultDrain = 10 * time.Second

// Options are the settings of a [Gateway]. Nil and the zero value are usable.
type Options struct {
	// View selects and names the tools. Hosts of package live are their own views.
	// Nil is a view of the host with the default names.
	View *agent.View
	// Input passes requests of servers to the callers whose calls they belong to. The
	// host must have the same Input. If nil, the host's own Input answers.
	Input *Input
	// Keys seal the state that callers keep for the gateway between two rounds of one
	// call, and the IDs of tasks. Give all gateways behind one load balancer the same
	// Keys: then the process keeps no state of calls in progress. Nil is a key of this
	// process alone, for a single gateway: its callers lose their tasks when it ends.
	Keys *Keys
	// Name and Version identify the gateway to clients. "" is mcpgen, and dev.
	Name, Version string
	// Search lists three tools instead of all: find_tools, describe_tool and call_tool,
	// over the tools that the caller is shown. For the policy and the audit log, a call of
	// call_tool is a call of the tool that it names. See package native.
	Search bool
	// For is the provider of the callers' models: tools have the form that its API takes, and
	// calls by it have the server's names again. See [view.Fit]. "" changes nothing.
	For string
	// HasProfile reports whether a profile is offered: see [Gateway.ListenAndServe]. The
	// method of a host of package live fits. Nil offers none.
	HasProfile func(name string) bool
	// AllowsProfile reports whether a caller may use a profile. Others get the status 403, and
	// the log has the reason. The method of a host of package live fits. Nil allows it to
	// everyone.
	AllowsProfile func(name, caller string, claims []string) bool
	// Metrics are served by [Gateway.ServeMetrics]. Nil: there it has the state alone.
	Metrics *Metrics
	// Drain is how long calls in progress may take to end when serving ends. Zero is
	// DefaultDrain, and a negative duration is none.
	Drain time.Duration
	// ShutdownDelay is how long [Gateway.ListenAndServe] still takes connections and calls
	// after its context has ended, while [Gateway.Healthz] answers draining, so that a balancer
	// sends new calls elsewhere. Zero means no delay.
	ShutdownDelay time.Duration
	// Logger gets errors outside of calls. Nil discards them.
	Logger *slog.Logger
}

// Gateway is a host as an MCP server. Its methods are safe for concurrent use. Close
// it before the host.
type Gateway struct {
	common
	opts    Options
	keys    *Keys
	shared  bool            // keys are shared with other gateways
	unsent  *jsonrpc.Error  // see unsentAnswer
	written json.RawMessage // identity as JSON

	abort context.CancelFunc // ends life
	stop  func()             // stops watching the host, and waiting for requests

	tools         *toolbox
	items         *catalog
	changes       *changes
	search        search
	peers         *peers
	subscriptions subscriptions
	plain         plainCalls
	handovers     handovers
	failures      failures
	parked        parking
	busy          busy
	leaving       atomic.Bool // it is about to end, and still takes calls
	draining      atomic.Bool
	closing       sync.Once
}

// common is what the parts of a gateway share.
type common struct {
	host   *attach.Host
	view   *agent.View
	uris   *uris
	server *mcp.Server     // notifies callers
	life   context.Context // of calls; ends when draining takes too long
	going  sync.WaitGroup  // goroutines that Close waits for
	log    *slog.Logger
}

// New returns a gateway to what a host offers at any time. The error is for a closed
// host, and for a view that cannot name its tools.
func New(host *attach.Host, opts *Options) (*Gateway, error) {
	g := &Gateway{common: common{host: host, uris: &uris{host: host}}, unsent: unsentAnswer()}
	if opts != nil {
		g.opts = *opts
	}
	if g.view = g.opts.View; g.view == nil {
		g.view = agent.NewView(host, nil)
	}
	g.opts.Name, g.opts.Version = cmp.Or(g.opts.Name, "mcpgen"), cmp.Or(g.opts.Version, "dev")
	g.opts.Drain = cmp.Or(g.opts.Drain, DefaultDrain)
	if g.log = g.opts.Logger; g.log == nil {
		g.log = slog.New(slog.DiscardHandler)
	}
	if g.opts.For != "" && !slices.Contains(view.Providers(), g.opts.For) {
		return nil, hint.With(fmt.Errorf("gateway: the provider %q is not known", g.opts.For), "use "+strings.Join(view.Providers(), ", "))
	}
	if g.opts.Metrics != nil {
		g.opts.Metrics.gateway.Store(g)
	}
	if g.keys, g.shared = g.opts.Keys, g.opts.Keys != nil; g.keys == nil {
		g.keys = ownKeys()
	}
	for _, st := range host.Status() { // names that cannot be assigned later are an error now
		if _, _, err := naming.Assign(g.view.Scheme(), []naming.Pair{{Server: st.Server, Tool: "tool"}}, nil); err != nil {
			return nil, fmt.Errorf("gateway: %w", err)
		}
	}
	g.furnish()
	if err := g.begin(); err != nil {
		return nil, fmt.Errorf("gateway: %w", err)
	}
	return g, nil
}

// furnish makes the parts of the gateway.
func (g *Gateway) furnish() {
	g.life, g.abort = context.WithCancel(context.Background())
	g.peers = &peers{common: &g.common, ended: g.forget}
	g.server = g.newServer()
	g.written, _ = jsontext.Marshal(g.identity()) // texts can be written
	g.tools = &toolbox{common: &g.common, model: g.opts.For}
	g.items = &catalog{common: &g.common, listTime: listTime}
	g.changes = &changes{common: &g.common, tools: g.tools, items: g.items, began: time.Now(), listTime: listTime}
	g.subscriptions.g, g.plain.tools, g.failures.log = g, g.tools, g.log
}

// begin lists the tools, and follows their changes.
func (g *Gateway) begin() (err error) {
	if g.opts.Search {
		if g.search, err = newSearch(g.tools); err != nil {
			return err
		}
	}
	if g.stop, err = g.host.Watch(g.changes.update); err != nil { // before the first listing
		return err
	}
	list, err := g.tools.read()
	if err != nil {
		g.stop()
		return err
	}
	if status := g.host.Status(); g.view.Scheme() == naming.Bare && len(status) == 1 {
		g.uris.bare = status[0].Server
	}
	g.items.forget(presentAt(g.host))
	if g.tools.list.CompareAndSwap(nil, list) {
		g.tools.checkHeaders(nil, list)
	}
	g.changes.follow(g.life)
	unwatch, unserve := g.stop, g.opts.Input.serve()
	g.stop = func() { unwatch(); unserve() }
	return nil
}

// forget forgets a session that has ended.
func (g *Gateway) forget(p *peer) {
	g.peers.askLogs(g.life)
	g.opts.Input.forget(p.id, p.session)
	g.host.EndSession(p.id)
}

// newServer returns the SDK's server, which never sees a tool.
func (g *Gateway) newServer() *mcp.Server {
	s := mcp.NewServer(g.identity(), &mcp.ServerOptions{
		Capabilities: &mcp.ServerCapabilities{
			Tools:       &mcp.ToolCapabilities{ListChanged: true},
			Prompts:     &mcp.PromptCapabilities{ListChanged: true},
			Resources:   &mcp.ResourceCapabilities{ListChanged: true, Subscribe: true},
			Completions: &mcp.CompletionCapabilities{},
			//lint:ignore SA1019 callers of all revisions before 2026-07-28 are notified this way
			Logging: &mcp.LoggingCapabilities{},
		},
		SubscribeHandler:   g.subscriptions.begin,
		UnsubscribeHandler: g.subscriptions.end,
		// The content depends on the caller: no cache may keep it.
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.CacheScope = private },
	})
	addTaskMethods(s)
	s.AddReceivingMiddleware(keepMessage, g.receive)
	s.AddSendingMiddleware(sendRaw, sendUpdated, g.peers.sendBegun)
	return s
}

// identity names the gateway to clients.
func (g *Gateway) identity() *mcp.Implementation {
	return &mcp.Implementation{Name: g.opts.Name, Version: g.opts.Version}
}

// private is the cache scope of answers for one caller alone.
const private = "private"

// Serve serves one caller over a transport, such as [mcp.StdioTransport], until the
// caller ends the session or ctx ends. The end of ctx closes the gateway: see
// [Gateway.Close]. The caller counts as the program's own: its errors quote what
// servers printed. The error is the session's; nil after ctx has ended.
func (g *Gateway) Serve(ctx context.Context, t mcp.Transport) error {
	session, err := g.server.Connect(context.WithoutCancel(ctx), counted{t, &g.busy, g.opts.Drain}, nil)
	if err != nil {
		return fmt.Errorf("gateway: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- session.Wait() }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		err := g.Close()
		<-ended
		return err
	}
}

// ServeIO is [Gateway.Serve] over messages that are lines, as on standard input and
// output. Lines that are not messages are skipped, and the first few are logged; one
// that looks like a message is answered with -32700 or -32600. After the end of in,
// calls in progress are still answered.
func (g *Gateway) ServeIO(ctx context.Context, in io.Reader, out io.Writer) error {
	w := &oneWriter{w: out}
	return g.Serve(ctx, &mcp.IOTransport{Reader: io.NopCloser(newLines(in, w, g.log)), Writer: w})
}

// Transport returns the transport of a client in this process: each Connect is a new
// session, so a client may connect again after it has lost one.
func (g *Gateway) Transport() mcp.Transport { return inMemory{g} }

type inMemory struct{ g *Gateway }

// Connect implements [mcp.Transport].
func (t inMemory) Connect(ctx context.Context) (mcp.Connection, error) {
	if t.g.draining.Load() {
		return nil, errClosed
	}
	client, server := mcp.NewInMemoryTransports()
	if _, err := t.g.server.Connect(context.WithoutCancel(ctx), counted{server, &t.g.busy, t.g.opts.Drain}, nil); err != nil {
		return nil, fmt.Errorf("gateway: %w", err)
	}
	return client.Connect(ctx)
}

// receive answers requests about the host, and leaves sessions to the SDK.
func (g *Gateway) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (result mcp.Result, err error) {
		defer func() { // one message must not end the gateway for all callers
			if why := recover(); why != nil {
				g.log.Error("gateway: a request could not be answered", "method", printable(method), "reason", why, "stack", string(debug.Stack()))
				result, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the request could not be answered"}
			}
			if method != "initialize" && context.Cause(ctx) == context.Canceled { // by the caller; not the end of its session
				result, err = nil, g.unsent
			}
		}()
		extra := req.GetExtra()
		if extra != nil && extra.Header[handoverKey] != nil {
			if h, ok := g.handovers.open.Load(extra.Header[handoverKey][0]); ok {
				return h.(*handover).join(ctx)
			}
			return nil, g.unsent // its call has ended with the session
		}
		if !strings.HasPrefix(method, "notifications/") {
			switch {
			case g.draining.Load():
				return nil, errEnding
			case extra == nil:
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the caller of the request is not known"}
			}
		}
		ctx = onBehalf(context.WithValue(ctx, extraKey{}, extra), extra)
		if m := g.opts.Metrics; m != nil && isMeasured(method) {
			answered := m.received(g.tools, method, req)
			defer func() { answered(result, err) }()
		}
		switch req := req.(type) {
		case *mcp.ListToolsRequest:
			return g.toolsPage(ctx, req)
		case *mcp.CallToolRequest:
			return g.callTool(ctx, req)
		case *mcp.ListPromptsRequest:
			return g.itemsPage(ctx, schema.KindPrompt, cmp.Or(req.Params, &mcp.ListPromptsParams{}).Cursor, req.ProtocolVersion())
		case *mcp.GetPromptRequest:
			return g.getPrompt(ctx, req)
		case *mcp.ListResourcesRequest:
			return g.itemsPage(ctx, schema.KindResource, cmp.Or(req.Params, &mcp.ListResourcesParams{}).Cursor, req.ProtocolVersion())
		case *mcp.ListResourceTemplatesRequest:
			return g.itemsPage(ctx, schema.KindTemplate, cmp.Or(req.Params, &mcp.ListResourceTemplatesParams{}).Cursor, req.ProtocolVersion())
		case *mcp.ReadResourceRequest:
			return g.readResource(ctx, req)
		case *mcp.CompleteRequest:
			return g.complete(ctx, req)
		case *mcp.ServerRequest[*taskParams]:
			return g.aboutTask(ctx, method, req)
		case *mcp.RootsListChangedRequest:
			if p, known := g.peers.known.Load(req.Session); known {
				g.host.RootsChanged(ctx, p.(*peer).id)
			}
		case *mcp.InitializedRequest:
			p := g.peers.of(req.Session)
			if level, _ := p.wants(); level == "" { // the SDK sends no logs without a level
				//lint:ignore SA1019 callers of all revisions before 2026-07-28 have a level
				all := &mcp.ServerRequest[*mcp.SetLoggingLevelParams]{Session: req.Session, Params: &mcp.SetLoggingLevelParams{Level: mcp.LoggingLevel(levels[0])}}
				_, _ = next(ctx, "logging/setLevel", all) // it only stores the level
			}
			p.begin()
			g.peers.askLogs(ctx)
		//lint:ignore SA1019 callers of all revisions before 2026-07-28 ask this way
		case *mcp.ServerRequest[*mcp.SetLoggingLevelParams]:
			level := string(req.Params.Level)
			if !slices.Contains(levels, level) {
				return nil, invalid("unknown level " + printable(level) + ": want " + strings.Join(levels, ", "))
			}
			g.peers.of(req.Session).want(level)
			g.peers.askLogs(ctx)
		}
		res, err := next(ctx, method, req)
		if err != nil {
			return nil, err // the other value is a typed nil
		}
		switch res := res.(type) {
		case *mcp.InitializeResult:
			res.Instructions = g.instructions(callerOf(ctx))
			return withTaskCapability(res)
		case *mcp.DiscoverResult:
			res.Instructions = g.instructions(callerOf(ctx))
			if g.opts.Input != nil {
				res.Capabilities.AddExtension(tasks, nil)
			}
		}
		return res, nil
	}
}

// instructions returns what servers say about their use, each under its name and
// quoted, as in the prompt of an agent; tools are listed separately. Servers whose
// tools are all hidden from the caller are left out.
func (g *Gateway) instructions(c requester) string {
	var parts []string
	for _, s := range g.view.Prompt().Servers {
		specs := g.view.Specs(s.Name)
		if len(specs) == 0 && c.profile != "" {
			continue // it may be outside of the profile
		}
		if len(specs) > 0 && !slices.ContainsFunc(specs, func(spec runtime.Spec) bool {
			return c.sees(g.view, spec.Server, protocol.MethodCallTool, spec.Tool)
		}) {
			continue
		}
		part := "## " + s.Name + "\n"
		for _, text := range []string{s.Description, s.Instructions} {
			if text != "" {
				part += "\n" + text + "\n"
			}
		}
		if s.Description != "" || s.Instructions != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "\n")
}
