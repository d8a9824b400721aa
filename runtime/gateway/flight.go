// Calls in progress: who waits for them, their progress, and the questions that
// servers ask meanwhile.

package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// flight is one call in progress.
type flight struct {
	g         *Gateway
	session   *mcp.ServerSession
	caps      *mcp.ClientCapabilities
	caller    requester // its name is "" without tokens
	protocol  string
	server    string
	method    string
	name      string           // in the caller's spelling
	own       string           // the server's name of a tool
	absent    error            // the answer if there is no such item; nil in requests about tasks
	ref       string           // in a completion, the method of what is completed
	part      protocol.Session // the caller's session, as the host knows it
	apart     bool             // it has its own session with the server
	token     any              // for progress; nil: not wanted
	ofProgram bool             // the caller belongs to the program, and does not use HTTP
	state     string           // that the caller returned for this call
	responses json.RawMessage
	takesTask bool          // the caller gets a task if the call becomes one
	taskTTL   time.Duration // that the caller asks for; 0: it does not
	task      string        // the server's ID of it, in a request about a task
	older     bool          // the form of that task is that of 2025-11-25
	progress  *progress
	ctx       context.Context // of the first request: logs are sent to its stream
	calling   context.Context // of the call, also after its first request; it ends with the caller's session

	connection context.Context // of the request over HTTP in a session; nil: it has no separate one

	asks chan *question // of servers, for a caller that is asked in rounds
	done chan outcome

	waits atomic.Bool // for the answer of its caller
}

// outcome is the result or the error of a call.
type outcome struct {
	res *runtime.Result
	err error
}

// newFlight returns the flight of a request to a server.
func newFlight(ctx context.Context, g *Gateway, session *mcp.ServerSession, req interface {
	ProtocolVersion() string
	ClientCapabilities() *mcp.ClientCapabilities
	GetParams() mcp.Params
}, server string) *flight {
	f := &flight{
		g: g, session: session, protocol: req.ProtocolVersion(), server: server,
		caller: callerOf(ctx), responses: responsesOf(extraOf(ctx).Header), ofProgram: isOfProgram(ctx),
	}
	f.connection = g.handovers.connectionOf(ctx)
	if f.isModern() {
		f.caps = capabilitiesIn(req.GetParams().GetMeta())
	} else {
		f.caps = req.ClientCapabilities()
	}
	return f
}

// declaredIn returns the capabilities that a request says its caller has; nil without any.
func declaredIn(meta map[string]any) json.RawMessage {
	switch all := meta[mcp.MetaKeyClientCapabilities].(type) {
	case json.RawMessage: // see [plainCalls.meta]
		return all
	case map[string]any:
		if raw, err := jsontext.Marshal(all); err == nil {
			return raw
		}
	}
	return nil
}

// capabilitiesIn returns what a request says that its caller can answer. The SDK would
// decode all of it.
func capabilitiesIn(meta map[string]any) *mcp.ClientCapabilities {
	all := declaredIn(meta)
	if all == nil {
		return nil
	}
	caps := new(mcp.ClientCapabilities)
	if e := jsontext.Member(all, "elicitation"); len(e) > 0 && e[0] == '{' {
		caps.Elicitation = new(mcp.ElicitationCapabilities)
		if jsontext.Present(jsontext.Member(e, "form")) != nil {
			caps.Elicitation.Form = new(mcp.FormElicitationCapabilities)
		}
		if jsontext.Present(jsontext.Member(e, "url")) != nil {
			caps.Elicitation.URL = new(mcp.URLElicitationCapabilities)
		}
	}
	if s := jsontext.Present(jsontext.Member(all, "sampling")); s != nil {
		//lint:ignore SA1019 servers may ask for it until it is removed
		caps.Sampling = new(mcp.SamplingCapabilities)
		if jsontext.Present(jsontext.Member(s, "tools")) != nil {
			//lint:ignore SA1019 servers may ask for it until it is removed
			caps.Sampling.Tools = new(mcp.SamplingToolsCapabilities)
		}
	}
	if jsontext.Present(jsontext.Member(all, "roots")) != nil {
		//lint:ignore SA1019 servers may ask for it until it is removed
		caps.RootsV2 = new(mcp.RootCapabilities)
	}
	return caps
}

// userOf returns the name of a caller; "" without a token.
func userOf(info *auth.TokenInfo) string {
	if info == nil {
		return ""
	}
	return info.UserID
}

func (f *flight) isModern() bool { return f.protocol >= modern }

// set sets the caller of a call, and its session.
func (f *flight) set(o *runtime.Options) {
	f.caller.set(o)
	o.Session = f.part
}

type flightKey struct{}

// call sends a request through the host.
type call func(ctx context.Context, opts ...runtime.CallOption) (*runtime.Result, error)

