package decide

// Limits list the members and values that a type has and a place of arguments lacks (see
// bond), so that a call can refuse them. The call finds a place in the JSON of the arguments
// by the path of members. In a union, it finds the variant by the union's tag or else by the
// members of objects: it refuses what each variant with these members refuses. Other places in
// a union are unclear.

import (
	"fmt"
	"slices"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// limiter makes the limits of the arguments of a tool.
type limiter struct {
	decls   map[*ir.Type]*decl
	places  map[*decl]int // from 1
	all     []ir.Limit
	unclear map[*decl]bool
}

func newLimiter(b *side) *limiter {
	l := &limiter{decls: byType(slices.Values(b.decls)), places: map[*decl]int{}, unclear: map[*decl]bool{}}
	l.ref(b.root)
	return l
}

// unclearTypes returns the types of arguments at places that limits cannot find.
func unclearTypes(items []*item) map[*decl]bool {
	out := map[*decl]bool{}
	for _, it := range items {
		for _, b := range it.sides {
			if !b.results && b.root != nil {
				l := newLimiter(b)
				for d := range l.unclear {
					l.hide(d, out)
				}
			}
		}
	}
	return out
}

// hide marks a type and all types below it.
func (l *limiter) hide(d *decl, out map[*decl]bool) {
	if d == nil || out[d] {
		return
	}
	out[d] = true
	if slices.ContainsFunc(d.t.Variants, takesAny) {
		return
	}
	for t := range d.t.Uses() {
		l.hide(l.decls[t], out)
	}
}

// limits returns what the call of a tool has to refuse; nil if there is nothing to refuse.
func (t *tool) limits() []ir.Limit {
	b := t.args
	if b == nil || !slices.ContainsFunc(b.decls, func(d *decl) bool { return len(d.lacks) > 0 }) {
		return nil
	}
	return pruned(newLimiter(b).all)
}

// ref returns the place of values of a type, 0 if it has none.
func (l *limiter) ref(r *ir.Ref) int {
	switch {
	case r.Kind == ir.Pointer || r.Kind == ir.Opt:
		return l.ref(r.Elem)
	case r.Elem != nil:
		return l.place(func() ir.Limit { return ir.Limit{Each: l.ref(r.Elem)} })
	case r.Kind == ir.Named:
		return l.decl(l.decls[r.Decl])
	}
	return 0
}

// place adds a place in front of those inside of it, and returns its number.
func (l *limiter) place(describe func() ir.Limit) int {
	at := len(l.all)
	l.all = append(l.all, ir.Limit{})
	made := describe()
	l.all[at] = made
	return at + 1
}

func (l *limiter) decl(d *decl) int {
	if d == nil || l.places[d] != 0 { // the place lacks it, or it is known
		return l.places[d]
	}
	l.places[d] = len(l.all) + 1
	return l.place(func() ir.Limit { return l.describe(d) })
}

func (l *limiter) describe(d *decl) (out ir.Limit) {
	switch d.t.Kind {
	case ir.Enum:
		out.Not = d.lacks
	case ir.Struct:
		if d.t.Extra == nil {
			out.Lacks = d.lacks
		}
		for _, f := range d.t.Fields {
			if slices.Contains(d.lacks, f.Wire) {
				continue
			}
			if to := l.ref(f.Type); to != 0 {
				out.Members = append(out.Members, ir.Step{Name: f.Wire, To: to})
			}
		}
		if d.t.Extra != nil {
			l.obscure(d.t.Extra)
		}
	case ir.Alias:
		if to := l.ref(d.t.Of); to != 0 {
			out.Kinds = []ir.Step{{To: to}}
		}
	case ir.Union:
		l.union(d, &out)
	case ir.Tuple:
		for r := range d.t.Refs() {
			l.obscure(r)
		}
	}
	return out
}

// obscure marks the type at a place that limits cannot find.
func (l *limiter) obscure(r *ir.Ref) {
	if d := l.decls[r.Base().Decl]; d != nil {
		l.unclear[d] = true
	}
}

// union adds the steps to the variants: by kind, or for objects by their tag.
func (l *limiter) union(d *decl, out *ir.Limit) {
	byKind := map[string][]ir.Variant{}
	for _, v := range d.t.Variants {
		byKind[v.Match.Kind] = append(byKind[v.Match.Kind], v)
	}
	for _, kind := range []string{"array", "object", "string"} {
		variants := byKind[kind]
		switch {
		case len(variants) == 1:
			if to := l.decl(l.decls[variants[0].Type]); to != 0 {
				out.Kinds = append(out.Kinds, ir.Step{Name: kind, To: to})
			}
		case kind == "object" && len(variants) > 1 && l.tagged(variants):
			out.Kinds = append(out.Kinds, ir.Step{Name: kind, To: l.place(func() ir.Limit {
				by := ir.Limit{Tag: variants[0].Match.Tag}
				for _, v := range variants {
					to := l.decl(l.decls[v.Type])
					for _, value := range v.Match.Values {
						if to != 0 {
							by.Members = append(by.Members, ir.Step{Name: value, To: to})
						}
					}
				}
				return by
			})})
		case !slices.ContainsFunc(variants, func(v ir.Variant) bool { return takesMore(v.Type) }):
			out.Kinds = append(out.Kinds, ir.Step{Name: kind, To: l.place(func() (each ir.Limit) {
				for _, v := range variants {
					each.OneOf = append(each.OneOf, l.variant(v.Type))
				}
				return each
			})})
		case slices.ContainsFunc(variants, takesAny): // what the others lack is valid there
		default:
			for _, v := range variants {
				if x := l.decls[v.Type]; x != nil {
					l.unclear[x] = true
				}
			}
		}
	}
}

// takesAny reports whether a variant takes any object.
func takesAny(v ir.Variant) bool {
	of := v.Type.Of
	return v.Type.Kind == ir.Alias && of.Kind == ir.Map && of.Elem.Kind == ir.Any
}

// takesMore reports whether the members of a value cannot prove that it belongs to a variant:
// it is neither an object, nor a list of objects, with declared members only.
func takesMore(t *ir.Type) bool {
	switch {
	case t.Kind == ir.Alias && t.Of.Kind == ir.Slice && t.Of.Elem.Kind == ir.Named:
		return takesMore(t.Of.Elem.Decl)
	case t.Kind == ir.Struct:
		return t.Extra != nil
	}
	return true
}

// variant returns the place of a value as a variant that does not take more.
func (l *limiter) variant(t *ir.Type) int {
	if t.Kind == ir.Alias {
		return l.place(func() ir.Limit { return ir.Limit{Each: l.variant(t.Of.Elem.Decl)} })
	}
	var has []string
	for _, f := range t.Fields {
		has = append(has, f.Wire)
	}
	for _, tag := range t.Tags {
		has = append(has, tag.Wire)
	}
	return l.place(func() ir.Limit { return ir.Limit{Has: has, Kinds: []ir.Step{{To: l.decl(l.decls[t])}}} })
}

// tagged reports whether each of several objects always has its tag.
func (l *limiter) tagged(variants []ir.Variant) bool {
	for _, v := range variants {
		m := v.Match
		if m.Tag == "" || m.Tag != variants[0].Match.Tag || len(m.Values) == 0 || !slices.Contains(m.Needs, m.Tag) {
			return false
		}
	}
	return true
}

// pruned returns the limits that lead to a refusal, numbered again.
func pruned(all []ir.Limit) []ir.Limit {
	refuses := make([]bool, len(all))
	for again := true; again; {
		again = false
		for i, l := range all {
			if refuses[i] {
				continue
			}
			at := func(to int) bool { return refuses[to-1] }
			leads := func(s ir.Step) bool { return at(s.To) }
			refuses[i] = len(l.Not)+len(l.Lacks) > 0 || l.Each != 0 && at(l.Each) || slices.ContainsFunc(l.OneOf, at) ||
				slices.ContainsFunc(l.Members, leads) || slices.ContainsFunc(l.Kinds, leads)
			again = again || refuses[i]
		}
	}
	for i, l := range all {
		for _, as := range l.OneOf {
			for refuses[i] && as != 0 { // a variant without refusals has members, too
				refuses[as-1], as = true, all[as-1].Each
			}
		}
	}
	mergeEqual(all)
	number := make([]int, len(all))
	var order []int
	visit := func(to int) int {
		if to == 0 || !refuses[to-1] {
			return 0
		}
		if number[to-1] == 0 {
			order = append(order, to-1)
			number[to-1] = len(order)
		}
		return number[to-1]
	}
	if len(all) == 0 || visit(1) == 0 {
		return nil
	}
	var out []ir.Limit
	for i := 0; i < len(order); i++ {
		l := all[order[i]]
		l.Each, l.OneOf = visit(l.Each), slices.Clone(l.OneOf)
		for i := range l.OneOf {
			l.OneOf[i] = visit(l.OneOf[i])
		}
		for _, steps := range []*[]ir.Step{&l.Members, &l.Kinds} {
			var kept []ir.Step
			for _, s := range *steps {
				if s.To = visit(s.To); s.To != 0 {
					kept = append(kept, s)
				}
			}
			*steps = kept
		}
		out = append(out, l)
	}
	return out
}

// mergeEqual merges equal places: steps lead to the first of them.
func mergeEqual(all []ir.Limit) {
	for again := true; again; {
		again = false
		first, now := map[string]int{}, make([]int, len(all)+1)
		for i, l := range all {
			text := fmt.Sprintf("%q", []any{l.Lacks, l.Not, l.Has, l.OneOf, l.Each, l.Members, l.Tag, l.Kinds})
			if first[text] == 0 {
				first[text] = i + 1
			}
			now[i+1] = first[text]
		}
		move := func(to *int) {
			again = again || now[*to] != *to
			*to = now[*to]
		}
		for i := range all {
			move(&all[i].Each)
			for j := range all[i].OneOf {
				move(&all[i].OneOf[j])
			}
			for _, steps := range [][]ir.Step{all[i].Members, all[i].Kinds} {
				for j := range steps {
					move(&steps[j].To)
				}
			}
		}
	}
}
