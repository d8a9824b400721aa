// Sessions over streamable HTTP.

package attach

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/httpx"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// dial makes the client of an HTTP transport.
func (o *opener) dial(sse bool, onHandshake func(string, []byte)) (*httpx.Client, error) {
	opts := httpx.Options{
		URL: o.resolved.URL, UserAgent: clientName + "/" + o.Version, MaxMessage: o.limits.Message, MaxUnasked: o.limits.Queue, Memory: o.memory,
		SSE: sse, OnHandshake: onHandshake, OnSkipped: o.onSkipped(), OnDrop: o.drops.add,
	}
	if o.tokens != nil {
		opts.Credentials = o.tokens
	}
	for _, h := range o.resolved.Headers {
		opts.Headers = append(opts.Headers, httpx.Header{Name: h.Name, Value: h.Value})
	}
	return httpx.New(opts)
}

// openHTTP lets the SDK negotiate: over HTTP a probe costs no process.
func (o *opener) openHTTP(ctx context.Context) (*session, error) {
	obs := observe(nil)
	client, err := o.dial(false, obs.record)
	if err != nil {
		return nil, o.fail(ctx, StageStart, err)
	}
	protocol := ""
	if v := o.remembered(); v != "" && v < modern {
		protocol = o.pinned()
	}
	sdk, err := o.connectHTTP(ctx, client, protocol)
	if err != nil && protocol != "" && ctx.Err() == nil {
		sdk, err = o.connectHTTP(ctx, client, "")
	}
	if err != nil {
		client.Close()
		if broken := client.Broken(); broken != nil && !errors.As(err, new(*httpx.Error)) {
			err = broken
		}
		return nil, o.fail(ctx, StageHandshake, err)
	}
	c := &posted{sdk: sdk, client: client, ids: wire.NewIDs()}
	c.life, c.stop = context.WithCancel(context.Background())
	sess := o.session(c, endpoint.HTTP, sdk, obs.hello())
	c.modern = sess.isModern()
	c.route = httpx.Route{Session: sdk.ID(), Protocol: sess.protocol, Standard: c.modern}
	return sess, nil
}

func (o *opener) connectHTTP(ctx context.Context, client *httpx.Client, protocol string) (*mcp.ClientSession, error) {
	// When the time is up the SDK tells the server, and waits for that.
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(farewell, client.Abort) })
	defer stop()
	// The connection must not be wrapped: the SDK asks it for more than its
	// interface says.
	return o.newClient().Connect(ctx, &mcp.StreamableClientTransport{
		Endpoint: o.resolved.URL, HTTPClient: client.HTTP(), MaxEventSize: -1, // bounded by the client
	}, &mcp.ClientSessionOptions{ProtocolVersion: protocol})
}

// posted carries requests over streamable HTTP: the SDK sends the shell of a
// request, the client below it puts in what we built and takes out the result.
type posted struct {
	sdk    *mcp.ClientSession
	client *httpx.Client
	modern bool
	route  httpx.Route
	life   context.Context // ends with close
	stop   context.CancelFunc
	ids    wire.IDs // progress tokens
	tokens atomic.Uint64

	mu      sync.Mutex
	active  int             // calls under way
	idle    chan struct{}   // closed when there are none any more; nil if nobody waits for it
	headers map[string]bool // tools with arguments that are sent as headers; false if they cannot be
}

func (p *posted) call(ctx context.Context, r *request) (json.RawMessage, bool, error) {
	if p.life.Err() != nil {
		return nil, false, errClosed
	}
	p.begin()
	defer p.finish()
	x := &httpx.Exchange{Method: r.method, OnProgress: r.onProgress}
	if r.onProgress != nil {
		x.Token = p.ids.Text(p.tokens.Add(1))
	}
	var wanted []string // tools of the page that ask for headers
	if r.method == methodListTools && p.modern {
		x.Shell = func(result json.RawMessage) (shell json.RawMessage) {
			shell, wanted = headerTools(result)
			return shell
		}
	}
	x.Params = r.params(x.Token)
	ctx, cancel := httpx.With(ctx, x)
	defer cancel()
	defer context.AfterFunc(p.life, cancel)()
	var usable []*mcp.Tool
	var err error
	if p.canGoStraight(r) {
		err = p.client.Do(ctx, x, p.route, r.name)
	} else {
		usable, err = p.send(ctx, r)
		p.keepHeaders(wanted, usable)
	}
	result, sent, failed := x.Outcome()
	if refused := new(httpx.Error); !sent && errors.As(failed, &refused) && errors.Is(failed, syscall.ECONNREFUSED) {
		p.client.Refuse(refused)
	}
	switch {
	case result != nil:
		return result, true, nil
	case p.life.Err() != nil:
		return nil, sent, errClosed
	case failed != nil:
		return nil, sent, failed
	case err != nil && ctx.Err() != nil:
		return nil, sent, err
	}
	return nil, sent, &failure{text: "the server ended its answer before the result", errs: []error{runtime.ErrUnavailable}}
}

func (p *posted) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.active++
}

func (p *posted) finish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.active--; p.active == 0 && p.idle != nil {
		close(p.idle)
		p.idle = nil
	}
}