// carryOut makes a call for a caller, or continues one that has asked for input. It
// answers with the call's result, its next question, or its failure.
func (f *flight) carryOut(ctx context.Context, c call, meta mcp.Meta) (mcp.Result, error) {
	f.ctx = ctx
	opts := append(f.forwarded(meta), f.set)
	if f.isModern() && f.g.opts.Input != nil {
		opts = append(opts, relay(meta))
	}
	if f.state != "" || f.responses != nil {
		s, err := f.g.keys.open(f.state, f.binding(), time.Now())
		switch {
		case err != nil:
			return nil, invalid(err.Error())
		case s.Call != "":
			return f.goOn(ctx, s.Call)
		}
		opts = append(opts, func(o *runtime.Options) { o.InputResponses, o.RequestState = f.responses, jsontext.Present(s.Server) })
	}
	ctx, cancel := f.bounded(ctx)
	if !f.mayPark() {
		defer cancel()
		f.calling = ctx
		defer f.g.opts.Input.enter(f)()
		o := f.carry(ctx, c, opts)
		f.hearOut(meta)
		return f.answer(o)
	}
	// The call continues while its caller is asked, after the end of the first
	// request.
	f.asks, f.done = make(chan *question), make(chan outcome, 1)
	calling, stop := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(f.g.life, stop)
	f.calling = calling
	go func() {
		defer cancel()
		defer stop()
		defer f.g.opts.Input.enter(f)()
		o := f.carry(calling, c, opts)
		f.hearOut(meta)
		f.done <- o
	}()
	return f.wait(ctx, stop)
}

// carry makes a call. If the call becomes a task that its caller does not take, carry
// waits for it: the caller sees a call that takes longer.
func (f *flight) carry(ctx context.Context, c call, opts []runtime.CallOption) outcome {
	ctx = context.WithValue(ctx, flightKey{}, f)
	opts = append(opts, f.follow())
	defer f.tellWaiting(ctx)()
	res, err := c(ctx, opts...)
	if err != nil || res.Type != aTask || f.isTaken(res) || slices.Contains(taskMethods, f.method) {
		return outcome{res, err}
	}
	id := jsontext.Member(res.Structured, "taskId")
	req := runtime.Request{
		Server: f.server, Method: protocol.MethodAwaitTask, Name: f.own,
		Args: append(append([]byte(`{"taskId":`), id...), '}'),
	}
	var o runtime.Options
	f.set(&o)
	if f.progress != nil {
		o.OnProgress = f.progress.put
	}
	req.Options = o
	if res, err = req.Do(ctx, f.g.host); err != nil && ctx.Err() != nil { // the result does not need this error
		req.Method = protocol.MethodCancelTask
		req.Options.OnProgress, req.Options.Timeout = nil, aborted
		_, _ = req.Do(context.WithoutCancel(ctx), f.g.host)
	}
	return outcome{res, err}
}

// relay has servers that ask in rounds ask the caller directly. It declares the
// capabilities of the caller that the gateway knows, and tasks, which the gateway
// follows for callers that do not take them.
func relay(meta mcp.Meta) runtime.CallOption {
	raw, all := []byte(`{"extensions":{"`+tasks+`":{}}`), declaredIn(meta)
	for _, name := range []string{"elicitation", "sampling", "roots"} {
		if c := jsontext.Member(all, name); c != nil {
			raw = append(append(append(raw, `,"`...), name...), `":`...)
			raw = append(raw, c...)
		}
	}
	raw = append(raw, '}')
	return func(o *runtime.Options) { o.Relay = raw }
}

// bounded returns a context that also ends with the gateway, and with the caller's session. In
// a session, it ends with the caller's certificate, too: a call there may outlast its request.
func (f *flight) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	info := extraOf(ctx).TokenInfo
	ctx, cancel := context.WithCancelCause(ctx)
	end := func() { cancel(context.Canceled) }
	life, served := f.g.life, func() {}
	if !f.isModern() {
		life, served = f.g.peers.of(f.session).life, onEnd(info, end)
	}
	stop := context.AfterFunc(life, end)
	return ctx, func() { stop(); served(); cancel(nil) }
}

// answer returns the outcome of a call as an answer to its caller.
func (f *flight) answer(o outcome) (mcp.Result, error) {
	f.progress.end()
	if o.err != nil {
		if refusal, ok := errors.AsType[*runtime.RPCError](o.err); ok {
			f.g.opts.Input.expect(f, refusal)
		}
		if f.isHidden(o.err) {
			return nil, f.absent
		}
		res, err := f.g.failures.answer(f.method, o.err, f.ofProgram)
		if raw, ok := res.(*rawResult); ok {
			raw.modern = f.isModern()
		}
		return res, err
	}
	switch {
	case slices.Contains(taskMethods, f.method):
		return f.answerTask(o.res), nil
	case o.res.Type == aTask:
		return f.newTask(o.res)
	case o.res.Type == inputRequired:
		return f.askOn(o.res.Raw)
	}
	return &rawResult{raw: f.rewriter().result(f.method, o.res), modern: f.isModern(), listing: f.method == protocol.MethodReadResource}, nil
}

