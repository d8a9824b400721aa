// Answering what servers ask, the same for every transport and revision: as
// requests of theirs, and since 2026-07-28 inside the answers to ours.

package attach

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/quote"
)

// What servers may ask for.
const (
	elicitation = "elicitation/create"
	sampling    = "sampling/createMessage"
	listRoots   = "roots/list"
)

const (
	maxAsking  = 8   // handlers of one session at the same time
	maxWaiting = 100 // requests of a server that wait for their turn
)

// errNobody is a request that this program has no answer for.
var errNobody = errors.New("nobody here answers that")

// clientHandlers answers the requests of one server.
type clientHandlers struct {
	settings
	server  string
	mask    func(string) string
	drops   *drops
	turns   chan struct{}
	waiting atomic.Int64
	visits  visits
}

func (o *opener) newClientHandlers() *clientHandlers {
	return &clientHandlers{settings: o.settings, server: o.server.Name, mask: o.mask, drops: o.drops, turns: make(chan struct{}, maxAsking)}
}

// capabilities are those of this client: what the server may request.
func (a *clientHandlers) capabilities() *mcp.ClientCapabilities {
	c := &mcp.ClientCapabilities{}
	if a.Elicit != nil {
		c.Elicitation = &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}}
		if a.ElicitURLs {
			c.Elicitation.URL = &mcp.URLElicitationCapabilities{}
		}
	}
	if a.Sample != nil {
		//lint:ignore SA1019 servers of all revisions before 2026-07-28 ask this way
		c.Sampling = &mcp.SamplingCapabilities{}
	}
	if a.Roots != nil {
		//lint:ignore SA1019 servers of all revisions before 2026-07-28 ask this way
		c.RootsV2 = &mcp.RootCapabilities{}
	}
	return c
}

// offers are the capabilities as every request carries them since 2026-07-28.
func (a *clientHandlers) offers() json.RawMessage {
	none := struct{}{}
	all := map[string]any{}
	if a.Elicit != nil {
		kinds := map[string]any{"form": none}
		if a.ElicitURLs {
			kinds["url"] = none
		}
		all["elicitation"] = kinds
	}
	if a.Sample != nil {
		all["sampling"] = none
	}
	if a.Roots != nil {
		all["roots"] = none
	}
	data, _ := json.Marshal(all) // names alone always can be written
	return data
}

// answer answers one request. It is errNobody if the program does not answer
// such requests, and there is no polite way to say no.
func (a *clientHandlers) answer(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	switch {
	case method == elicitation:
		if a.Elicit == nil { // which costs the server nothing, so it is worth a bounded number of lines
			ok, before := a.drops.mayLog()
			if !ok {
				return json.RawMessage(declined), nil
			}
			a.noteLeftOut(before)
		}
		raw, err := a.elicit(ctx, params)
		a.logAnswer(raw, err)
		return raw, err
	case method == sampling && a.Sample != nil:
		return a.sample(ctx, params)
	case method == listRoots && a.Roots != nil:
		return a.roots(ctx)
	}
	return nil, errNobody
}

// logAnswer records the elicitation response.
func (a *clientHandlers) logAnswer(answer json.RawMessage, err error) {
	var said struct{ Action string }
	_ = json.Unmarshal(answer, &said) // there is none where there is an error
	a.settings.notifier.event(runtime.Event{Kind: runtime.EventElicitation, Server: a.server, Detail: said.Action, Err: err})
}

