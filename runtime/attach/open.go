// Opening a session: the transports and protocol revisions to try, in order.

package attach

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/install"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/budget"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/httpx"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/quote"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// probeBudget is how long a server over stdio may take to answer the probe for
// newer revisions before it is started again without.
const probeBudget = 2 * time.Second

// opener opens the session of one server, and holds what the session needs later.
type opener struct {
	settings
	server   endpoint.Server
	caller   string          // whose credentials it has; "" is the program's own
	asker    asker           // whose session it is
	turn     *turn           // nil unless all sessions of callers share the session
	runner   *install.Runner // may have to install the server; nil if there is none
	resolved endpoint.Resolved
	limits   endpoint.Limits
	worked   string          // revision of the previous session; "" if there was none
	changed  chan struct{}   // wakes when the server reports changed tools; holds one
	updates  *followers      // of resources
	drops    *drops          // nil counts nothing
	memory   *budget.Budget  // nil means no bound
	tokens   *credentials    // nil if only the configured headers are sent
	handlers *clientHandlers // of the last attempt; they answer requests of the server
}

// open starts or dials a server and shakes hands. The context bounds the
// opening, not the session. The error is a *ServerError.
func (o *opener) open(ctx context.Context) (sess *session, err error) {
	if o.Admit != nil {
		if err := o.Admit(o.server); err != nil {
			return nil, o.fail(ctx, stage.Configure, err)
		}
	}
	if err := o.resolve(ctx); err != nil {
		return nil, o.fail(ctx, stage.Configure, err)
	}
	err = endpoint.ByLaunch(o.resolved.Launch,
		func(p *endpoint.Process) (err error) { sess, err = o.openStdio(ctx, *p); return err },
		func(a *endpoint.Address) (err error) { sess, err = o.openAddress(ctx, a); return err })
	return sess, err
}

// openAddress dials a server, with a token if one is needed.
func (o *opener) openAddress(ctx context.Context, a *endpoint.Address) (*session, error) {
	tokens, err := newCredentials(ctx, o.Auth, AuthTarget{Server: o.server.Name, Caller: o.caller, URL: a.URL, Auth: a.Auth, Mask: o.learners})
	if o.tokens = tokens; err != nil {
		return nil, o.fail(ctx, stage.Auth, err)
	}
	if a.Transport == endpoint.SSE {
		return o.openSSE(ctx, a)
	}
	sess, err := o.openHTTP(ctx, a)
	if err == nil || a.Transport == endpoint.HTTP || !mayBeSSE(err) {
		return sess, err
	}
	sess, sseErr := o.openSSE(ctx, a)
	if sseErr != nil {
		return nil, err // of the two, the error of the current transport
	}
	return sess, nil
}

// mayBeSSE reports whether an address that does not accept a POST may use the older
// transport.
func mayBeSSE(err error) bool {
	e, ok := errors.AsType[*httpx.Error](err)
	return ok && slices.Contains([]int{http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotAcceptable, http.StatusUnsupportedMediaType}, e.Status)
}

// attempt is one try at a handshake.
type attempt struct {
	protocol string        // revision to request with initialize; "" probes for newer ones first
	budget   time.Duration // for the answer to the probe; 0 is no bound but the context
}

// remembered returns the configured revision, or else the revision of an earlier
// session, in this host or according to Options.Protocols; "" if unknown.
func (o *opener) remembered() string {
	return cmp.Or(o.server.Protocol, o.worked, o.Protocols[o.server.Name])
}

// attempts returns the attempts over stdio in order; there a probe may cost a
// process. The remembered revision comes first.
func attempts(remembered string) []attempt {
	policy := []attempt{{budget: probeBudget}, {protocol: legacy}}
	switch {
	case !slices.Contains(mcp.SupportedProtocolVersions(), remembered):
		return policy
	case remembered >= modern:
		return []attempt{{budget: time.Hour}, {protocol: legacy}} // at most a third of the start timeout
	case remembered == legacy:
		return []attempt{{protocol: legacy}, {budget: probeBudget}}
	}
	return append([]attempt{{protocol: remembered}}, policy...)
}

