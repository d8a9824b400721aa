// Package agent has a host as an agent sees it: tools under the names that a model
// calls them by, in a registry that follows the host, and a block for the system
// prompt. A program of typed calls does not need it.
//
//	view := agent.NewView(host, nil)
//	stop, err := view.SyncAll(registry)
//	prompt := view.Instructions()
//
// The hosts of package live are views of themselves, by the names and with the
// sections of the systems whose files are read.
package agent

import (
	"cmp"
	"sync"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// Options are the settings of a [View]. Nil, like the zero value, is usable.
type Options struct {
	// Naming makes the names of tools without a manifest; the others have theirs
	// from there. "" is naming.DoubleUnderscore.
	Naming naming.Scheme
	// Native are tools of the program's own that [View.Tools] has beside those of
	// servers, such as the method Tools of a native.Set, whose Middleware has to be
	// the last of [attach.Options.Middleware]. Their names are theirs alone: a
	// server's tool that asks for one gets a suffix. They call through the host. Nil
	// is none.
	Native func(runtime.Invoker) []runtime.Tool
	// Shows reports whether a model is shown what a request is about; the caller of the
	// request is who would make it, "" the program itself. It is the method Shows of a
	// policy. Nil shows everything.
	Shows func(runtime.Request) bool
	// Sections end [View.Instructions] of their own accord, such as those of the
	// system whose files are read. One is left out where a section of the call, or
	// an earlier one here, is about one of its tools. Nil means none.
	Sections []Section
}

// View is a host as an agent sees it. Its methods are safe for concurrent use. It
// needs no closing.
type View struct {
	host   *attach.Host
	opts   Options
	native []runtime.Tool

	mu       sync.Mutex
	names    names
	offers   map[string]offers // by server
	clashes  []string          // of names, to be reported
	reported map[string]bool   // clashes that were
}

// NewView returns a view of a host. Use one for each host: names that meet are
// reported once by each view.
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

// Shows reports whether a model is shown what a request is about, by [Options.Shows].
func (v *View) Shows(req runtime.Request) bool { return v.opts.Shows == nil || v.opts.Shows(req) }

// showsTool does it for a tool, to the model of this program.
func (v *View) showsTool(spec runtime.Spec) bool {
	return v.Shows(runtime.Request{Server: spec.Server, Method: protocol.MethodCallTool, Name: cmp.Or(spec.Tool, spec.Name)})
}

// Scheme returns the naming scheme of the view.
func (v *View) Scheme() naming.Scheme { return cmp.Or(v.opts.Naming, naming.DoubleUnderscore) }

// Name returns the name that the view gives a tool of a server, whether or not the
// tool may be called now; "" if the server never listed it.
func (v *View) Name(server, tool string) string {
	var names map[naming.Pair]string
	v.locked(func() { names, _ = v.assign() }) // what cannot be named has none
	return names[naming.Pair{Server: server, Tool: tool}]
}
