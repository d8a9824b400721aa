package impact

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
)

// Every way to get at a tool's function counts, once a line, and so do prompts;
// tests, fakes and types do not.
func TestUses(t *testing.T) {
	s := surface{
		Tools:   []json.RawMessage{json.RawMessage(`{"name":"a","inputSchema":{"type":"object"}}`), json.RawMessage(`{"name":"b","inputSchema":{"type":"object"}}`), json.RawMessage(`{"name":"c","inputSchema":{"type":"object"}}`)},
		Prompts: []json.RawMessage{json.RawMessage(`{"name":"p"}`)},
	}.snapshot(t)
	p := newProject(t, s, s, map[string]string{
		"use/use.go": `package use

import (
	"context"

	"example.com/app/mcp/srv"
)

type user interface {
	B(ctx context.Context, args srv.BArgs) error
}

func use(ctx context.Context, c *srv.Client) {
	_, _ = srv.A(ctx, srv.AArgs{})
	a, _ := c.A, srv.A
	_ = a
	_, _ = c.PPrompt(ctx, srv.PPromptArgs{})
	_ = srv.CArgs{}
}
`,
		"use/use_test.go": `package use

import (
	"testing"

	"example.com/app/mcp/srv"
)

func TestUse(t *testing.T) { _, _ = srv.C(t.Context(), srv.CArgs{}) }
`,
	})
	o := p.options()
	uses, problems, err := Uses(t.Context(), o)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	var got []string
	for _, u := range uses {
		for _, site := range u.Sites {
			got = append(got, fmt.Sprintf("%s %s/%s: %s:%d %s", u.Kind, u.Server, u.Item, site.File, site.Line, site.Symbol))
		}
	}
	want := []string{
		"prompt srv/p: use/use.go:17 Client.PPrompt",
		"tool srv/a: use/use.go:14 A",
		"tool srv/a: use/use.go:15 A",
		"tool srv/a: use/use.go:15 Client.A",
	}
	if !slices.Equal(got, want) {
		t.Errorf("found\n%q\nwant\n%q", got, want)
	}
}
