package impact

// This file finds requests that name an item by a constant.

import (
	"go/ast"

	"github.com/mcpgen/mcpgen/generator/internal/code"
	"github.com/mcpgen/mcpgen/generator/internal/decide"
	schemes "github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/schema"
)

// items finds items of all servers by what code calls them.
type items struct {
	named map[string][]calledItem // by their own names
	ids   map[string][]calledItem // tools by names that carry the server, and cannot be mistaken
	tools map[schemes.Pair]calledItem
	funcs map[string][]calledItem // by their Go names
}

// calledItem is an item with its first generated function.
type calledItem struct {
	server string
	name   // of the function
}

func newItems(known map[string]*table) *items {
	x := &items{
		map[string][]calledItem{}, map[string][]calledItem{},
		map[schemes.Pair]calledItem{}, map[string][]calledItem{}}
	for server, t := range known {
		for id, it := range t.was.items {
			functions := of(it.symbols, decide.RoleFunc)
			if len(functions) == 0 {
				continue
			}
			item := calledItem{server, name{Path: t.path, Name: functions[0].Go}}
			x.named[id.name] = append(x.named[id.name], item)
			for _, f := range functions {
				x.funcs[f.Go] = append(x.funcs[f.Go], item)
			}
			if id.kind != schema.KindTool {
				continue
			}
			x.tools[schemes.Pair{Server: server, Tool: id.name}] = item
			ids := map[string]bool{server + "/" + id.name: true}
			for _, s := range []schemes.Scheme{schemes.Dot, schemes.DoubleUnderscore, schemes.MCPDoubleUnderscore} {
				ids[s.Qualify(server, id.name)] = true
				ids[schemes.Portable(s.Qualify(server, id.name))] = true
			}
			for id := range ids {
				x.ids[id] = append(x.ids[id], item)
			}
		}
	}
	return x
}

// find returns the items that a request names, of any server if it names none.
func (x *items) find(r code.Request) []calledItem {
	_, call := r.At.(*ast.CallExpr)
	switch {
	case r.Go:
		return x.funcs[r.Name]
	case r.ID && !call:
		return x.ids[r.Name]
	case r.ID:
		var out, offered = []calledItem(nil), []schemes.Pair(nil)
		for p := range x.tools {
			offered = append(offered, p)
		}
		for _, p := range schemes.Find(schemes.DoubleUnderscore, offered, nil, r.Name) {
			out = append(out, x.tools[p])
		}
		return out
	}
	var out []calledItem
	for _, item := range x.named[r.Name] {
		if r.Server == "" || r.Server == item.server {
			out = append(out, item)
		}
	}
	return out
}

// requests notes the requests in the files.
func (v *visitor) requests(known map[string]*table) {
	x := newItems(known)
	v.Requests(func(f *ast.File, r code.Request) {
		v.stack = []ast.Node{f}
		for _, item := range x.find(r) {
			v.add(item.name, r.At.Pos(), use{mode: requests, symbol: r.Name, args: r.Args})
		}
	})
}
