// Calls under way: who waits for which, their progress, and the questions that
// servers ask meanwhile.

package gateway

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// flight is one call under way.
type flight struct {
	g         *Gateway
	session   *mcp.ServerSession
	caps      *mcp.ClientCapabilities
	caller    string // whose token it came with; "" without tokens
	protocol  string
	server    string
	method    string
	name      string // as the caller spells it
	own       string // as the server does, of a tool
	token     any    // of progress; nil: not wanted
	ofProgram bool   // the caller is the program's own, and not over HTTP
	state     string // that the caller kept for this call
	responses json.RawMessage
	progress  *progress
	ctx       context.Context // of the request that began it: what is logged goes to its stream

	asks chan *question // of servers, for a caller who is asked in rounds
	done chan outcome

	waits atomic.Bool // for its caller to answer
}

// outcome is the end of a call.
type outcome struct {
	res *runtime.Result
	err error
}

// newFlight notes who calls which server.
func (g *Gateway) newFlight(session *mcp.ServerSession, req interface {
	ProtocolVersion() string
	ClientCapabilities() *mcp.ClientCapabilities
	GetExtra() *mcp.RequestExtra
}, server string) *flight {
	f := &flight{g: g, session: session, caps: req.ClientCapabilities(), protocol: req.ProtocolVersion(), server: server}
	if extra := req.GetExtra(); extra != nil {
		f.caller, f.responses, f.ofProgram = userOf(extra.TokenInfo), responsesOf(extra.Header), isOfProgram(extra)
	}
	return f
}

// userOf is the name of a caller; "" without a token.
func userOf(info *auth.TokenInfo) string {
	if info == nil {
		return ""
	}
	return info.UserID
}

func (f *flight) isModern() bool { return f.protocol >= modern }

type flightKey struct{}

// call is a request on its way through the host.
type call func(ctx context.Context, opts ...runtime.CallOption) (*runtime.Result, error)

// carryOut makes a call for a caller, or goes on with one that has asked for input,
// and answers with its result, what it asks for, or its failure.
func (f *flight) carryOut(ctx context.Context, c call, meta mcp.Meta) (mcp.Result, error) {
	f.ctx = ctx
	opts := append(f.forwarded(meta), func(o *runtime.Options) { o.Caller = f.caller })
	if f.isModern() {
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
		if string(s.Server) == "null" { // there was none
			s.Server = nil
		}
		opts = append(opts, func(o *runtime.Options) { o.InputResponses, o.RequestState = f.responses, s.Server })
	}
	ctx, cancel := f.bounded(ctx)
	if !f.mayPark() {
		defer cancel()
		defer f.g.opts.Input.enter(f)()
		o := f.carry(ctx, c, opts)
		f.hearOut(meta)
		return f.answer(o)
	}
	// The call goes on while its caller is asked, beyond the request that began it.
	f.asks, f.done = make(chan *question), make(chan outcome, 1)
	calling, stop := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(f.g.life, stop)
	go func() {
		defer cancel()
		defer f.g.opts.Input.enter(f)()
		o := f.carry(calling, c, opts)
		f.hearOut(meta)
		f.done <- o
	}()
	return f.wait(ctx, stop)
}

// carry makes a call, and follows the task that it becomes: to callers a tool that runs
// as a task is one that takes longer.
func (f *flight) carry(ctx context.Context, c call, opts []runtime.CallOption) outcome {
	ctx = context.WithValue(ctx, flightKey{}, f)
	opts = append(opts, f.follow())
	defer f.tellWaiting(ctx)()
	res, err := c(ctx, opts...)
	if err != nil || res.Type != "task" {
		return outcome{res, err}
	}
	id := jsontext.Member(res.Structured, "taskId")
	req := runtime.Request{
		Server: f.server, Method: protocol.MethodAwaitTask, Name: f.own,
		Args: append(append([]byte(`{"taskId":`), id...), '}'),
	}
	o := runtime.Options{Caller: f.caller}
	if f.progress != nil {
		o.OnProgress = f.progress.put
	}
	req.Options = o
	if res, err = req.Do(ctx, f.g.host); err != nil && ctx.Err() != nil { // no other code reports it
		req.Method, req.Options = protocol.MethodCancelTask, runtime.Options{Caller: f.caller, Timeout: aborted}
		_, _ = req.Do(context.WithoutCancel(ctx), f.g.host)
	}
	return outcome{res, err}
}

// tasks is the extension by which servers may answer with a task.
const tasks = "io.modelcontextprotocol/tasks"

