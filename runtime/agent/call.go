// Calling a tool by its ID, for programs that know tools by nothing else.

package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/internal/stage"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// maxName is how much of a name errors show, in bytes.
const maxName = 200

// Call calls a tool by its ID: its name in any naming scheme, such as
// mcp.github.list_prs or github__list_prs, the name that [View.Tools] gave it, or
// server/tool. [naming.Find] describes how ids are resolved. Arguments are a JSON
// object; nil is an empty one. The registered tool is called, so the call passes the
// middleware and carries the hash of the listed definition.
//
// An unknown ID is an error that wraps [runtime.ErrUnknownTool]; it names the servers
// that are not ready. Tools are known from a listing or from a manifest. If an
// unknown ID begins with the name of a server that is not ready, the call is sent to
// that server, and its error says why it fails. An ID of several tools is an error
// that names them. Errors are of type [*runtime.CallError].
func (v *View) Call(ctx context.Context, id string, args json.RawMessage, opts ...runtime.CallOption) (*runtime.Result, error) {
	p, err := v.Find(id)
	if err != nil {
		return nil, &runtime.CallError{Name: safetext.Words(id, maxName), Stage: stage.Route, Err: err}
	}
	list, err := v.offersOf(p.Server)
	if err != nil {
		return nil, &runtime.CallError{Server: p.Server, Name: p.Tool, Stage: stage.Route, Err: err}
	}
	for _, o := range list {
		if o.Spec().Tool == p.Tool {
			return o.Call(ctx, args, opts...)
		}
	}
	// The tool is not offered, and the call returns the reason.
	return v.host.Invoke(ctx, runtime.Request{Server: p.Server, Method: protocol.MethodCallTool, Name: p.Tool, Args: args}.With(opts...))
}

// Find returns the server and the tool of an ID, as [View.Call] does.
func (v *View) Find(id string) (naming.Pair, error) {
	var names map[naming.Pair]string
	var err error
	v.locked(func() { names, err = v.assign() })
	if err != nil {
		return naming.Pair{}, err
	}
	known := make([]naming.Pair, 0, len(names))
	for p := range names {
		known = append(known, p)
	}
	switch found := naming.Find(v.opts.Naming, known, names, id); len(found) {
	case 0:
		down, text := v.notReady()
		if p := naming.FindServer(down, id); p.Server != "" {
			return p, nil
		}
		return naming.Pair{}, fmt.Errorf("%w%s: the method Tools lists the ids", runtime.ErrUnknownTool, text)
	case 1:
		return found[0], nil
	default:
		return naming.Pair{}, fmt.Errorf("%s and %s have the same id: call one of them as server/tool",
			safetext.Words(found[0].String(), maxName), safetext.Words(found[1].String(), maxName))
	}
}

// notReady returns the servers whose tools may be unknown, also as a text.
func (v *View) notReady() (servers []string, text string) {
	var states []string
	for _, st := range v.host.Status() {
		if st.State != attach.Ready {
			servers = append(servers, st.Server)
			states = append(states, fmt.Sprintf("%q is %s", safetext.Words(st.Server, maxName), st.State))
		}
	}
	if states != nil {
		text = " (" + strings.Join(states, ", ") + ")"
	}
	return servers, text
}
