// Calling a tool by its id, for programs that know tools by nothing else.

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

// Call calls a tool by its id: what any naming scheme makes of it, such as
// mcp.github.list_prs or github__list_prs, the name that [View.Tools] gave it, or
// server/tool. See [naming.Find] for what an id means. Arguments are a JSON object;
// nil is an empty one. The call is that of the registered tool, so it passes the
// middleware and carries the hash of what was listed.
//
// An id that no tool of the servers has, as far as those have been listed or have a
// manifest, is an error that wraps [runtime.ErrUnknownTool]; it names the servers that
// are not ready. One that begins with the name of such a server is a call to it, which
// says why it cannot be made. An id of several tools is an error that names them. Errors are of
// type [*runtime.CallError].
func (v *View) Call(ctx context.Context, id string, args json.RawMessage, opts ...runtime.CallOption) (*runtime.Result, error) {
	p, err := v.find(id)
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
	// It is not offered, and the call says why.
	return v.host.Invoke(ctx, runtime.Request{Server: p.Server, Method: protocol.MethodCallTool, Name: p.Tool, Args: args}.With(opts...))
}

// find returns the tool of an id.
func (v *View) find(id string) (naming.Pair, error) {
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
		if p := naming.FindServer(v.down(), id); p.Server != "" {
			return p, nil
		}
		return naming.Pair{}, fmt.Errorf("%w%s: see the method Tools for the ids", runtime.ErrUnknownTool, v.notReady())
	case 1:
		return found[0], nil
	default:
		return naming.Pair{}, fmt.Errorf("the id is that of %s and of %s: call one of them as server/tool",
			safetext.Words(found[0].String(), maxName), safetext.Words(found[1].String(), maxName))
	}
}

// down are the servers whose tools may not be known.
func (v *View) down() []string {
	var down []string
	for _, st := range v.host.Status() {
		if st.State != attach.Ready {
			down = append(down, st.Server)
		}
	}
	return down
}

// notReady names the servers whose tools may not be known.
func (v *View) notReady() string {
	var down []string
	for _, st := range v.host.Status() {
		if st.State != attach.Ready {
			down = append(down, fmt.Sprintf("%q is %s", safetext.Words(st.Server, maxName), st.State))
		}
	}
	if down == nil {
		return ""
	}
	return " (" + strings.Join(down, ", ") + ")"
}
