package decide

// The place for the text of a number that float64 cannot hold: a field of the nearest
// enclosing struct, or, without a struct, the number itself.

import "github.com/mcpgen/mcpgen/generator/internal/ir"

// roomForNumbers gives the structs and tuples of results that hold a float64, and keep no
// members as text, a field for the texts of numbers. It comes when shapes were found: types
// that are the same without it stay so, and arguments that are declared with a result
// have it, too.
func (all *decided) roomForNumbers() {
	for _, t := range all.tools {
		for d := range t.decls() {
			d.t.Exact = d.t.Decodes && (d.t.Extra == nil || d.t.Extra.Kind != ir.Raw) && holdsFloat(d.t)
		}
	}
}

// holdsFloat reports whether a value of t has a float64 in it that is not in another
// struct or tuple. A union keeps whole what its variants would round.
func holdsFloat(t *ir.Type) bool {
	for r := range t.Refs() {
		base := r.Base()
		seen := map[*ir.Type]bool{}
		for base.Kind == ir.Named && base.Decl.Kind == ir.Alias && !seen[base.Decl] {
			seen[base.Decl] = true
			base = base.Decl.Of.Base()
		}
		if base.Kind == ir.Basic && base.Name == "float64" ||
			base.Kind == ir.Named && base.Decl.Kind == ir.Enum && base.Decl.Base == "float64" {
			return true
		}
	}
	return false
}

// exactRoot returns the type of a result with json.Number in place of each float64 that no
// struct encloses.
func exactRoot(r *ir.Ref) *ir.Ref {
	switch {
	case r.Elem != nil:
		out := *r
		out.Elem = exactRoot(r.Elem)
		return &out
	case r.Kind == ir.Basic && r.Name == "float64":
		return &ir.Ref{Kind: ir.Number}
	}
	return r
}
