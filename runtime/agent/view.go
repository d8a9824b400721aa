// Package agent presents a host to an agent: tools under the names that a model uses,
// in a registry that follows the host, and a block for the system prompt. Programs
// with typed calls do not need it.
//
//	view := agent.NewView(host, nil)
//	stop, err := view.SyncAll(registry)
//	prompt := view.Instructions()
//
// Hosts of package live are their own views, with the names and sections of the
// systems whose files are read.
package agent

import (
	"cmp"
	"sync"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// Options are the settings of a [View]. Nil and the zero value are usable.
type Options struct {
	// Naming makes the names of tools without a manifest; generated tools have
	// generated names. "" is naming.DoubleUnderscore.
	Naming naming.Scheme
	// Native returns the program's own tools, which [View.Tools] adds to the servers'
	// tools. An example is the method Tools of a native.Set, whose Middleware must be
	// the last of [attach.Options.Middleware]. Their names are reserved: a server's
	// tool with such a name gets a suffix. They call through the host. Nil means
	// none.
	Native func(runtime.Invoker) []runtime.Tool
	// Shows reports whether a model is shown the subject of a request. The request's
	// caller is the caller who would send it; "" is the program itself. The method
	// Shows of a policy fits. Nil shows everything.
	Shows func(runtime.Request) bool
	// Sections are appended to [View.Instructions], such as sections of the system
	// whose files are read. A section is left out if an earlier one, or one of the
	// call, is about one of its tools. Nil means none.
	Sections []Section
}

// View is a host as an agent sees it. Its methods are safe for concurrent use. It
// need not be closed.
type View struct {
	host   *attach.Host
	opts   Options
	native []runtime.Tool

	mu       sync.Mutex
	names    names
	offers   map[string]offers // by server
	clashes  []string          // of names, not reported yet
	reported map[string]bool   // clashes that were reported
}

// NewView returns a view of a host. Use one view for each host, since each view
// reports clashes of names once.
func NewView(host *attach.Host, opts *Options) *View {
	v := &View{host: host, offers: map[string]offers{}, reported: map[string]bool{}}
	if opts != nil {
		v.opts = *opts
	}
	if v.opts.Native != nil {
		v.native = v.opts.Native(host)
	}
	return v
}

// Shows reports whether [Options.Shows] shows a model the subject of a request.
func (v *View) Shows(req runtime.Request) bool { return v.opts.Shows == nil || v.opts.Shows(req) }

// showsTool reports whether the model of this program is shown a tool.
func (v *View) showsTool(spec runtime.Spec) bool {
	return v.Shows(runtime.Request{Server: spec.Server, Method: protocol.MethodCallTool, Name: cmp.Or(spec.Tool, spec.Name)})
}

// Scheme returns the naming scheme of the view.
func (v *View) Scheme() naming.Scheme { return cmp.Or(v.opts.Naming, naming.DoubleUnderscore) }

// Name returns the name that the view gives a tool of a server, whether or not the
// tool may be called now; "" if the server never listed it.
func (v *View) Name(server, tool string) string {
	var names map[naming.Pair]string
	v.locked(func() { names, _ = v.assign() }) // a tool that cannot be named has no name
	return names[naming.Pair{Server: server, Tool: tool}]
}