// relay has a server that asks in rounds ask the caller: the server sees the
// capabilities of the caller that the gateway knows, and that the gateway follows tasks.
func relay(meta mcp.Meta) runtime.CallOption {
	caps := map[string]any{"extensions": map[string]any{tasks: struct{}{}}}
	all, _ := meta[mcp.MetaKeyClientCapabilities].(map[string]any)
	for _, name := range []string{"elicitation", "sampling", "roots"} {
		if c, ok := all[name]; ok {
			caps[name] = c
		}
	}
	raw, err := marshal(caps)
	if err != nil {
		return nil // it was JSON before
	}
	return func(o *runtime.Options) { o.Relay = raw }
}

// bounded ends a context with the gateway, too.
func (f *flight) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(f.g.life, func() { cancel(context.Canceled) })
	return ctx, func() { stop(); cancel(nil) }
}

// answer is the end of a call, for its caller.
func (f *flight) answer(o outcome) (mcp.Result, error) {
	f.progress.end()
	if o.err != nil {
		res, err := f.g.failed(f.method, o.err, f.ofProgram)
		if raw, ok := res.(*rawResult); ok {
			raw.modern = f.isModern()
		}
		return res, err
	}
	if o.res.Type == inputRequired {
		return f.askOn(o.res.Raw)
	}
	w := rewriter{server: f.server, protocol: f.protocol, wrap: f.g.wrapURI}
	return &rawResult{raw: w.result(f.method, o.res), modern: f.isModern(), listing: f.method == protocol.MethodReadResource}, nil
}

// logLevelKey is the member of _meta that says from which level on a caller wants to hear
// what is logged.
const logLevelKey = "io.modelcontextprotocol/logLevel"

// forwarded are the members of a caller's _meta that servers are given, such as those
// of traces, and the level from which on it wants to hear what they log.
func (f *flight) forwarded(meta mcp.Meta) []runtime.CallOption {
	var opts []runtime.CallOption
	if level, ok := f.g.levels.Load(f.session); ok {
		opts = append(opts, runtime.WithMeta(logLevelKey, jsontext.AppendString(nil, level.(string))))
	}
	for name, value := range meta {
		if name == "progressToken" || strings.HasPrefix(name, "io.modelcontextprotocol/") && name != logLevelKey {
			continue
		}
		if raw, err := marshal(value); err == nil {
			opts = append(opts, runtime.WithMeta(name, raw))
		}
	}
	return opts
}

// lateLogs is how long the answer to a caller that wants logs waits for those that the
// server has sent before it: they come another way, and what comes after the answer has
// no stream to go to.
const lateLogs = 50 * time.Millisecond

// hearOut waits for what was logged in the course of a call, if its caller wants that.
func (f *flight) hearOut(meta mcp.Meta) {
	_, session := f.g.levels.Load(f.session)
	if _, call := meta[logLevelKey]; (session || call) && f.g.opts.Input != nil {
		time.Sleep(lateLogs)
	}
}

// progressBuffer is how many notifications of one call wait for its caller. What is
// beyond that replaces the first: a later one says more.
const progressBuffer = 64

// progress passes the progress of a call on to its caller, in order, without blocking the
// goroutine that reads the server's messages.
type progress struct {
	queue chan runtime.Progress
	sent  chan struct{} // closed when all of queue is sent
}

// follow returns the option that passes the progress of a call on to its caller; nil if
// that did not ask for it.
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
			}) // a caller that is gone needs no progress
		}
	}()
	return runtime.OnProgress(p.put)
}

// waitNote is how often a caller is told that its call waits.
const waitNote = 5 * time.Second

// tellWaiting tells a caller who wants progress that its call waits for a server that is
// not ready, for as long as it does. The function it returns ends that. What a server says
// of its own progress is greater.
func (f *flight) tellWaiting(ctx context.Context) (stop func()) {
	if f.progress == nil || f.g.isReady(f.server) {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	told := make(chan struct{})
	go func() {
		defer close(told)
		for n := 1; ctx.Err() == nil && !f.g.isReady(f.server); n++ {
			f.progress.put(runtime.Progress{Progress: float64(n) * 1e-6, Message: "waiting for " + printable(f.server) + " to be ready"})
			pause(ctx, waitNote)
		}
	}()
	return func() { cancel(); <-told }
}

// isReady reports whether calls of a server need not wait.
func (g *Gateway) isReady(server string) bool {
	return !slices.ContainsFunc(g.host.Status(), func(st attach.Status) bool {
		return st.Server == server && (st.State == attach.Connecting || st.State == attach.Unstarted || st.State == attach.Lost)
	})
}

// put is called in the course of the call, and not after it.
func (p *progress) put(n runtime.Progress) {
	if len(p.queue) == progressBuffer {
		select {
		case <-p.queue:
		default: // sent meanwhile
		}
	}
	p.queue <- n
}

// end returns when all is sent, or after a second: the result must not wait for a
// caller that does not read.
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
