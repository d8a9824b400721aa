// The whole surface of a server, listed afresh.

package attach

import (
	"context"
	"encoding/json"
	"fmt"

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
	if len(snap.Tools) == 0 && !s.server.AllowEmpty {
		return nil, nil, fmt.Errorf("%w: if that is right, set allow_empty", ErrEmpty)
	}
	return snap, problems, nil
}
