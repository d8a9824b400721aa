package input

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// Handlers are functions of a program that answer servers. They implement
// [attach.Input].
type Handlers struct {
	// Elicit answers servers that request input of a person. If nil, each request is
	// declined with one line to the log, and the capability is not declared to
	// servers.
	Elicit ElicitFunc
	// ElicitURLs says that Elicit also handles requests to open a page. Otherwise
	// such requests are declined without calling it.
	ElicitURLs bool
	// Sample answers servers that request a model's answer. If nil, such requests are
	// refused, and the capability is not declared to servers.
	Sample SampleFunc
	// Roots returns what the program works with. If nil, no roots are listed.
	Roots RootsFunc
}

// Offers implements [attach.Input].
func (h Handlers) Offers() endpoint.Offers {
	return endpoint.Offers{Forms: h.Elicit != nil, Pages: h.Elicit != nil && h.ElicitURLs, Sampling: h.Sample != nil, Roots: h.Roots != nil}
}

// Answer implements [attach.Input].
func (h Handlers) Answer(ctx context.Context, server, method string, params json.RawMessage) (answer json.RawMessage, declined string, err error) {
	switch {
	case method == "elicitation/create" && h.Elicit != nil:
		return h.elicit(ctx, server, params)
	case method == "sampling/createMessage" && h.Sample != nil:
		answer, err = h.sample(ctx, server, params)
	case method == "roots/list" && h.Roots != nil:
		answer, err = h.roots(ctx, server)
	default:
		err = &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "this client does not answer requests of this kind"}
	}
	return answer, "", err
}

// The answers of a person without content.
const (
	accept  = `{"action":"accept"}`
	decline = `{"action":"decline"}`
	cancel  = `{"action":"cancel"}`
)

// elicit calls the program's handler. A request that cannot be shown to it is
// declined.
func (h Handlers) elicit(ctx context.Context, server string, params json.RawMessage) (answer json.RawMessage, declined string, err error) {
	var p struct {
		Message string          `json:"message"`
		Mode    string          `json:"mode"`
		Schema  json.RawMessage `json:"requestedSchema"`
		URL     string          `json:"url"`
		ID      string          `json:"elicitationId"`
	}
	_ = json.Unmarshal(params, &p) // a member of the wrong type counts as absent
	page := p.Mode == "url" || p.URL != ""
	switch {
	case page && !isPage(p.URL):
		return nil, "the page is not http or https", nil
	case !page && p.Mode != "" && p.Mode != "form":
		return nil, "unknown kind of input", nil
	}
	req := ElicitRequest{Message: p.Message, Schema: jsontext.Present(p.Schema), URL: p.URL, ID: p.ID}
	if page {
		req.Schema = nil
	}
	res, err := h.Elicit(ctx, server, req)
	if err != nil {
		return refused(err)
	}
	switch res.Action {
	case ElicitAccept:
	case ElicitCancel:
		return json.RawMessage(cancel), "", nil
	default:
		return json.RawMessage(decline), "", nil
	}
	if page {
		return json.RawMessage(accept), "", nil
	}
	content, err := filled(res.Content, req.Schema)
	if err != nil {
		return refused(err)
	}
	return json.RawMessage(`{"action":"accept","content":` + string(content) + `}`), "", nil
}

// isPage reports whether a page may be opened: addresses with other schemes run code
// or read files.
func isPage(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}

// refused turns the error of a handler into an answer. If a context ended, the person
// did not answer.
func refused(err error) (answer json.RawMessage, declined string, _ error) {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return json.RawMessage(cancel), "", nil
	}
	return nil, err.Error(), nil
}

// filled returns the values of a form. Missing values are the defaults of its schema.
func filled(content any, schema json.RawMessage) (json.RawMessage, error) {
	data, err := json.Marshal(content)
	if err != nil {
		return nil, fmt.Errorf("cannot encode the content of the answer as JSON: %w", err)
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

func (h Handlers) sample(ctx context.Context, server string, params json.RawMessage) (json.RawMessage, error) {
	var p struct {
		Messages json.RawMessage `json:"messages"`
		System   string          `json:"systemPrompt"`
		Max      json.Number     `json:"maxTokens"`
		Tools    json.RawMessage `json:"tools"`
		Choice   json.RawMessage `json:"toolChoice"`
	}
	_ = json.Unmarshal(params, &p)
	if jsontext.Present(p.Tools) != nil || jsontext.Present(p.Choice) != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "this client does not declare sampling.tools, so tools and toolChoice are not allowed"}
	}
	messages := p.Messages
	if messages == nil {
		messages = json.RawMessage("null")
	}
	// The messages have the form of a prompt's messages.
	prompt, err := runtime.Request{Method: protocol.MethodGetPrompt}.ParseResult(append(append([]byte(`{"messages":`), messages...), '}'))
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the messages cannot be read"}
	}
	req := SampleRequest{Messages: prompt.Content, System: p.System, Raw: params}
	if n, err := p.Max.Int64(); err == nil {
		req.MaxTokens = int(n)
	}
	res, err := h.Sample(ctx, server, req)
	if err != nil {
		return nil, err
	}
	content := res.Content
	if content == nil {
		if content, err = json.Marshal(map[string]string{"type": "text", "text": res.Text}); err != nil {
			return nil, err
		}
	}
	return json.Marshal(map[string]any{
		"role": "assistant", "model": res.Model, "content": content, "stopReason": cmp.Or(res.StopReason, "endTurn"),
	})
}

func (h Handlers) roots(ctx context.Context, server string) (json.RawMessage, error) {
	roots, err := h.Roots(ctx, server)
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
