package attach

import (
	"context"
	"encoding/json"

	"golang.org/x/oauth2"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
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
func Use(judge func([]*codec.Manifest, *drift.Options) Judge, view func(*Host, naming.Scheme) View, tokens func(map[string]oauth2.TokenSource) []AuthFunc, hashes func(...*codec.Manifest) Judge) bool {
	proving, namedView, tokensOf, byHash = judge, view, tokens, hashes
	return true
}
