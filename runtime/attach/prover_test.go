package attach_test

// The tests of this package judge with package judge, and look at hosts with package
// agent. Both import it: only a test from outside can hand them in.

import (
	"context"

	"golang.org/x/oauth2"

	"github.com/mcpgen/mcpgen/runtime/agent"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/input"
	"github.com/mcpgen/mcpgen/runtime/attach/pinned"
	"github.com/mcpgen/mcpgen/runtime/attach/token"
	"github.com/mcpgen/mcpgen/runtime/judge"
	"github.com/mcpgen/mcpgen/runtime/naming"
)

var _ = attach.Use(
	judge.New,
	func(h *attach.Host, scheme naming.Scheme) attach.View {
		return agent.NewView(h, &agent.Options{Naming: scheme})
	},
	func(sources map[string]oauth2.TokenSource) []attach.AuthFunc {
		return []attach.AuthFunc{token.Sources(sources)}
	},
	pinned.ByHash,
)

var _ = attach.UseInput(func(h attach.Handlers) attach.Input {
	made := input.Handlers{ElicitURLs: h.ElicitURLs}
	if h.Elicit != nil {
		made.Elicit = func(ctx context.Context, server string, req input.ElicitRequest) (input.ElicitResult, error) {
			res, err := h.Elicit(ctx, server, attach.ElicitRequest(req))
			return input.ElicitResult{Action: input.ElicitAction(res.Action), Content: res.Content}, err
		}
	}
	if h.Sample != nil {
		made.Sample = func(ctx context.Context, server string, req input.SampleRequest) (input.SampleResult, error) {
			res, err := h.Sample(ctx, server, attach.SampleRequest(req))
			return input.SampleResult(res), err
		}
	}
	if h.Roots != nil {
		made.Roots = func(ctx context.Context, server string) ([]input.Root, error) {
			roots, err := h.Roots(ctx, server)
			var all []input.Root
			for _, r := range roots {
				all = append(all, input.Root(r))
			}
			return all, err
		}
	}
	return made
})
