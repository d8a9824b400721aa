// The gateway over streamable HTTP, for callers of every revision.

package gateway

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/loopback"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// Limits of requests over HTTP.
const (
	maxBody     = 16 << 20 // bytes of one message: the same limit as for servers
	headerTime  = 10 * time.Second
	bodyTime    = time.Minute      // for a request and its body
	idleTime    = 2 * time.Minute  // without a request on a connection
	sessionTime = 30 * time.Minute // without a request in a session
)

// HandlerOptions are the settings of [Gateway.Handler]. Nil and the zero value are
// usable: then everyone who can reach the handler may call.
type HandlerOptions struct {
	// Auth verifies callers: see [Tokens], [Introspection], [JWT] and [TLS]. A session belongs to
	// the caller that began it. Nil accepts every caller; use it on loopback only.
	Auth *Auth
	// Origins are the origins whose web pages may call, such as
	// https://app.example.com, in addition to the handler's own. Nil means none.
	Origins []string
	// Sessions bounds the concurrent sessions of one caller, before 2026-07-28; all
	// callers together have at most 4096. At the limit, a new session ends the one
	// that has been idle longest; if all have a request in progress, the new one is
	// refused with 429. Zero is 256. Callers without a token count as one
	// caller.
	Sessions int
}

// Handler serves the gateway over streamable HTTP, for callers of all revisions: those
// of 2026-07-28 and later have no session, so that each request may reach another
// gateway; older ones have one, and all its requests have to come here. A caller that loses
// its connection there has the rest of a stream with Last-Event-ID, while the gateway keeps
// it: 10 MiB of the streams of one caller, and 128 MiB of all. Requests from
// web pages of other origins are refused. A request whose path value "profile" is set,
// as by the pattern /mcp/{profile} of [http.ServeMux], is for that profile; one that the
// gateway does not offer is not found. The error is for an origin that is not one.
func (g *Gateway) Handler(opts *HandlerOptions) (http.Handler, error) {
	var o HandlerOptions
	if opts != nil {
		o = *opts
	}
	cross := http.NewCrossOriginProtection()
	for _, origin := range o.Origins {
		if err := cross.AddTrustedOrigin(origin); err != nil {
			return nil, fmt.Errorf("gateway: origin %q: %w: write it as https://host[:port]", origin, err)
		}
	}
	server := func(*http.Request) *mcp.Server { return g.server }
	table := newSessionTable(g, cmp.Or(o.Sessions, defaultSessions))
	// The code that first reads a body bounds it.
	sessions := mcp.NewStreamableHTTPHandler(server, &mcp.StreamableHTTPOptions{
		EventStore: table, MaxRequestBodyBytes: -1, SessionTimeout: sessionTime, DisableLocalhostProtection: o.Auth != nil,
	})
	stateless := mcp.NewStreamableHTTPHandler(server, &mcp.StreamableHTTPOptions{
		Stateless: true, PropagateRequestCancellation: true, MaxRequestBodyBytes: -1, DisableLocalhostProtection: o.Auth != nil,
	})
	var h http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Protocol-Version") < modern {
			table.serve(w, r, sessions)
			return
		}
		decodeNames(r.Header["Mcp-Name"])
		if !g.refuseTaskName(w, r) && !g.direct(w, r) {
			stateless.ServeHTTP(w, r)
		}
	})
	h = g.busy.counting(g.offered(h), g.unsent)
	if o.Auth != nil {
		h = o.Auth.require(h, &g.failures)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asPost := *r // a page must not read the stream of a session either
		asPost.Method = http.MethodPost
		switch err := cross.Check(&asPost); {
		case err != nil:
			invalidMessage(nil, "the request comes from a page of another origin: allow that origin if you trust it").write(w, http.StatusForbidden)
		case g.draining.Load():
			w.Header().Set("Connection", "close")
			(&refusal{fault: *errEnding}).write(w, http.StatusServiceUnavailable)
		default:
			if g.leaving.Load() { // a balancer sends nothing more on this connection
				w.Header().Set("Connection", "close")
			}
			h.ServeHTTP(w, r)
		}
	}), nil
}

// direct answers a request without a session if it is such a call in the usual form, and
// reports whether it was. Everything else, and everything that might be refused, is left to
// the SDK.
func (g *Gateway) direct(w http.ResponseWriter, r *http.Request) bool {
	id, params, ok := g.plain.read(r, true)
	if !ok {
		return false
	}
	res, err := g.receive(nil)(r.Context(), protocol.MethodCallTool, requestOf(r, nil, params))
	if err == error(g.unsent) {
		return true
	}
	if err == nil {
		res.SetMeta(mcp.Meta{mcp.MetaKeyServerInfo: g.written})
	}
	status := http.StatusOK
	if fault, ok := errors.AsType[*jsonrpc.Error](err); ok && slices.Contains([]int64{jsonrpc.CodeInvalidParams, mcp.CodeMissingRequiredClientCapabilities}, fault.Code) {
		status = http.StatusBadRequest
	}
	writeAnswer(w, status, id, res, err)
	return true
}

