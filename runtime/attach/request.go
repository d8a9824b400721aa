// Requests as JSON, built once for every transport.

package attach

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// request is one request to a server.
type request struct {
	method     string
	name       string            // of the tool, prompt or resource: HTTP sends it in a header as well; "" for others
	headers    map[string]string // arguments of a tool that HTTP sends as headers as well
	members    []member          // of params, without _meta
	meta       []member          // of _meta
	onProgress func(params json.RawMessage)
	passes     bool            // the caller gets a refusal that names pages to visit
	relay      json.RawMessage // capabilities of the client that answers instead; nil: the session answers
	client     json.RawMessage // capabilities of the caller that the session asks; nil: it asks no caller
	responses  json.RawMessage // to the previous round; nil: there was none
	state      json.RawMessage
}

// member is one member of an object.
type member struct {
	name  string
	value json.RawMessage
}

// params returns the parameters of the request, with the members that continue a
// round.
func (r *request) params() json.RawMessage {
	members := slices.Clip(r.members)
	if r.responses != nil {
		members = append(members, member{"inputResponses", r.responses})
	}
	if r.state != nil {
		members = append(members, member{"requestState", r.state})
	}
	if len(r.meta) > 0 {
		members = append(members, member{"_meta", encode(r.meta)})
	}
	return encode(members)
}

// options returns what goes beside the parameters of the request.
func (r *request) options() wire.CallOptions {
	return wire.CallOptions{Name: r.name, Headers: r.headers, OnProgress: r.onProgress}
}

// encode returns an object of members.
func encode(members []member) json.RawMessage {
	size := 2
	for _, m := range members {
		size += len(m.name) + len(m.value) + 4
	}
	b := append(make([]byte, 0, size), '{')
	for i, m := range members {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(jsontext.AppendString(b, m.name), ':'), m.value...)
	}
	return append(b, '}')
}

// quoted returns s as a JSON string.
func quoted(s string) json.RawMessage { return jsontext.AppendString(make([]byte, 0, len(s)+2), s) }

// newRequest translates a request of the program. The error is about the arguments.
func newRequest(req runtime.Request) (*request, error) {
	args, err := object(req.Args)
	if err != nil {
		return nil, err
	}
	r := &request{method: req.Method, name: req.Name}
	switch req.Method {
	case protocol.MethodCallTool:
		if args == nil {
			args = json.RawMessage("{}") // many servers refuse a call without arguments
		}
		r.members = []member{{"name", quoted(req.Name)}, {"arguments", args}}
	case protocol.MethodGetPrompt:
		r.members = []member{{"name", quoted(req.Name)}}
		if args != nil {
			r.members = append(r.members, member{"arguments", args})
		}
	case protocol.MethodReadResource:
		r.members = []member{{"uri", quoted(req.Name)}}
	case protocol.MethodGetTask, protocol.MethodAwaitTask, protocol.MethodUpdateTask, protocol.MethodCancelTask:
		if r.name = taskID(args); r.name == "" {
			return nil, errNoTaskID
		}
		r.members = taskMembers(args)
	case protocol.MethodComplete:
		r.name = ""
		r.members, err = completion(req.Name, args)
		if err != nil {
			return nil, err
		}
	default:
		return nil, &runtime.InvalidArgsError{Reason: fmt.Sprintf("package runtime/protocol does not define the method %q", req.Method)}
	}
	if r.meta, err = metaOf(req.Options.Meta); err != nil {
		return nil, err
	}
	return r, r.goOn(req.Options)
}

// errNoTaskID is the error of a request about a task that has no taskId.
var errNoTaskID error = &runtime.InvalidArgsError{Pointer: "/taskId", Reason: `name the task with {"taskId": …}`}

// goOn adds what continues a call, and the client that answers in it, from the
// options.
func (r *request) goOn(o runtime.Options) error {
	var err error
	if r.relay, err = object(o.Relay); err != nil {
		return &runtime.InvalidArgsError{Reason: "Options.Relay must be one JSON object: the capabilities of the answering client"}
	}
	if r.responses, err = object(o.InputResponses); err != nil {
		return &runtime.InvalidArgsError{Reason: "Options.InputResponses must be one JSON object that maps ids to answers"}
	}
	if r.state = o.RequestState; r.state != nil && !isText(r.state) {
		return &runtime.InvalidArgsError{Reason: "Options.RequestState must be JSON, as the server sent it"}
	}
	if r.client, err = object(o.Session.Client); err != nil {
		return &runtime.InvalidArgsError{Reason: "Options.Session.Client must be one JSON object: the capabilities of the caller"}
	}
	r.passes = r.relay != nil || o.Session.Answers
	return nil
}

// object returns args if they are one JSON object; nil stays nil.
func object(args json.RawMessage) (json.RawMessage, error) {
	if len(bytes.TrimSpace(args)) == 0 {
		return nil, nil
	}
	args, err := jsontext.Whole(args)
	if err != nil || args[0] != '{' || !utf8.Valid(args) { // strict servers fail on bytes that are not UTF-8
		return nil, &runtime.InvalidArgsError{Reason: "arguments must be one JSON object, in UTF-8"}
	}
	return args, nil
}

// isText reports whether bytes are one JSON value in UTF-8.
func isText(raw json.RawMessage) bool { return json.Valid(raw) && utf8.Valid(raw) }

// completion builds the parameters of completion/complete. The arguments are its
// members argument, context and ref; a missing ref is derived from the name.
func completion(name string, args json.RawMessage) ([]member, error) {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(args, &m); err != nil || m["argument"] == nil {
		return nil, &runtime.InvalidArgsError{Pointer: "/argument", Reason: `a completion needs {"argument": {"name": …, "value": …}}`}
	}
	if m["ref"] == nil {
		ref := `{"type":"ref/prompt","name":`
		if strings.Contains(name, "://") {
			ref = `{"type":"ref/resource","uri":`
		}
		m["ref"] = append(append([]byte(ref), quoted(name)...), '}')
	}
	return sorted(m), nil
}

// metaOf returns the caller's members of _meta.
func metaOf(meta map[string]json.RawMessage) ([]member, error) {
	if len(meta) == 0 {
		return nil, nil // as in nearly all calls
	}
	for key, value := range meta {
		if !isText(value) {
			return nil, &runtime.InvalidArgsError{Reason: fmt.Sprintf("_meta: the value of %q is not JSON", key)}
		}
	}
	return slices.DeleteFunc(sorted(meta), func(m member) bool { return reserved(m.name) }), nil
}

// reserved reports whether only the session sets a member of _meta.
func reserved(name string) bool {
	return slices.Contains([]string{"progressToken", mcp.MetaKeyProtocolVersion, mcp.MetaKeyClientInfo, mcp.MetaKeyClientCapabilities}, name)
}

func sorted(m map[string]json.RawMessage) []member {
	var members []member
	for _, name := range slices.Sorted(maps.Keys(m)) {
		members = append(members, member{name, m[name]})
	}
	return members
}
