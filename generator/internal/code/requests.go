package code

// Requests that name an item by a constant, and not by a generated function.

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strings"
)

// Request is a place in the files that names an item.
type Request struct {
	At ast.Node
	// Server is the configured name; "" if it is not known. Name is the item's own name or
	// URI. If ID is set, Name is a qualified name, or a tool's name without a server. If Go is
	// set, Name is the name of a method that reflection looks up.
	Server, Name string
	ID, Go       bool
	// Args are the arguments as JSON; "" if they are not known.
	Args string
}

// Requests calls each with the requests of the files: literals of runtime.Request, calls of
// methods Call that take an id and arguments, methods that are looked up by their names,
// and all other texts, of which those that carry a server may be ids.
func (g *Graph) Requests(each func(f *ast.File, r Request)) {
	g.Inspect(func(n ast.Node, stack []ast.Node) bool {
		one := func(r Request) {
			r.At = n
			if len(stack) > 0 {
				each(stack[0].(*ast.File), r)
			}
		}
		switch n := n.(type) {
		case *ast.CompositeLit:
			if t := g.Info.TypeOf(n); t != nil && isRuntime(t, "Request") {
				g.request(n, one)
			}
		case *ast.CallExpr:
			g.idCall(n, one)
		case *ast.BasicLit:
			if v := g.Info.Types[n].Value; v != nil && v.Kind() == constant.String && strings.ContainsAny(constant.StringVal(v), "/_.") {
				one(Request{Name: constant.StringVal(v), ID: true})
			}
		}
		return true
	})
}

// request is a literal of runtime.Request.
func (g *Graph) request(lit *ast.CompositeLit, one func(Request)) {
	parts := map[string]ast.Expr{}
	names := []string{"Server", "Method", "Name", "Args"}
	for i, e := range lit.Elts {
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			if key, ok := pair.Key.(*ast.Ident); ok {
				parts[key.Name] = pair.Value
			}
		} else if i < len(names) {
			parts[names[i]] = e
		}
	}
	servers := []string{""}
	if parts["Server"] != nil {
		if known, all := g.texts(parts["Server"]); all {
			servers = known
		}
	}
	known, _ := g.texts(parts["Name"])
	for _, server := range servers {
		for _, name := range known {
			one(Request{Server: server, Name: name, Args: g.text(parts["Args"])})
		}
	}
}

// idCall is a call with an id of a tool and its arguments, or the look-up of a method.
func (g *Graph) idCall(call *ast.CallExpr, one func(Request)) {
	f, sig := g.Callee(call)
	if f == nil || sig.Recv() == nil {
		return
	}
	if f.Name() == "MethodByName" && f.Pkg() != nil && f.Pkg().Path() == "reflect" && len(call.Args) == 1 {
		known, _ := g.texts(call.Args[0])
		for _, name := range known {
			one(Request{Name: name, Go: true})
		}
		return
	}
	if f.Name() != "Call" || len(call.Args) < 3 || sig.Params().Len() < 3 || !isString(sig.Params().At(1).Type()) {
		return
	}
	if list, ok := sig.Params().At(2).Type().Underlying().(*types.Slice); !ok || !isByte(list.Elem()) {
		return
	}
	known, _ := g.texts(call.Args[1])
	for _, id := range known {
		one(Request{Name: id, ID: true, Args: g.text(call.Args[2])})
	}
}

func isString(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsString != 0
}

func isByte(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Kind() == types.Uint8
}

// texts are the texts that an expression may be; without all it may be others.
func (g *Graph) texts(e ast.Expr) (texts []string, all bool) {
	if e == nil {
		return nil, false
	}
	values, all := g.Constants(e)
	for _, v := range values {
		if v.Value.Kind() == constant.String {
			texts = append(texts, constant.StringVal(v.Value))
		}
	}
	return texts, all
}

// text is the text that an expression is for certain; "" if that is not known.
func (g *Graph) text(e ast.Expr) string {
	if texts, all := g.texts(e); all && len(texts) == 1 {
		return texts[0]
	}
	return ""
}