// offered stores the profile of a request, and refuses one that the gateway does not
// offer.
func (g *Gateway) offered(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name := r.PathValue("profile"); name != "" {
			if g.opts.HasProfile == nil || !g.opts.HasProfile(name) {
				http.Error(w, "there is no such profile", http.StatusNotFound)
				return
			}
			who := requesterOf(auth.TokenInfoFromContext(r.Context()), nil)
			if allows := g.opts.AllowsProfile; allows != nil && !allows(name, who.name, who.claims) {
				reason := fmt.Sprintf("profile %q is not for the caller %q: to allow it, add the caller to profiles.%s.callers in mcpgen.yaml", name, cmp.Or(who.name, local), name)
				if _, fresh := g.failures.numberOf(reason); fresh {
					g.log.Warn("gateway: " + reason)
				}
				http.Error(w, "this profile is not for you: ask the operator of the gateway", http.StatusForbidden)
				return
			}
			r.Header[profileKey] = []string{name}
		}
		h.ServeHTTP(w, r)
	})
}

// Healthz answers a load balancer: 200, or 503 when the gateway is about to end. Servers
// that are down make it degraded, which is not a reason to take a gateway out: its other
// tools work. It names no server, and needs no token; [Gateway.ServeMetrics] says more.
func (g *Gateway) Healthz(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	status := "ok"
	if slices.ContainsFunc(g.host.Status(), func(st attach.Status) bool { return st.State == attach.Failed || st.State == attach.Lost }) {
		status = "degraded"
	}
	if g.leaving.Load() || g.draining.Load() {
		status = "draining"
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_, _ = w.Write([]byte(`{"status":"` + status + `"}` + "\n"))
}

// ServeMetrics answers a Prometheus server: durations of requests to servers and of
// sessions with them, the states of servers, sessions of callers, and requests in progress. It names servers, tools and prompts,
// and asks for no token: serve it to operators alone.
func (g *Gateway) ServeMetrics(w http.ResponseWriter, _ *http.Request) {
	var b strings.Builder
	g.opts.Metrics.write(&b)
	b.WriteString("# HELP mcpgen_server_state The state of each server.\n# TYPE mcpgen_server_state gauge\n")
	for _, st := range g.host.Status() {
		fmt.Fprintf(&b, "mcpgen_server_state{%s,%s} 1\n", label("mcpgen_server", st.Server), label("state", string(st.State)))
	}
	sessions := 0
	for range g.server.Sessions() {
		sessions++
	}
	fmt.Fprintf(&b, "# HELP mcpgen_sessions Sessions of callers.\n# TYPE mcpgen_sessions gauge\nmcpgen_sessions %d\n", sessions)
	fmt.Fprintf(&b, "# HELP mcpgen_requests_in_progress Requests of callers without an answer.\n# TYPE mcpgen_requests_in_progress gauge\nmcpgen_requests_in_progress %d\n", g.busy.n.Load())
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write([]byte(b.String()))
}

// Path is the path of the gateway in [Gateway.ListenAndServe].
const Path = "/mcp"

// ListenAndServe serves the gateway at [Path] of a listener, each profile at /mcp/NAME,
// and [Gateway.Healthz] at /healthz, until ctx ends. Then it waits for
// [Options.ShutdownDelay], closes the listener, and closes the gateway: calls in progress
// get [Options.Drain] to end. A listener that other machines can reach is refused without
// [HandlerOptions.Auth]. The error is the HTTP server's; nil after ctx has ended.
func (g *Gateway) ListenAndServe(ctx context.Context, l net.Listener, opts *HandlerOptions) error {
	defer l.Close()
	if (opts == nil || opts.Auth == nil) && !IsLoopback(l.Addr()) {
		return fmt.Errorf("%s: anyone who reaches this address could call every tool: listen on 127.0.0.1, or say who may call", l.Addr())
	}
	h, err := g.Handler(opts)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle(Path, h)
	mux.Handle(Path+"/{profile}", h)
	mux.HandleFunc("GET /healthz", g.Healthz)
	if opts != nil && opts.Auth != nil {
		opts.Auth.serveMetadata(mux, g.opts.HasProfile)
		if own, ok := l.(*tlsListener); ok && opts.Auth.byCertificate { // only Healthz answers without one
			own.checks.Store(true)
		}
	}
	srv := g.httpServer(mux)
	served := make(chan error, 1)
	go func() { served <- srv.Serve(l) }()
	select {
	case err := <-served:
		return errors.Join(err, g.Close())
	case <-ctx.Done():
	}
	g.leaving.Store(true)
	select {
	case <-time.After(g.opts.ShutdownDelay):
	case <-g.life.Done(): // it was closed
	}
	g.draining.Store(true)
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), g.opts.Drain+time.Second)
	defer cancel()
	ending := make(chan error, 1)
	go func() { ending <- srv.Shutdown(late) }()
	err = g.Close() // ends the streams that Shutdown waits for
	if <-ending != nil {
		_ = srv.Close() // the remaining callers do not read
	}
	<-served
	return err
}

// httpServer returns a server with time limits for connections that have not shown a
// token yet. The handler of the gateway removes the read limit once it has read a
// request.
func (g *Gateway) httpServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler: h, ReadHeaderTimeout: headerTime, ReadTimeout: bodyTime, IdleTimeout: idleTime,
		ErrorLog: slog.NewLogLogger(g.log.Handler(), slog.LevelDebug),
	}
}

// IsLoopback reports whether only this machine reaches an address.
func IsLoopback(addr net.Addr) bool {
	return addr.Network() == "unix" || loopback.Is(addr.String())
}

// decodeNames decodes names that callers had to encode for a header. The SDK compares the header
// with the message as it is.
func decodeNames(names []string) {
	for i, name := range names {
		text, begins := strings.CutPrefix(name, "=?base64?")
		text, ends := strings.CutSuffix(text, "?=")
		if decoded, err := base64.StdEncoding.DecodeString(text); begins && ends && err == nil {
			names[i] = string(decoded)
		}
	}
}
