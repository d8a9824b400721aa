// What a listing means for those who call its tools.

package attach

import (
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/schema"
)

// judge judges a listing of a server: after attach, restart, reconnect and each
// listing afresh, and before the session shows the listing to calls. Nobody else
// sees x yet, so that it can be filled without locks; listings of one server are
// judged one after the other. The listing before it, if there is one, is in
// sess.tools, or in s.listed if the session is a new one.
func (h *Host) judge(s *slot, sess *session, x *toolIndex) {
	x.judgeManifests(s.server.Name, h.settings.Manifests)
}

// judgeManifests notes the tools that are not what generated code expects.
func (x *toolIndex) judgeManifests(server string, manifests []*runtime.Manifest) {
	for _, m := range manifests {
		if m == nil || m.Server() != server {
			continue
		}
		for _, p := range m.Pins() {
			if err := x.judge(server, p.Tool, p.Pin); err != nil {
				x.problems = append(x.problems, schema.Problem{Kind: schema.KindTool, Name: p.Tool, Reason: err.Error()})
			}
		}
	}
}