// drain waits until no call is under way: a server that has forgotten a session
// still answers each of its calls, with a result or with a 404 that says that it
// was not carried out.
func (p *posted) drain(ctx context.Context) {
	p.mu.Lock()
	if p.active == 0 {
		p.mu.Unlock()
		return
	}
	if p.idle == nil {
		p.idle = make(chan struct{})
	}
	idle := p.idle
	p.mu.Unlock()
	select {
	case <-idle:
	case <-ctx.Done():
	}
}

// canGoStraight reports whether the SDK is of no use for a request: it only makes
// the headers of tools that want arguments in them, and of names that have to be
// encoded for theirs.
func (p *posted) canGoStraight(r *request) bool {
	switch r.method {
	case runtime.MethodCallTool:
		return httpx.Plain(r.name) && !p.hasHeaders(r.name)
	case runtime.MethodGetPrompt, runtime.MethodReadResource:
		return httpx.Plain(r.name)
	}
	return false
}

// send sends the shell of a request by the SDK's method for it. Of a listing it
// returns the tools that the SDK can make headers for.
func (p *posted) send(ctx context.Context, r *request) (usable []*mcp.Tool, err error) {
	switch r.method {
	case runtime.MethodCallTool:
		shell := &mcp.CallToolParams{Name: r.name}
		if p.hasHeaders(r.name) {
			shell.Arguments = r.args
		}
		_, err = p.sdk.CallTool(ctx, shell)
	case runtime.MethodGetPrompt:
		_, err = p.sdk.GetPrompt(ctx, &mcp.GetPromptParams{Name: r.name})
	case runtime.MethodReadResource:
		_, err = p.sdk.ReadResource(ctx, &mcp.ReadResourceParams{URI: r.name})
	case runtime.MethodComplete:
		_, err = p.sdk.Complete(ctx, &mcp.CompleteParams{Ref: &mcp.CompleteReference{Type: "ref/prompt"}})
	case methodListTools:
		var page *mcp.ListToolsResult
		if page, err = p.sdk.ListTools(ctx, &mcp.ListToolsParams{Cursor: r.cursor}); err == nil {
			usable = page.Tools
		}
	case methodListPrompts:
		_, err = p.sdk.ListPrompts(ctx, &mcp.ListPromptsParams{Cursor: r.cursor})
	case methodListResources:
		_, err = p.sdk.ListResources(ctx, &mcp.ListResourcesParams{Cursor: r.cursor})
	case methodListTemplates:
		_, err = p.sdk.ListResourceTemplates(ctx, &mcp.ListResourceTemplatesParams{Cursor: r.cursor})
	default:
		err = fmt.Errorf("the method %q cannot be sent over HTTP", r.method)
	}
	return usable, err
}

// headerTools makes the shell of a listing: the SDK gets to see the tools that
// want arguments as headers, since it makes those headers, and no others.
func headerTools(result json.RawMessage) (shell json.RawMessage, names []string) {
	var page struct {
		Tools []json.RawMessage `json:"tools"`
	}
	kept := []json.RawMessage{}
	_ = json.Unmarshal(result, &page)
	for _, raw := range page.Tools {
		var tool mcp.Tool
		if bytes.Contains(raw, []byte("x-mcp-header")) && json.Unmarshal(raw, &tool) == nil {
			kept, names = append(kept, raw), append(names, tool.Name)
		}
	}
	shell, err := json.Marshal(map[string]any{"tools": kept})
	if err != nil {
		return json.RawMessage(`{"tools":[]}`), nil
	}
	return shell, names
}

// keepHeaders notes which tools want headers, and which of them the SDK can
// send: it drops the others, as the protocol wants it over HTTP.
func (p *posted) keepHeaders(wanted []string, usable []*mcp.Tool) {
	if len(wanted) == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.headers == nil {
		p.headers = map[string]bool{}
	}
	for _, name := range wanted {
		p.headers[name] = slices.ContainsFunc(usable, func(t *mcp.Tool) bool { return t != nil && t.Name == name })
	}
}

// errHeaders is a tool whose definition asks for headers that no request can
// carry.
var errHeaders = errors.New("its x-mcp-header asks for a header that cannot be sent: a name that is empty, odd or there twice, or a value that is no string, integer or boolean")

// usable implements chooser.
func (p *posted) usable(tool string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if usable, wanted := p.headers[tool]; wanted && !usable {
		return errHeaders
	}
	return nil
}

func (p *posted) hasHeaders(tool string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.headers[tool]
}

func (p *posted) done() <-chan struct{} { return p.client.Gone() }
func (p *posted) cause() error          { return p.client.Lost() }
func (p *posted) skipped() int          { return p.client.Skipped() }

// farewell is how long the server may take to hear that calls are cancelled.
const farewell = 300 * time.Millisecond

// close cancels what is under way, since the SDK waits for it, then says
// goodbye.
func (p *posted) close(ctx context.Context) {
	p.stop()
	patience := time.AfterFunc(farewell, p.client.Abort)
	defer patience.Stop()
	p.mu.Lock()
	active := p.active
	p.mu.Unlock()
	if active > 0 {
		_ = pause(ctx, farewell/3) // the SDK tells the server in the background, and not any more once it closes
	}
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		_ = p.sdk.Close()
	}()
	select {
	case <-closed:
	case <-ctx.Done():
	}
	p.client.Close()
}
