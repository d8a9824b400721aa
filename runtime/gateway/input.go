// Requests of servers, passed to the callers whose calls they belong to.

package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/internal/callcontext"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// Input passes requests of servers, for input of a person or a model's answer, to the
// caller whose call they belong to. Give the same Input to a host and its gateway:
//
//	input := new(gateway.Input)
//	host, err := live.Open(ctx, live.Options{Attach: attach.Options{Input: input}})
//	gw, err := gateway.New(host.Host, &gateway.Options{View: host.View, Input: input})
//
// Before 2026-07-28, servers do not say which call a request belongs to. With
// [attach.CallerSessions.Sessions], each session of a caller has its own session with
// the servers that may ask, and gets the requests of that one, also for its roots.
// Otherwise a request that names a task goes to the caller that waits for the result of
// that task, or does so within a minute. Any other request goes to the one session with
// calls in progress at the server, or in the server's session of that caller
// ([attach.Options.Callers]). If several sessions have such calls, the request is
// declined: the call of one caller must not be shown to another. If one session has several
// such calls, the request goes to the newest of them, and is withdrawn when the last of them
// ends. The zero value is ready to use.
type Input struct {
	mu       sync.Mutex
	flights  map[string][]*flight // by server
	entered  news                 // there is another of them, or one gateway less
	gateways int                  // that take requests
	callers  sync.Map             // string → *peer: sessions of callers that have their own with servers, by the ID that the host knows
	pages    map[visit]*mcp.ServerSession
}

// serve records that a gateway takes requests. The returned function records that it does
// not any more. A nil c records nothing.
func (c *Input) serve() (end func()) {
	add := func(n int) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.gateways += n
		c.entered.wake()
	}
	if c == nil {
		return func() {}
	}
	add(1)
	return func() { add(-1) }
}

// isServed reports whether a caller can send a request.
func (c *Input) isServed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.gateways > 0
}

// visit is a page that a caller has to visit before a server carries out a call.
type visit struct{ server, id string }

// maxPages is how many pages may wait for their visitors.
const maxPages = 1000

// Offers implements [attach.Input]. Whether a caller can be asked is only known in
// its call.
func (*Input) Offers() endpoint.Offers {
	return endpoint.Offers{Forms: true, Pages: true, Sampling: true}
}

// enter records that a call is in progress. The returned function records its end. A
// nil c records nothing.
func (c *Input) enter(f *flight) (leave func()) {
	if c == nil {
		return func() {}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.flights == nil {
		c.flights = map[string][]*flight{}
	}
	c.separate(f)
	c.flights[f.server] = append(c.flights[f.server], f)
	c.entered.wake()
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.flights[f.server] = slices.DeleteFunc(c.flights[f.server], func(other *flight) bool { return other == f })
	}
}

