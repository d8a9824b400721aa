// The whole surface of a server.

package attach

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema"
)

// Extensions adds the items of protocol extensions to a snapshot: skills and apps. It
// reads resources with read. [extension.Complete] implements it.
//
// [extension.Complete]: https://pkg.go.dev/github.com/mcpgen/mcpgen/schema/extension#Complete
type Extensions func(ctx context.Context, snap *schema.Snapshot, read func(ctx context.Context, uri string) (json.RawMessage, error)) ([]schema.Problem, error)

// snapshot lists everything that the server's capabilities declare, and always the
// tools.
func (s *session) snapshot(ctx context.Context, extensions Extensions) (*schema.Snapshot, []schema.Problem, error) {
	snap := &schema.Snapshot{
		Server: s.server.Name, ProtocolVersion: s.protocol,
		Identity: s.handshake.identity, Capabilities: s.handshake.capabilities, Instructions: s.handshake.instructions,
	}
	if declares := s.handlers.declares; declares != (endpoint.Offers{}) {
		snap.ClientCapabilities = declares.Capabilities()
	}
	for what, raw := range map[string]json.RawMessage{"serverInfo": snap.Identity, "capabilities": snap.Capabilities} {
		if raw == nil {
			continue
		}
		if _, err := schema.Canonical(raw); err != nil {
			return nil, nil, hint.With(fmt.Errorf("%s in the handshake: %w", what, err), "fix the server, or report the bug to its author")
		}
	}
	var problems []schema.Problem
	for _, l := range listings() {
		if l.capability != "" && !s.handshake.has(l.capability) || l.kind == schema.KindSkill && extensions == nil {
			continue
		}
		list := s.list
		if l.kind == schema.KindTool {
			list = s.toolsOnce
		}
		items, odd, err := list(ctx, l)
		if err != nil && isMethodNotFound(err) && !(l.kind == schema.KindTool && s.handshake.has("tools")) {
			// Servers with resources often have no templates, and report it by this
			// error.
			if l.kind != schema.KindTool && l.kind != schema.KindTemplate {
				problems = append(problems, schema.Problem{Kind: l.kind, Reason: "the server declares " + l.member + " but does not list them"})
			}
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		*snap.List(l.kind) = items
		problems = append(problems, odd...)
	}
	if extensions != nil {
		odd, err := extensions(ctx, snap, func(ctx context.Context, uri string) (json.RawMessage, error) {
			r := &request{method: protocol.MethodReadResource, name: uri, members: []member{{"uri", quoted(uri)}}, meta: s.meta}
			raw, _, err := received(s.Call(ctx, r.method, r.params(), r.options()))
			return raw, err
		})
		if err != nil {
			return nil, nil, err
		}
		for _, p := range odd {
			p.Pointer, p.Reason = safetext.Cut(p.Pointer, 200), s.mask(safetext.Words(p.Reason, 400))
			problems = append(problems, p)
		}
	}
	if len(snap.Tools) == 0 && !s.server.AllowEmpty {
		return nil, nil, errNoTools(problems)
	}
	return snap, problems, nil
}

// errNoTools returns the error of a listing without a usable tool, with the reasons why tools were left out.
func errNoTools(problems []schema.Problem) error {
	var why []string
	for _, p := range problems {
		if p.Kind == schema.KindTool && p.Name+p.Pointer != "" {
			why = append(why, strings.TrimSpace(p.Name+" "+p.Pointer)+": "+p.Reason)
		}
	}
	if len(why) > 0 {
		return fmt.Errorf("mcpgen cannot use any tool that the server lists: %s", strings.Join(why, "; "))
	}
	return hint.With(ErrEmpty, "if the server really has no tools, set allow_empty")
}

// toolsOnce returns the tools of the last listing, if no snapshot has them yet and
// the server has not reported a change since; else it lists them.
func (s *session) toolsOnce(ctx context.Context, l listing) ([]schema.Item, []schema.Problem, error) {
	x := s.tools.Load()
	if x == nil || len(s.changed) > 0 || x.listing.handed.Swap(true) {
		return s.list(ctx, l)
	}
	return x.items.inOrder(), x.found, nil
}
