package attach

import (
	"context"
	"encoding/json"
	"iter"
	"time"

	"golang.org/x/oauth2"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// proving makes the judge of the tests.
var proving func([]*codec.Manifest, *drift.Options) Judge

// byHash is the judge that links no prover.
var byHash func(...*codec.Manifest) Judge

// namedView makes of a host what an agent sees of it.
var namedView func(*Host, naming.Scheme) View

// tokensOf makes what the option Auth takes of token sources.
var tokensOf func(map[string]oauth2.TokenSource) []AuthFunc

// byRunner finds the runners of servers.
var byRunner func(endpoint.Server) Runner

// companions has the options that packages which import this one fill.
var companions Options

// withCompanions returns options with what companions do.
func withCompanions(opts *Options) *Options {
	var o Options
	if opts != nil {
		o = *opts
	}
	o.Tasks, o.Updates = companions.Tasks, companions.Updates
	return &o
}

// callersWith keeps sessions for callers with every server.
var callersWith func(most int, idle time.Duration) func(endpoint.Server) CallerSessions

// UseCallers sets it.
func UseCallers(f func(int, time.Duration) func(endpoint.Server) CallerSessions) bool {
	callersWith = f
	return true
}

// eventsOf is the stream of what happens to a host.
var eventsOf func(context.Context, *Host) iter.Seq[event.Event]

// UseCompanions sets them.
func UseCompanions(o Options, events func(context.Context, *Host) iter.Seq[event.Event]) bool {
	companions, eventsOf = o, events
	return true
}

// View is what the tests use of an agent's view.
type View interface {
	Tools() ([]runtime.Tool, error)
	Specs(server string) []runtime.Spec
	Call(ctx context.Context, id string, args json.RawMessage, opts ...runtime.CallOption) (*runtime.Result, error)
	Sync(reg runtime.Registrar, tools ...runtime.Tool) (stop func(), err error)
	SyncAll(reg runtime.Registrar) (stop func(), err error)
}

// viewOf is a view by the names of the default scheme.
func viewOf(h *Host) View { return namedView(h, "") }

// Use sets what the tests have of packages that import this one.
func Use(judge func([]*codec.Manifest, *drift.Options) Judge, view func(*Host, naming.Scheme) View, tokens func(map[string]oauth2.TokenSource) []AuthFunc, runner func(endpoint.Server) Runner, hashes func(...*codec.Manifest) Judge) bool {
	proving, namedView, tokensOf, byRunner, byHash = judge, view, tokens, runner, hashes
	return true
}
