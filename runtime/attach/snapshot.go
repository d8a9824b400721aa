// The whole surface of a server, listed afresh.

package attach

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/quote"
	"github.com/mcpgen/mcpgen/schema"
)

// snapshot lists everything that the server's capabilities declare, and the
// tools always.
func (s *session) snapshot(ctx context.Context) (*schema.Snapshot, []schema.Problem, error) {
	snap := &schema.Snapshot{
		Server: s.server.Name, ProtocolVersion: s.protocol,
		Identity: s.handshake.identity, Capabilities: s.handshake.capabilities, Instructions: s.handshake.instructions,
	}
	for what, raw := range map[string]json.RawMessage{"serverInfo": snap.Identity, "capabilities": snap.Capabilities} {
		if raw == nil {
			continue
		}
		if _, err := schema.Canonical(raw); err != nil {
			return nil, nil, fmt.Errorf("%s in the handshake: %w: this has to be fixed in the server", what, err)
		}
	}
	var problems []schema.Problem
	for _, l := range listings() {
		if l.capability != "" && !s.handshake.has(l.capability) {
			continue
		}
		items, odd, err := s.list(ctx, l)
		if err != nil && isMethodNotFound(err) && !(l.kind == schema.KindTool && s.handshake.has("tools")) {
			// Servers with resources often have no templates, and say so like this.
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
	odd, err := s.apps(ctx, snap)
	if err != nil {
		return nil, nil, err
	}
	problems = append(problems, odd...)
	if len(snap.Tools) == 0 && !s.server.AllowEmpty {
		return nil, nil, fmt.Errorf("%w: if that is right, set allow_empty", ErrEmpty)
	}
	return snap, problems, nil
}

// maxApps bounds the pages that are read of one server.
const maxApps = 200

// apps reads the pages that the surface names and adds them to it. One that cannot be
// read is left out, and that is told.
func (s *session) apps(ctx context.Context, snap *schema.Snapshot) ([]schema.Problem, error) {
	uris := snap.AppURIs()
	if len(uris) > maxApps {
		return nil, fmt.Errorf("the server names more than %d pages of apps: this has to be fixed in the server", maxApps)
	}
	var problems []schema.Problem
	for _, uri := range uris {
		item, err := s.app(ctx, uri)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			problems = append(problems, schema.Problem{Kind: schema.KindApp, Name: uri, Reason: "left out: " + s.mask(quote.Line(err.Error(), 400))})
			continue
		}
		snap.Apps = append(snap.Apps, item)
	}
	return problems, nil
}

// app reads one page.
func (s *session) app(ctx context.Context, uri string) (schema.Item, error) {
	r := &request{method: runtime.MethodReadResource, name: uri, members: []member{{"uri", quoted(uri)}}, meta: s.meta}
	raw, _, err := r.outcome(s.Call(ctx, r.method, r.params(), r.options()))
	if err != nil {
		return schema.Item{}, err
	}
	app, err := schema.ReadApp(uri, raw)
	if err != nil {
		return schema.Item{}, err
	}
	return app.Item()
}