// pinned returns the revision to request without a probe.
func (o *opener) pinned() string {
	if v := o.remembered(); v < modern && slices.Contains(mcp.SupportedProtocolVersions(), v) {
		return v
	}
	return legacy
}

// session returns the session of a connection that has shaken hands.
func (o *opener) session(w *wired, t endpoint.Transport) *session {
	protocol, h := w.sdk.InitializeResult().ProtocolVersion, parseHandshake(w.Handshake())
	return &session{
		transport: w, opener: o, transportKind: t, protocol: protocol, handshake: h.withhold(o.sensitive()),
		meta: requestMeta(protocol, o.Version, o.handlers.requestOffers()), listing: make(chan struct{}, 1),
	}
}

// wireOptions returns the settings of a new connection, for any link.
func (o *opener) wireOptions() wire.Options {
	o.handlers = newClientHandlers(o)
	return wire.Options{
		MaxMessage: o.limits.Message, MaxUnasked: o.limits.Queue, Memory: o.memory, OnSkipped: o.onSkipped(), OnDrop: o.drops.add,
		OnRequest: o.handlers.request, OnNotification: o.handlers.hear,
	}
}

// fail returns the error of a server that could not be opened, with a text that is
// fit to be shown.
func (o *opener) fail(ctx context.Context, at string, err error) error {
	if ctx.Err() != nil && !errors.Is(err, runtime.ErrAuth) {
		err = joinLate(context.Cause(ctx), err)
	}
	return serverError(o.server, at, err, o.mask)
}

// joinLate puts the reason why the time is up before the error that was known then.
func joinLate(cause, err error) error {
	if errors.Is(err, cause) {
		return err
	}
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, wire.ErrClosed) {
		return cause
	}
	return fmt.Errorf("%w; %w", cause, err)
}

// serverError returns a ServerError whose text mask makes fit to be shown.
func serverError(server endpoint.Server, at string, err error, mask func(string) string) *ServerError {
	if already, ok := errors.AsType[*ServerError](err); ok {
		return already
	}
	e := &ServerError{Server: server.Name, Source: server.Source, Stage: at, Err: presentable(err, mask)}
	s, known := errors.AsType[hint.Stepper](e.Err)
	if _, refused := errors.AsType[*runtime.RPCError](e.Err); refused && (!known || len(s.NextSteps()) == 0) {
		e.Err = hint.With(e.Err, "read the server's log", stepReport)
	}
	if p, ok := server.Launch.(*endpoint.Process); ok && at != stage.Start {
		e.Tried = mask(safetext.Words(p.Command, 200))
	}
	return e
}

// presentable returns err with a text without secrets and control characters, and
// with the module's types instead of the SDK's.
func presentable(err error, mask func(string) string) error {
	he, isHTTP := errors.AsType[*httpx.Error](err)
	if isHTTP {
		clean := *he // without the SDK's text, which repeats the address
		if clean.RPC != nil {
			clean.RPC = cleanRPC(clean.RPC, mask)
		}
		err = &clean
	}
	err = rpcOf(err)
	shown := &failure{text: mask(quote.Block(err.Error(), 4<<10)), errs: []error{err}}
	if rpc, ok := errors.AsType[*runtime.RPCError](err); ok && !isHTTP {
		if shown.errs[0] = cleanRPC(rpc, mask); err == error(rpc) {
			return shown.errs[0]
		}
	}
	return shown
}

// rpcOf returns the error object in err as the module's type, or err.
func rpcOf(err error) error {
	if e, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return &runtime.RPCError{Code: e.Code, Message: e.Message, Data: e.Data}
	}
	return err
}

// cleanRPC returns a server's error object, fit to be shown.
func cleanRPC(e *runtime.RPCError, mask func(string) string) *runtime.RPCError {
	clean := &runtime.RPCError{Code: e.Code, Message: mask(quote.Block(e.Message, 4<<10))}
	if e.Data != nil {
		clean.Data = []byte(mask(string(e.Data)))
	}
	return clean
}
