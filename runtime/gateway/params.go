// The parameters of requests: a request of an unknown method, or with parameters of
// another form, is refused in the protocol's words. The SDK names its Go types.

package gateway

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// object is any JSON object, or null. It is not decoded further.
type object struct{}

// The forms of parameters. Members that are not in them may have any form.
type (
	pageForm struct {
		Cursor string `json:"cursor"`
		Meta   object `json:"_meta"`
	}
	callForm struct {
		Name      string `json:"name"`
		Arguments object `json:"arguments"`
		Responses object `json:"inputResponses"`
		State     string `json:"requestState"`
		Meta      object `json:"_meta"`
	}
	promptForm struct {
		Name      string            `json:"name"`
		Arguments map[string]string `json:"arguments"`
		Responses object            `json:"inputResponses"`
		State     string            `json:"requestState"`
		Meta      object            `json:"_meta"`
	}
	resourceForm struct {
		URI       string `json:"uri"`
		Responses object `json:"inputResponses"`
		State     string `json:"requestState"`
		Meta      object `json:"_meta"`
	}
	completeForm struct {
		Ref struct {
			Type string `json:"type"`
			Name string `json:"name"`
			URI  string `json:"uri"`
		} `json:"ref"`
		Argument struct {
			Name  string `json:"name"`
			Value string `json:"value"`
		} `json:"argument"`
		Context struct {
			Arguments map[string]string `json:"arguments"`
		} `json:"context"`
		Meta object `json:"_meta"`
	}
	taskForm struct {
		TaskID    string `json:"taskId"`
		Responses object `json:"inputResponses"`
		Meta      object `json:"_meta"`
	}
	levelForm struct {
		Level string `json:"level"`
		Meta  object `json:"_meta"`
	}
	initializeForm struct {
		Version      string                 `json:"protocolVersion"`
		Capabilities mcp.ClientCapabilities `json:"capabilities"`
		Client       mcp.Implementation     `json:"clientInfo"`
		Meta         object                 `json:"_meta"`
	}
)

// formOf returns an empty value of the form of a request's parameters, and whether the
// request must have parameters. It is nil for an unknown method.
func formOf(method string) (form any, required bool) {
	switch method {
	case "tools/list", "prompts/list", "resources/list", "resources/templates/list":
		return new(pageForm), false
	case "ping", "server/discover":
		return new(struct {
			Meta object `json:"_meta"`
		}), false
	case listening:
		return new(mcp.SubscriptionsListenParams), true
	case "initialize":
		return new(initializeForm), true
	case protocol.MethodCallTool:
		return new(callForm), true
	case protocol.MethodGetPrompt:
		return new(promptForm), true
	case protocol.MethodReadResource, protocol.MethodSubscribe, "resources/unsubscribe":
		return new(resourceForm), true
	case protocol.MethodComplete:
		return new(completeForm), true
	case "logging/setLevel":
		return new(levelForm), true
	}
	if slices.Contains(taskMethods, method) {
		return new(taskForm), true
	}
	return nil, false
}

// refuseRequest returns why a message is not a request that the gateway takes; nil if it
// is, or if it is no request.
func refuseRequest(m *message) *refusal {
	if !m.isCall() {
		return nil
	}
	name, params := m.name(), m.params
	wrong := func(format string, args ...any) *refusal {
		return refused(jsonrpc.CodeInvalidParams, m.id, fmt.Sprintf(format, args...))
	}
	form, required := formOf(name)
	switch {
	case form == nil:
		return refused(jsonrpc.CodeMethodNotFound, m.id, fmt.Sprintf("the method %q is unknown", printable(name)))
	case len(params) == 0 || jsontext.IsNull(params):
		if required {
			return wrong("params is missing: %s needs it", name)
		}
		return nil
	}
	if name == protocol.MethodCallTool && isPlainCall(params) {
		return nil
	}
	err := json.Unmarshal(params, form)
	if typed, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		at := strings.TrimSuffix("params."+typed.Field, ".")
		return wrong("%s: want %s, found %s", at, wordOf(typed.Type), foundWord(typed.Value))
	}
	if err != nil {
		return wrong("params: they do not have the form of %s", name)
	}
	if c, ok := form.(*completeForm); ok && c.Ref.Type != "ref/prompt" && c.Ref.Type != "ref/resource" {
		return wrong("params.ref.type: want ref/prompt or ref/resource, found %q", printable(c.Ref.Type))
	}
	return nil
}

// isPlainCall reports whether parameters have the form of [callForm]. To decode them for
// that would cost as much as all else that the edge does.
func isPlainCall(params []byte) bool {
	if params[0] != '{' {
		return false
	}
	for m := jsontext.NewItems(params); m.Next(); {
		begins := byte('{')
		switch string(m.Key()) {
		case "name":
			begins = '"'
		case "arguments", "_meta":
		default:
			return false
		}
		if m.Value[0] != begins {
			return false
		}
	}
	return true
}

// wordOf returns the JSON type that a Go type is decoded from.
func wordOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "a boolean"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.Struct, reflect.Map, reflect.Pointer, reflect.Interface:
		return "an object"
	}
	return "a number"
}

// foundWord returns the JSON type of a value as [json.UnmarshalTypeError] describes it.
func foundWord(value string) string {
	kind, _, _ := strings.Cut(value, " ") // a number follows its type
	switch kind {
	case "object", "array":
		return "an " + kind
	case "bool":
		return "a boolean"
	}
	return "a " + kind
}

// writeTo answers a request over HTTP. Before 2026-07-28, a request that is not taken is
// answered like any other.
func (r *refusal) writeTo(w http.ResponseWriter, req *http.Request) {
	isModern := req.Header.Get("Mcp-Protocol-Version") >= modern
	switch code := r.fault.Code; {
	case code == jsonrpc.CodeMethodNotFound && isModern:
		r.write(w, http.StatusNotFound)
	case code == jsonrpc.CodeMethodNotFound || code == jsonrpc.CodeInvalidParams && !isModern:
		r.write(w, http.StatusOK)
	default:
		r.write(w, http.StatusBadRequest)
	}
}