// turn waits until a handler may be called. The function gives the turn back.
func (a *clientHandlers) turn(ctx context.Context) (func(), error) {
	defer a.waiting.Add(-1)
	if a.waiting.Add(1) > maxWaiting {
		return nil, fmt.Errorf("more than %d requests wait for an answer", maxWaiting)
	}
	select {
	case a.turns <- struct{}{}:
		return func() { <-a.turns }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// elicit asks the program's handler. All that cannot be asked is declined.
func (a *clientHandlers) elicit(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
	var p struct {
		Message string          `json:"message"`
		Mode    string          `json:"mode"`
		Schema  json.RawMessage `json:"requestedSchema"`
		URL     string          `json:"url"`
		ID      string          `json:"elicitationId"`
	}
	_ = json.Unmarshal(params, &p) // what is of the wrong type counts as absent
	page := p.Mode == "url" || p.URL != ""
	switch {
	case a.Elicit == nil:
		return a.decline(p.Message, "no interactive UI")
	case page && !a.ElicitURLs:
		return a.decline(p.Message, "this program does not open pages")
	case page && !isPage(p.URL):
		return a.decline(p.Message, "the page is not http or https")
	case !page && p.Mode != "" && p.Mode != "form":
		return a.decline(p.Message, "unknown kind of input")
	}
	done, err := a.turn(ctx)
	if err != nil {
		return a.refused(p.Message, err)
	}
	defer done()
	req := ElicitRequest{Message: p.Message, Schema: present(p.Schema), URL: p.URL, ID: p.ID}
	if page {
		req.Schema = nil
	}
	res, err := a.Elicit(ctx, a.server, req)
	if err != nil {
		return a.refused(p.Message, err)
	}
	switch res.Action {
	case ElicitAccept:
	case ElicitCancel:
		return json.RawMessage(`{"action":"cancel"}`), nil
	default:
		return json.RawMessage(declined), nil
	}
	if page {
		return json.RawMessage(`{"action":"accept"}`), nil
	}
	content, err := filled(res.Content, req.Schema)
	if err != nil {
		return a.refused(p.Message, err)
	}
	return json.RawMessage(`{"action":"accept","content":` + string(content) + `}`), nil
}

// isPage reports whether a page may be opened at all: with other schemes, what
// looks like an address runs code or reads files.
func isPage(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}

// decline says no, with one line to the log.
func (a *clientHandlers) decline(message, why string) (json.RawMessage, error) {
	message = a.mask(quote.Line(message, 200))
	a.log.Warn(fmt.Sprintf("MCP server %q requested elicitation (message: %s); declined (%s)", a.server, message, why))
	return json.RawMessage(declined), nil
}

// declined is the answer to a request for input that nobody takes.
const declined = `{"action":"decline"}`

// noteLeftOut says how many lines of the server were not logged.
func (a *clientHandlers) noteLeftOut(lines int) {
	if lines > 0 {
		a.log.Warn(fmt.Sprintf("MCP server %q: %d lines were left out: %s", a.server, lines, errLines))
	}
}

// refused turns the error of a handler into an answer: a context that ended is a
// person who did not say anything.
func (a *clientHandlers) refused(message string, err error) (json.RawMessage, error) {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return json.RawMessage(`{"action":"cancel"}`), nil
	}
	return a.decline(message, quote.Line(err.Error(), 200))
}

// filled returns the values of a form, with the defaults of its schema for those
// that are missing.
func filled(content any, schema json.RawMessage) (json.RawMessage, error) {
	data, err := json.Marshal(content)
	if err != nil {
		return nil, fmt.Errorf("the content of the answer cannot be written: %w", err)
	}
	values := map[string]json.RawMessage{}
	if err := json.Unmarshal(data, &values); err != nil {
		return nil, errors.New("the content of the answer is not a JSON object")
	}
	if values == nil {
		values = map[string]json.RawMessage{} // it was null
	}
	var form struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	_ = json.Unmarshal(schema, &form)
	for name, property := range form.Properties {
		var p map[string]json.RawMessage
		if _, given := values[name]; !given && json.Unmarshal(property, &p) == nil && p["default"] != nil {
			values[name] = p["default"]
		}
	}
	return json.Marshal(values)
}

func (a *clientHandlers) sample(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
	var p struct {
		Messages json.RawMessage `json:"messages"`
		System   string          `json:"systemPrompt"`
		Max      json.Number     `json:"maxTokens"`
	}
	_ = json.Unmarshal(params, &p)
	// The messages have the shape of a prompt's.
	prompt, err := runtime.ParseResult(runtime.MethodGetPrompt, append(append([]byte(`{"messages":`), orNull(p.Messages)...), '}'))
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the messages cannot be read"}
	}
	done, err := a.turn(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	req := SampleRequest{Messages: prompt.Content, System: p.System, Raw: params}
	if n, err := p.Max.Int64(); err == nil {
		req.MaxTokens = int(n)
	}
	res, err := a.Sample(ctx, a.server, req)
	if err != nil {
		return nil, err
	}
	content := res.Content
	if content == nil {
		content = json.RawMessage(`{"type":"text","text":` + string(quoted(res.Text)) + `}`)
	}
	return json.Marshal(map[string]any{
		"role": "assistant", "model": res.Model, "content": content, "stopReason": stopReason(res.StopReason),
	})
}

func stopReason(s string) string {
	if s == "" {
		return "endTurn"
	}
	return s
}

func orNull(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return json.RawMessage("null")
	}
	return raw
}

func (a *clientHandlers) roots(ctx context.Context) (json.RawMessage, error) {
	roots, err := a.Roots(ctx, a.server)
	if err != nil {
		return nil, err
	}
	type root struct {
		URI  string `json:"uri"`
		Name string `json:"name,omitempty"`
	}
	list := []root{}
	for _, r := range roots {
		list = append(list, root(r))
	}
	return json.Marshal(map[string]any{"roots": list})
}

// onLog passes the server's own log on.
func (a *clientHandlers) onLog(ctx context.Context, req *mcp.LoggingMessageRequest) {
	if req.Params == nil {
		return
	}
	ok, before := a.drops.mayLog()
	if !ok {
		return
	}
	a.noteLeftOut(before)
	text, isText := req.Params.Data.(string)
	if !isText {
		data, err := json.Marshal(req.Params.Data)
		if err != nil {
			return
		}
		text = string(data)
	}
	a.log.LogAttrs(ctx, level(req.Params.Level), a.mask(quote.Line(text, 2000)),
		slog.String("server", a.server), slog.String("logger", a.mask(quote.Line(req.Params.Logger, 100))))
}

//lint:ignore SA1019 servers of all revisions before 2026-07-28 log this way
func level(l mcp.LoggingLevel) slog.Level {
	switch l {
	case "debug":
		return slog.LevelDebug
	case "warning":
		return slog.LevelWarn
	case "error", "critical", "alert", "emergency":
		return slog.LevelError
	}
	return slog.LevelInfo
}
