package decide

// Structs that contain themselves need a pointer somewhere. Optional members are
// pointers anyway; this finds the others, and only those on a cycle.

import "github.com/mcpgen/mcpgen/generator/internal/ir"

// breakCycles makes pointers of the fields through which a struct contains
// itself by value.
func breakCycles(decls []*decl) {
	g := &cycles{component: map[*ir.Type]int{}, low: map[*ir.Type]int{}, index: map[*ir.Type]int{}}
	for _, d := range decls {
		if g.index[d.t] == 0 {
			g.visit(d.t)
		}
	}
	for _, d := range decls {
		for _, f := range d.t.Fields {
			inside := byValue(f.Type)
			if inside == nil || g.component[inside.Decl] != g.component[d.t] {
				continue
			}
			if f.Type.Kind == ir.Opt {
				f.Type = optional(pointer(inside))
			} else {
				f.Type = pointer(inside)
			}
			f.Doc.Notes = append(f.Doc.Notes, "A pointer, because the type contains itself.")
		}
	}
}

// byValue returns the struct or tuple that a field holds by value, nil if none.
func byValue(ref *ir.Ref) *ir.Ref {
	if ref.Kind == ir.Opt {
		ref = ref.Elem
	}
	if ref.Kind == ir.Named && (ref.Decl.Kind == ir.Struct || ref.Decl.Kind == ir.Tuple) {
		return ref
	}
	return nil
}

// cycles finds strongly connected components, after Tarjan.
type cycles struct {
	index, low, component map[*ir.Type]int // from 1
	stack                 []*ir.Type
	count, components     int
}

func (g *cycles) visit(t *ir.Type) {
	g.count++
	g.index[t], g.low[t] = g.count, g.count
	g.stack = append(g.stack, t)
	for _, f := range t.Fields {
		inside := byValue(f.Type)
		switch {
		case inside == nil:
		case g.index[inside.Decl] == 0:
			g.visit(inside.Decl)
			g.low[t] = min(g.low[t], g.low[inside.Decl])
		case g.component[inside.Decl] == 0:
			g.low[t] = min(g.low[t], g.index[inside.Decl])
		}
	}
	if g.low[t] != g.index[t] {
		return
	}
	g.components++
	for {
		top := g.stack[len(g.stack)-1]
		g.stack = g.stack[:len(g.stack)-1]
		g.component[top] = g.components
		if top == t {
			return
		}
	}
}