// separateSession tells the host which session of the caller a call belongs to, before
// 2026-07-28. A nil c does nothing.
func (c *Input) separateSession(f *flight) {
	if c == nil || f.isModern() {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.separate(f)
}

// separate identifies the caller's session to the host; mu is held. Since 2026-07-28
// callers have no sessions: then each of a caller's calls in progress counts as one.
func (c *Input) separate(f *flight) {
	f.part.Answers, f.part.Client = f.canAnswer(), f.offers().Capabilities()
	r := runtime.Request{Server: f.server}
	r.Options.Session = f.part
	if f.isModern() {
		r.Options.Relay = json.RawMessage("{}") // see relay
	}
	f.apart = f.g.host.SeparatesSession(r)
	switch {
	case !f.isModern():
		p := f.g.peers.of(f.session)
		f.part.ID, f.part.Protocol = p.id, f.protocol
		if f.apart {
			c.callers.Store(p.id, p)
		}
	case f.apart:
		for n := 0; ; n++ {
			f.part.ID = f.caller.name + "#" + strconv.Itoa(n)
			if !slices.ContainsFunc(c.flights[f.server], func(other *flight) bool { return other.part.ID == f.part.ID }) {
				return
			}
		}
	}
}

// forget forgets a session of a caller. A nil c has none.
func (c *Input) forget(id string, session *mcp.ServerSession) {
	if c == nil {
		return
	}
	c.callers.Delete(id)
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.DeleteFunc(c.pages, func(_ visit, of *mcp.ServerSession) bool { return of == session })
}

// expect records the pages that a server's refusal of a call names. A nil c records
// nothing.
func (c *Input) expect(f *flight, refusal *runtime.RPCError) {
	if c == nil || refusal.Code != mcp.CodeURLElicitationRequired || f.isModern() {
		return
	}
	f.g.peers.of(f.session)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pages == nil {
		c.pages = map[visit]*mcp.ServerSession{}
	}
	jsontext.Each(jsontext.Member(refusal.Data, "elicitations"), func(item []byte) {
		if id := jsontext.Text(jsontext.Member(item, "elicitationId")); id != "" && len(c.pages) < maxPages {
			c.pages[visit{f.server, id}] = f.session
		}
	})
}

// Visited implements [attach.VisitedInput]: it notifies the caller that was sent to
// the page.
func (c *Input) Visited(ctx context.Context, server, elicitationID string) {
	at := visit{server, elicitationID}
	c.mu.Lock()
	session := c.pages[at]
	delete(c.pages, at)
	c.mu.Unlock()
	if own, known := c.callers.Load(attach.SessionOf(ctx)); known {
		session = own.(*peer).session
	}
	if session != nil {
		go func() { // it may not read
			_ = session.NotifyElicitationComplete(ctx, &mcp.ElicitationCompleteParams{ElicitationID: elicitationID})
		}()
	}
}

// canAnswer reports whether the caller answers requests during its call.
func (f *flight) canAnswer() bool {
	if f.caps == nil || f.isModern() && f.g.shared {
		return false
	}
	//lint:ignore SA1019 servers of all revisions before 2026-07-28 ask this way
	return f.caps.Elicitation != nil || f.caps.Sampling != nil || f.caps.RootsV2 != nil && !f.isModern()
}

// offers returns what the caller answers.
func (f *flight) offers() endpoint.Offers {
	c := cmp.Or(f.caps, &mcp.ClientCapabilities{})
	//lint:ignore SA1019 servers of all revisions before 2026-07-28 ask this way
	o := endpoint.Offers{Forms: c.Elicitation != nil, Sampling: c.Sampling != nil, Roots: c.RootsV2 != nil}
	o.Pages = o.Forms && c.Elicitation.URL != nil
	return o
}

// taskOf returns the server's ID of the task that its message belongs to; "" if it names
// none.
func taskOf(params json.RawMessage) string {
	return jsontext.Text(jsontext.Member(jsontext.Member(jsontext.Member(params, "_meta"), relatedTask), "taskId"))
}

// of returns the call that a message of a server with these parameters belongs to, or the
// calls of one session that come into question, the oldest first; nil if it is unknown.
// Several reports that the calls of several callers come into question.
func (c *Input) of(ctx context.Context, server string, params json.RawMessage) (calls flights, several bool) {
	if f, ok := ctx.Value(flightKey{}).(*flight); ok {
		return flights{f}, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	caller, session, task := attach.CallerOf(ctx), attach.SessionOf(ctx), taskOf(params)
	for _, f := range c.flights[server] {
		switch {
		case f.apart != (session != ""), f.apart && f.part.ID != session: // of another session
		case caller != "" && f.caller.name != caller, f.waits.Load(): // a call that waits for its caller is not the one
		case task != "" && f.task == task && (f.method == protocol.MethodAwaitTask || f.isModern()):
			return flights{f}, false
		case task != "" && (f.task != "" || !f.apart && !f.followsTask()): // of another task, or of none
		case len(calls) > 0 && (calls[0].session != f.session || f.isModern()):
			several = true
		default:
			calls = append(calls, f)
		}
	}
	if several {
		return nil, true
	}
	if s, known := c.callers.Load(session); known && calls == nil { // outside of calls
		p := s.(*peer)
		return flights{{session: p.session, caps: p.session.InitializeParams().Capabilities, ctx: ctx, calling: p.life}}, false
	}
	return calls, false
}

// flights are the calls of one session that a message of a server may belong to, the oldest
// first.
type flights []*flight

// newest returns the newest call whose caller is connected, or else the newest: a caller can
// have the rest of a stream later.
func (calls flights) newest() *flight {
	for _, f := range slices.Backward(calls) {
		if f.connection == nil || f.connection.Err() == nil {
			return f
		}
	}
	return calls[len(calls)-1]
}

// afterLast calls f when the last of the calls has ended. Stop has it not called any more.
func (calls flights) afterLast(f func()) (stop func()) {
	var left atomic.Int64
	left.Store(int64(len(calls)))
	var stops []func() bool
	for _, call := range calls {
		stops = append(stops, context.AfterFunc(call.calling, func() {
			if left.Add(-1) == 0 {
				f()
			}
		}))
	}
	return func() {
		for _, stop := range stops {
			stop()
		}
	}
}

// resultTime is how long a question in the course of a task waits for the caller's next
// request about the task. Callers look at their tasks in intervals.
const resultTime = time.Minute

// ofResult waits for the request for the result of the task that a question names, and
// returns it; nil if none comes before the gateway ends, or if the question names no task.
// Since 2026-07-28 any request about the task fetches its result.
func (c *Input) ofResult(ctx context.Context, server string, params json.RawMessage) flights {
	task := taskOf(params)
	if task == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, resultTime)
	defer cancel()
	for {
		next := c.entered.next()
		if calls, _ := c.of(ctx, server, params); len(calls) == 1 && calls[0].task == task {
			return calls
		}
		if !c.isServed() {
			return nil
		}
		select {
		case <-next:
		case <-ctx.Done():
			return nil
		}
	}
}

// Methods of requests that servers send.
const (
	elicitation = "elicitation/create"
	sampling    = "sampling/createMessage"
	listRoots   = "roots/list"
)

// Answer implements [attach.Input]: it asks the caller whose call the request belongs
// to.
func (c *Input) Answer(ctx context.Context, server, method string, params json.RawMessage) (answer json.RawMessage, declined string, err error) {
	if string(jsontext.Member(params, "mode")) == `""` { // the SDK's types write "" for a missing mode
		params = withMember(params, "mode", []byte(`"form"`))
	}
	calls, several := c.of(ctx, server, params)
	if calls == nil && !several {
		calls = c.ofResult(ctx, server, params)
	}
	why := "the gateway cannot tell to which call the request belongs"
	if calls != nil {
		if why = calls.newest().cannot(method, params); why == "" {
			answer, err = calls.ask(ctx, method, params)
			return answer, "", err
		}
	}
	switch method {
	case elicitation:
		return nil, why, nil
	case listRoots:
		return json.RawMessage(`{"roots":[]}`), "", nil
	}
	code := int64(jsonrpc.CodeMethodNotFound)
	if why == noModelTools {
		code = jsonrpc.CodeInvalidParams
	}
	return nil, "", &jsonrpc.Error{Code: code, Message: why}
}

// noModelTools is why a request for a model's answer with tools is refused.
const noModelTools = "the caller does not declare sampling.tools, so tools and toolChoice are not allowed"

// cannot returns why a caller cannot be asked during a call; "" if it can.
func (f *flight) cannot(method string, params json.RawMessage) string {
	if why, _ := f.lacks(method, params); why != "" {
		return why
	}
	if f.isModern() && f.asks == nil {
		return "the caller's next round may reach another gateway, and only servers of revision 2026-07-28 can continue there"
	}
	return ""
}

// lacks returns what a caller cannot answer, and the capability that it needs for that, in
// JSON; "" if it can.
func (f *flight) lacks(method string, params json.RawMessage) (why, needs string) {
	caps, mode := cmp.Or(f.caps, &mcp.ClientCapabilities{}), modeOf(params)
	//lint:ignore SA1019 servers of all revisions before 2026-07-28 ask this way
	s, roots, e := caps.Sampling, caps.RootsV2, caps.Elicitation
	switch {
	case method == sampling && s == nil:
		return "the caller does not offer a model", `{"sampling":{}}`
	case method == sampling && s.Tools == nil && (jsontext.Present(jsontext.Member(params, "tools")) != nil || jsontext.Present(jsontext.Member(params, "toolChoice")) != nil):
		return noModelTools, `{"sampling":{"tools":{}}}`
	case method == listRoots && (roots == nil || f.isModern() && f.apart): // the next call in that session may be another client's
		return "the caller has no roots", `{"roots":{}}`
	case method != elicitation:
	case e == nil && mode == "url":
		return "the caller does not accept requests for input", `{"elicitation":{"url":{}}}`
	case e == nil:
		return "the caller does not accept requests for input", `{"elicitation":{}}`
	case mode == "url" && e.URL == nil:
		return "the caller does not open pages", `{"elicitation":{"url":{}}}`
	case mode != "url" && e.Form == nil && e.URL != nil: // {} means forms
		return "the caller does not fill in forms", `{"elicitation":{}}`
	}
	return "", ""
}

// modeOf returns how a person is asked for input; "" means by a form.
func modeOf(params json.RawMessage) string { return jsontext.Text(jsontext.Member(params, "mode")) }

// ask sends a question to the caller of the calls, and returns the answer. It waits for the
// answer until the server withdraws the question or the last of the calls ends: the SDK
// closes no session that waits. Roots belong to the session, so that question may outlast
// the calls in which it came.
func (calls flights) ask(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	f := calls.newest()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if method == listRoots && f.g != nil && !f.isModern() {
		defer context.AfterFunc(f.g.peers.of(f.session).life, cancel)()
	} else {
		defer calls.afterLast(cancel)()
	}
	if f.method == protocol.MethodAwaitTask && len(calls) == 1 || jsontext.Member(params, "_meta") != nil {
		params = f.relate(params)
	}
	if f.isModern() {
		return f.askInRound(ctx, method, params)
	}
	if params == nil {
		params = json.RawMessage("{}")
	}
	raw := withRaw(callcontext.During(ctx, f.stream()), params) // on the stream of its call, since not every caller opens another one
	var res any
	var err error
	switch method {
	case elicitation:
		res, err = f.session.Elicit(raw, &mcp.ElicitParams{Mode: modeOf(params)}) // the SDK only needs the mode
	case listRoots:
		//lint:ignore SA1019 servers of all revisions before 2026-07-28 ask this way
		res, err = f.session.ListRoots(raw, &mcp.ListRootsParams{})
	default:
		//lint:ignore SA1019 servers of all revisions before 2026-07-28 ask this way
		res, err = f.session.CreateMessageWithTools(raw, &mcp.CreateMessageWithToolsParams{})
	}
	if err != nil {
		return nil, err
	}
	return jsontext.Marshal(res)
}

// errAsked is the error of a caller that left while it was asked.
var errAsked = errors.New("the caller did not answer")