// isHidden reports whether a call was denied of an item that its caller is not shown. The
// answer to the caller is that of an item that does not exist; the log has the reason.
func (f *flight) isHidden(err error) bool {
	denied, ok := errors.AsType[*runtime.CallError](err)
	if f.absent == nil || !ok || !errors.Is(err, runtime.ErrDenied) {
		return false
	}
	if f.caller.sees(f.g.view, denied.Server, cmp.Or(f.ref, f.method), denied.Name) {
		return false
	}
	f.g.failures.report(failureDetail{Kind: kindDenied, Server: denied.Server, Stage: denied.Stage}, err)
	return true
}

// rewriter returns what rewrites the results of the call's server for its caller.
func (f *flight) rewriter() rewriter {
	return rewriter{server: f.server, protocol: f.protocol, wrap: f.g.uris.wrap}
}

// logLevelKey is the member of _meta with the lowest level of logs that a caller
// wants.
const logLevelKey = "io.modelcontextprotocol/logLevel"

// forwarded returns the members of a caller's _meta that servers get, such as those
// of traces, and the log level that the session has set.
func (f *flight) forwarded(meta mcp.Meta) []runtime.CallOption {
	var opts []runtime.CallOption
	if level := f.g.peers.level(f.session); level != "" {
		opts = append(opts, runtime.WithMeta(logLevelKey, jsontext.AppendString(nil, level)))
	}
	for name, value := range meta {
		if name == "progressToken" || strings.HasPrefix(name, "io.modelcontextprotocol/") && name != logLevelKey {
			continue
		}
		raw, done := value.(json.RawMessage)
		if !done {
			raw, _ = jsontext.Marshal(value)
		}
		if raw != nil {
			opts = append(opts, runtime.WithMeta(name, raw))
		}
	}
	return opts
}

// lateLogs is how long an answer to a caller that asked for logs is delayed for the
// earlier logs of a server over HTTP. They may arrive on another stream, and after the
// answer there is no stream for them.
const lateLogs = 50 * time.Millisecond

// hearOut waits for the logs of a call, if its caller asked for logs.
func (f *flight) hearOut(meta mcp.Meta) {
	if _, call := meta[logLevelKey]; (call || f.g.peers.level(f.session) != "") && f.g.opts.Input != nil {
		if _, transport := f.g.host.Session(f.server); transport != endpoint.Stdio {
			time.Sleep(lateLogs)
		}
	}
}

// progressBuffer is how many notifications of one call are queued for its caller. In
// a full queue, a new notification replaces the oldest, which says less.
const progressBuffer = 64

// progress sends the progress of a call to its caller, in order. It does not block
// the goroutine that reads the server's messages.
type progress struct {
	queue chan runtime.Progress
	sent  chan struct{} // closed when all of queue is sent
}

// follow returns the option that sends the progress of a call to its caller; nil if
// the caller did not request progress.
func (f *flight) follow() runtime.CallOption {
	if f.token == nil {
		return nil
	}
	p := &progress{queue: make(chan runtime.Progress, progressBuffer), sent: make(chan struct{})}
	f.progress = p
	go func() {
		defer close(p.sent)
		for next := range p.queue {
			_ = f.session.NotifyProgress(f.ctx, &mcp.ProgressNotificationParams{
				ProgressToken: f.token, Progress: next.Progress, Total: next.Total, Message: next.Message,
			}) // a caller that has ended needs no progress
		}
	}()
	return runtime.OnProgress(p.put)
}

// waitNote is how often a caller is notified that its call waits.
const waitNote = 5 * time.Second

// tellWaiting notifies a caller that wants progress while its call waits for a server
// that is not ready. The returned function stops the notifications. Their values are
// smaller than the progress of servers.
func (f *flight) tellWaiting(ctx context.Context) (stop func()) {
	if f.progress == nil || isReady(f.g.host, f.server) {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	told := make(chan struct{})
	go func() {
		defer close(told)
		for n := 1; ctx.Err() == nil && !isReady(f.g.host, f.server); n++ {
			f.progress.put(runtime.Progress{Progress: float64(n) * 1e-6, Message: "waiting for " + printable(f.server) + " to be ready"})
			pause(ctx, waitNote)
		}
	}()
	return func() { cancel(); <-told }
}

// isReady reports whether calls to a server need not wait.
func isReady(host *attach.Host, server string) bool {
	return !slices.ContainsFunc(host.Status(), func(st attach.Status) bool {
		return st.Server == server && (st.State == attach.Connecting || st.State == attach.Unstarted || st.State == attach.Lost)
	})
}

// put queues a notification. It is not called after the end of the call.
func (p *progress) put(n runtime.Progress) {
	if len(p.queue) == progressBuffer {
		select {
		case <-p.queue:
		default: // sent meanwhile
		}
	}
	p.queue <- n
}

// end returns when all notifications are sent, or after a second: the result must not
// wait for a caller that does not read.
func (p *progress) end() {
	if p == nil {
		return
	}
	close(p.queue)
	select {
	case <-p.sent:
	case <-time.After(time.Second):
	}
}
