package decide

// Which nested types of a package are the same: the same Go fields, tags, types
// and constants, however they are documented and wherever they stand.

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/parallel"
)

// classes returns the nested types of items, those that are the same together. The
// types of each class, and the classes by their first one, are in order of item
// and place. A type at the root of arguments or of a result is not among them.
//
// This is partition refinement: types start in classes by their own description, and
// classes are split by the classes of the types that they name until nothing changes.
// So types that contain themselves are compared, too.
func classes(items []*item) [][]*decl {
	g := newGraph(items)
	for g.refine(); g.separateVariants(); g.refine() {
	}
	byClass := map[int][]*decl{}
	var order []int
	for i, d := range g.nodes {
		if d.isRoot() {
			continue
		}
		if byClass[g.class[i]] == nil {
			order = append(order, g.class[i])
		}
		byClass[g.class[i]] = append(byClass[g.class[i]], d)
	}
	out := make([][]*decl, len(order))
	for i, class := range order {
		out[i] = byClass[class]
	}
	return out
}

// graph is the declared types of a package and which of them name which.
type graph struct {
	nodes  []*decl
	of     map[*ir.Type]int
	named  [][]int // by node: the nodes that it names, in order
	class  []int   // by node
	unique int     // classes given to one node each, counted from -1 down
}

func newGraph(items []*item) *graph {
	g := &graph{of: map[*ir.Type]int{}}
	for _, it := range items {
		for _, d := range inOrder(it.decls()) {
			g.of[d.t] = len(g.nodes)
			g.nodes = append(g.nodes, d)
		}
	}
	g.named, g.class = make([][]int, len(g.nodes)), make([]int, len(g.nodes))
	texts := make([]string, len(g.nodes))
	_ = parallel.Each(context.Background(), len(g.nodes), func(i int) error {
		texts[i] = describe(g.nodes[i].t, func(t *ir.Type) { g.named[i] = append(g.named[i], g.of[t]) })
		return nil
	})
	ids := map[string]int{}
	for i, d := range g.nodes {
		if _, ok := ids[texts[i]]; !ok {
			ids[texts[i]] = len(ids)
		}
		g.class[i] = ids[texts[i]]
		if d.isRoot() {
			g.separate(i)
		}
	}
	g.bindVariants()
	return g
}

// bindVariants lets a type that exists only as a variant name its union: two such types
// are the same only if their unions are.
func (g *graph) bindVariants() {
	for i, d := range g.nodes {
		for _, v := range d.t.Variants {
			if v.Type.Kind == ir.Alias {
				g.named[g.of[v.Type]] = append(g.named[g.of[v.Type]], i)
			}
		}
	}
}

// separate gives a node its own class.
func (g *graph) separate(i int) {
	g.unique--
	g.class[i] = g.unique
}

// refine splits classes by the classes of the nodes that they name, until no class can
// be split.
func (g *graph) refine() {
	for count := -1; ; {
		ids := map[string]int{}
		next := make([]int, len(g.nodes))
		var key []byte
		for i, named := range g.named {
			key = strconv.AppendInt(key[:0], int64(g.class[i]), 36)
			for _, n := range named {
				key = strconv.AppendInt(append(key, ' '), int64(g.class[n]), 36)
			}
			id, ok := ids[string(key)]
			if !ok {
				id = len(ids)
				ids[string(key)] = id
			}
			next[i] = id
		}
		g.class = next
		if len(ids) == count {
			return
		}
		count = len(ids)
	}
}

// separateVariants puts variants of one union into classes of their own if they differ
// only in which values match: each has to stay a variant. It reports whether there were
// any.
func (g *graph) separateVariants() bool {
	found := false
	for i, d := range g.nodes {
		if d.t.Kind != ir.Union {
			continue
		}
		seen := map[int]bool{}
		for _, v := range g.named[i] {
			if seen[g.class[v]] {
				g.separate(v)
				found = true
			}
			seen[g.class[v]] = true
		}
	}
	return found
}

// describe calls name for each type that t names, and returns the rest of t as text.
func describe(t *ir.Type, name func(*ir.Type)) string {
	var b strings.Builder
	word := func(words ...string) {
		for _, w := range words {
			b.WriteString(strconv.Itoa(len(w)))
			b.WriteByte(':')
			b.WriteString(w)
		}
	}
	ref := func(r *ir.Ref) {
		for ; r != nil; r = r.Elem {
			word(strconv.Itoa(int(r.Kind)), r.Name, strconv.Itoa(r.Len))
			if r.Kind == ir.Named {
				name(r.Decl)
			}
		}
		word("")
	}
	word(strconv.Itoa(int(t.Kind)), t.Base, strconv.FormatBool(t.Open), strconv.FormatBool(t.Partial))
	// One type in whatever order its members are: names must not depend on that.
	byWire := func(x, y *ir.Field) int { return cmp.Compare(x.Wire, y.Wire) }
	for _, f := range slices.SortedFunc(slices.Values(t.Fields), byWire) {
		word(f.Go, f.Wire, strconv.Itoa(int(f.Presence)), strconv.FormatBool(f.Null), strconv.FormatBool(f.Untagged))
		ref(f.Type)
	}
	word("")
	ref(t.Extra)
	ref(t.Rest)
	ref(t.Of)
	tagByWire := func(x, y ir.Tag) int { return cmp.Compare(x.Wire, y.Wire) }
	for _, tag := range slices.SortedFunc(slices.Values(t.Tags), tagByWire) {
		word(tag.Wire, tag.Value)
	}
	word("")
	var values []string
	for _, c := range t.Consts {
		values = append(values, c.Value)
	}
	slices.Sort(values)
	word(values...)
	word("")
	for _, v := range t.Variants {
		name(v.Type)
		m := v.Match
		word(m.Kind, m.Tag, m.Key, strconv.Itoa(m.Rank),
			strconv.FormatBool(slices.Contains(m.Needs, m.Tag)))
		word(m.Values...)
		word("")
	}
	return b.String()
}
