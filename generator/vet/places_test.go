package vet

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/mcpgen/mcpgen/golden/project"
	"github.com/mcpgen/mcpgen/schema"
)

// A constant or a member that a type has for another tool is reported where it is sent.
func TestPlaces(t *testing.T) {
	useCheckoutOnly(t)
	const tool = `{"name":"NAME","inputSchema":{"type":"object","properties":{"filter":{"type":"object","properties":{"kind":{"enum":["bug","task"]},"limit":{"type":"integer"}}},
		"shapes":{"type":"array","items":{"anyOf":[
			{"type":"object","properties":{"type":{"const":"box"},"color":{"enum":["red","blue"]}},"required":["type"]},
			{"type":"object","properties":{"type":{"const":"ring"}},"required":["type"]}]}},
		"rules":{"type":"array","items":{"anyOf":[
			{"type":"object","properties":{"title":{"type":"string"},"size":{"enum":["big","small"]}}},
			{"type":"object","properties":{"color":{"type":"string"},"size":{"enum":["big","small"]}}}]}}}}}`
	snapshot := func(list ...string) *schema.Snapshot {
		s := &schema.Snapshot{Server: "srv", ProtocolVersion: "2025-11-25"}
		for name, text := range map[string]string{"get": tool, "list": strings.NewReplacer(list...).Replace(tool)} {
			it, err := schema.ParseItem(schema.KindTool, json.RawMessage(strings.Replace(text, "NAME", name, 1)))
			if err != nil {
				t.Fatal(err)
			}
			s.Tools = append(s.Tools, it)
		}
		s.Sort()
		return s
	}
	server, err := project.Lock(snapshot())
	if err == nil {
		server, err = project.Update(server, snapshot(`"task"`, `"task","epic"`, `"blue"`, `"blue","green"`, `"color":{"type":"string"}`, `"color":{"type":"string"},"width":{"type":"integer"}`, `"limit"`, `"page":{"type":"integer"},"limit"`))
	}
	if err != nil {
		t.Fatal(err)
	}
	dir, _ := newModule(t, server)
	writeFile(t, filepath.Join(dir, "use", "use.go"), []byte(`package use

import (
	"context"

	"example.com/app/internal/mcp/srv"
)

func calls(ctx context.Context, c *srv.Client) {
	_, _ = srv.Get(ctx, srv.GetArgs{Filter: &srv.Filter{Kind: srv.KindBug, Limit: new(1)}})
	_, _ = srv.List(ctx, srv.ListArgs{Filter: &srv.Filter{Kind: srv.KindEpic, Page: new(1)}, Shapes: []srv.Shape{srv.ShapeBox{Color: srv.ColorGreen}}})
	_, _ = srv.Get(ctx, srv.GetArgs{Filter: &srv.Filter{Kind: srv.KindEpic}})             // want "\"epic\" is not valid here in a call of Get"
	_, _ = c.Get(ctx, srv.GetArgs{Filter: &srv.Filter{Page: new(1)}})                     // want "the member \"page\" is not valid here"
	_, _ = srv.Get(ctx, srv.GetArgs{Shapes: []srv.Shape{srv.ShapeBox{Color: srv.ColorGreen}}}) // want "\"green\" is not valid here"
	_, _ = srv.Get(ctx, srv.GetArgs{Shapes: []srv.Shape{srv.ShapeBox{Color: srv.ColorRed}, srv.ShapeRing{}}})
	_, _ = srv.List(ctx, srv.ListArgs{Rules: []srv.Rule{srv.RuleColor{Width: new(1)}}})
	_, _ = srv.Get(ctx, srv.GetArgs{Rules: []srv.Rule{srv.RuleTitle{Title: new("x")}, srv.RuleColor{Color: new("x")}}})
	_, _ = srv.Get(ctx, srv.GetArgs{Rules: []srv.Rule{srv.RuleColor{Width: new(1)}}}) // want "the member \"width\" is not valid here"
}
`))
	analysistest.Run(unasked{t}, dir, allChecks(), "./use")
}
