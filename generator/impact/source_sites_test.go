package impact

import (
	"encoding/json"
	"testing"

	"github.com/mcpgen/mcpgen/schema/drift"
)

// What changes in the Go API has call sites as everything else has.
func TestFindSource(t *testing.T) {
	tool := func(in, out string) surface {
		return surface{Tools: []json.RawMessage{json.RawMessage(`{"name":"t","inputSchema":` + in + `,"outputSchema":` + out + `}`)}}
	}
	before := tool(`{"type":"object","properties":{"a":{"type":"integer","minimum":1},"c":{"type":"string"}}}`,
		`{"type":"object","required":["x","y"],"properties":{"x":{"type":"array","items":{"type":"string"}},"y":{"type":"string"}}}`).snapshot(t)
	after := tool(`{"type":"object","required":["a","b"],"properties":{"a":{"type":"integer","minimum":1},"b":{"type":"string"}}}`,
		`{"type":"object","required":["y"],"properties":{"x":{"type":"array","items":{"type":"string"}},"y":{"type":"integer"}}}`).snapshot(t)
	p := newProject(t, before, after, map[string]string{"use/use.go": `package use

import (
	"context"

	"example.com/app/mcp/srv"
)

func use(ctx context.Context) {
	r, _ := srv.T(ctx, srv.TArgs{A: 1})
	println(len(r.X))
	println("y: " + r.Y)
	r, _ = srv.T(ctx, srv.TArgs{C: new("c")})
	_ = r
}
`})
	changes, err := Source(t.Context(), p.before, p.after)
	if err != nil {
		t.Fatal(err)
	}
	report := &drift.Report{Servers: []drift.ServerReport{{Server: "srv", Verdict: drift.Unchanged, State: "checked"}}}
	report.Add("srv", changes["srv"], &drift.Options{Profile: drift.Source})
	if _, err := Find(t.Context(), p.options(), report); err != nil {
		t.Fatal(err)
	}
	wantSites(t, []string{
		"use/use.go:10: source-zero-value=TArgs",       // without b
		"use/use.go:13: source-zero-value=TArgs",       // without b, and another without a
		"use/use.go:13: source-incompatible=TArgs.C",   // gone
		"use/use.go:11: source-zero-value=TResult.X",   // may be missing
		"use/use.go:12: source-incompatible=TResult.Y", // of another type
	}, callSites(report))
}
