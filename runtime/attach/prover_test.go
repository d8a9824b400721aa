package attach_test

// The tests of this package judge with package judge, and look at hosts with package
// agent. Both import it: only a test from outside can hand them in.

import (
	"golang.org/x/oauth2"

	"github.com/mcpgen/mcpgen/runtime/agent"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/install"
	"github.com/mcpgen/mcpgen/runtime/attach/pinned"
	"github.com/mcpgen/mcpgen/runtime/attach/token"
	"github.com/mcpgen/mcpgen/runtime/judge"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/schema/drift"
)

var _ = attach.Use(
	func(o *drift.Options) attach.Judge { return judge.New(o) },
	func(h *attach.Host, scheme naming.Scheme) attach.View {
		return agent.NewView(h, &agent.Options{Naming: scheme})
	},
	func(sources map[string]oauth2.TokenSource) []attach.AuthFunc {
		return []attach.AuthFunc{token.Sources(sources)}
	},
	install.ByRunner,
	pinned.ByHash(),
)
