package decide

// A type with several places stays one type after an edit at one of them, if one type can
// hold the values of all places. An enum then has the values of all places, and a struct the
// members of all places. A member that a place lacks is optional. Results may have more than
// their place declares. Arguments may not: a call with a member or value that its place
// lacks is refused before it is sent (limits.go). If limits cannot find a place, that place
// gets a separate type.
//
// Only a type that was one stays one. The lock records which places belong together: the
// place that the short name was given for has the name, and each place that differs has
// the name under a "like" key. Without such keys, only equal types are one: see classes.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// bond is a set of types that differ and stay one type.
type bond struct {
	decls []*decl // the first has the place that the name was given for, if it still exists
}

// content is a decl without its names.
type content struct {
	t      ir.Type
	values []string
}

// likeKey is the key in the lock for the short name of a shape that d belongs to but differs
// from. The key ends in a keyword that does not exist in JSON Schema.
func (d *decl) likeKey() string { return d.side.at + d.pointer + "/like" }

// bonds returns the types that differ and share a name, or shared one before.
func (a *assigner) bonds() []*bond {
	byName, taken := map[string]*bond{}, map[string]bool{}
	var all []*bond
	for _, it := range a.items {
		if len(it.given) == 0 && len(a.kept[it.id()]) == 0 {
			continue
		}
		for _, d := range slices.SortedStableFunc(it.decls(), func(x, y *decl) int { return cmp.Compare(x.key(), y.key()) }) {
			given := it.given[d.shapeKey()]
			if d.isRoot() || !it.wanted && given == "" {
				continue
			}
			if taken[given] { // two branches gave it
				given = ""
			}
			taken[given] = given != ""
			var own *bond
			for _, name := range []string{given, it.given[d.likeKey()], a.kept[it.id()][d.shapeKey()]} {
				switch b := byName[name]; {
				case name == "" || b != nil && b == own:
				case b == nil && own == nil:
					own = &bond{}
					all = append(all, own)
					byName[name] = own
				case b == nil:
					byName[name] = own
				case own == nil:
					own = b
				default: // the type has both names
					b.decls, own.decls = append(b.decls, own.decls...), nil
					for other, of := range byName {
						if of == own {
							byName[other] = b
						}
					}
					own = b
				}
			}
			if own != nil {
				own.decls = append(own.decls, d)
			}
		}
	}
	return slices.DeleteFunc(all, func(b *bond) bool {
		if i := slices.IndexFunc(b.decls, func(d *decl) bool { return d.side.it.given[d.shapeKey()] != "" }); i > 0 {
			b.decls[0], b.decls[i] = b.decls[i], b.decls[0]
		}
		return len(b.decls) < 2 || !b.differs()
	})
}

// differs reports whether the types of a bond are not all equal.
func (b *bond) differs() bool {
	first := describe(b.decls[0].t, func(*ir.Type) {})
	return slices.ContainsFunc(b.decls, func(d *decl) bool { return describe(d.t, func(*ir.Type) {}) != first })
}

// findShapes finds the types that are equal, and those that stay one type. The fields of
// types already have their names.
func (a *assigner) findShapes() {
	same := classes(a.items)
	bonds := a.bonds()
	if len(bonds) > 0 {
		of := map[*decl][]*decl{}
		for _, class := range same {
			for _, d := range class {
				of[d] = class
			}
		}
		for _, b := range bonds {
			b.addEqual(of)
		}
		same = a.bind(bonds, same)
	}
	for _, class := range same {
		a.shapes = append(a.shapes, &shape{occurrences: class})
	}
}

// addEqual adds to the bond every type that equals one of its types.
func (b *bond) addEqual(of map[*decl][]*decl) {
	known := map[*decl]bool{}
	for _, d := range b.decls {
		known[d] = true
	}
	for _, d := range b.decls {
		for _, more := range of[d] {
			if !known[more] {
				known[more], b.decls = true, append(b.decls, more)
			}
		}
	}
}

// bind widens types until those of each bond are equal, and returns the classes. A type that
// cannot become equal leaves its bond.
func (a *assigner) bind(bonds []*bond, same [][]*decl) [][]*decl {
	unclear := a.unclear()
	for len(bonds) > 0 {
		was := map[*decl]content{}
		for _, b := range bonds {
			b.widen(was, unclear)
		}
		same = classes(a.items)
		class := map[*decl]int{}
		for i, decls := range same {
			for _, d := range decls {
				class[d] = i
			}
		}
		whole := true
		for _, b := range bonds {
			stay := slices.DeleteFunc(slices.Clone(b.decls), func(d *decl) bool { return class[d] != class[b.decls[0]] })
			whole, b.decls = whole && len(stay) == len(b.decls), stay
		}
		if whole {
			break
		}
		for d, c := range was {
			d.lacks, d.own, *d.t, d.values = nil, "", c.t, c.values
		}
		bonds = slices.DeleteFunc(bonds, func(b *bond) bool { return len(b.decls) < 2 })
		same = nil
	}
	if same == nil {
		same = classes(a.items)
	}
	return same
}

// widen makes the types of a bond equal, apart from the types that they name, and notes in
// was what they were. Types that cannot become equal stay unchanged.
func (b *bond) widen(was map[*decl]content, unclear map[*decl]bool) {
	var all ir.Type
	var values []string
	decls := slices.DeleteFunc(slices.Clone(b.decls), func(d *decl) bool { _, done := was[d]; return done })
	for again := true; again && len(decls) > 1; {
		all, values = ir.Type{}, nil
		again = false
		decls = slices.DeleteFunc(decls, func(d *decl) bool { return !unify(&all, &values, d) })
		for i, d := range decls {
			if unclear[d] && len(lacking(d.t, &all)) > 0 {
				decls, again = slices.Delete(decls, i, i+1), true
				break
			}
		}
	}
	for _, d := range decls {
		was[d] = content{*d.t, d.values}
		d.own = describe(d.t, func(*ir.Type) {})
		d.lacks = lacking(d.t, &all)
		if !d.side.it.wanted { // it is not generated
			d.t.Fields, d.t.Consts, d.values = nil, nil, nil
		}
		d.t.Fields, d.t.Consts, d.t.Variants = slices.Clone(d.t.Fields), slices.Clone(d.t.Consts), slices.Clone(d.t.Variants)
		for _, f := range all.Fields {
			if !slices.ContainsFunc(d.t.Fields, func(own *ir.Field) bool { return own.Wire == f.Wire }) {
				more := *f
				d.t.Fields = append(d.t.Fields, &more)
			}
		}
		d.values = slices.Clone(d.values)
		for i, c := range all.Consts {
			if !hasConst(d.t, c.Value) {
				d.t.Consts, d.values = append(d.t.Consts, ir.Const{Value: c.Value}), append(d.values, values[i])
			}
		}
		for i := range d.t.Variants {
			d.t.Variants[i].Match.Rank = all.Variants[i].Match.Rank
		}
	}
}

func hasConst(t *ir.Type, value string) bool {
	return slices.ContainsFunc(t.Consts, func(c ir.Const) bool { return c.Value == value })
}

// lacking returns the members and values of all that t lacks: members by their wire names,
// constants by their Go spelling.
func lacking(t, all *ir.Type) []string {
	var out []string
	for _, f := range all.Fields {
		if !slices.ContainsFunc(t.Fields, func(own *ir.Field) bool { return own.Wire == f.Wire }) {
			out = append(out, f.Wire)
		}
	}
	for _, c := range all.Consts {
		if !hasConst(t, c.Value) {
			out = append(out, c.Value)
		}
	}
	return out
}

// unify adds to all the members and values that only d has, if one type can hold both. Types
// that they name count as equal.
func unify(all *ir.Type, values *[]string, d *decl) bool {
	if !d.side.it.wanted { // it gives nothing
		return true
	}
	t := d.t
	if all.Path == "" {
		*all, *values = *t, slices.Clone(d.values)
		all.Fields, all.Consts = slices.Clone(t.Fields), slices.Clone(t.Consts)
		return true
	}
	core := func(t ir.Type) string { // the part that cannot be widened
		t.Consts, t.Variants = nil, slices.Clone(t.Variants)
		if t.Kind == ir.Struct {
			t.Fields = nil
		}
		for i := range t.Variants {
			t.Variants[i].Match.Rank = 0
		}
		return describe(&t, func(*ir.Type) {})
	}
	if core(*all) != core(*t) || t.Kind == ir.Enum && (t.Open || t.Base != "string") && len(lacking(t, all))+len(lacking(all, t)) > 0 {
		return false
	}
	var more []*ir.Field
	if t.Kind == ir.Struct {
		byWire, byGo := map[string]*ir.Field{}, map[string]bool{}
		for _, f := range all.Fields {
			byWire[f.Wire], byGo[f.Go] = f, true
		}
		for _, f := range t.Fields {
			switch other := byWire[f.Wire]; {
			case other == nil && (f.Presence == ir.Required || byGo[f.Go] || holdsStruct(f.Type)):
				return false
			case other == nil:
				more = append(more, f)
			case describe(&ir.Type{Fields: []*ir.Field{f}}, func(*ir.Type) {}) != describe(&ir.Type{Fields: []*ir.Field{other}}, func(*ir.Type) {}):
				return false
			}
			delete(byWire, f.Wire)
		}
		for _, f := range byWire { // t lacks them
			if f.Presence == ir.Required || holdsStruct(f.Type) {
				return false
			}
		}
	}
	all.Fields = append(all.Fields, more...)
	for i, c := range t.Consts {
		if !hasConst(all, c.Value) {
			all.Consts, *values = append(all.Consts, c), append(*values, d.values[i])
		}
	}
	return len(all.Consts) <= maxConsts
}

// holdsStruct reports whether a value of the type contains a struct without a pointer. A
// struct that gets such a field might contain itself.
func holdsStruct(r *ir.Ref) bool {
	for ; r.Kind == ir.Opt || r.Kind == ir.Array; r = r.Elem {
	}
	return r.Kind == ir.Named && (r.Decl.Kind == ir.Struct || r.Decl.Kind == ir.Tuple)
}

// likes notes the types that the lock has to list under the name of another type. It
// refuses such an entry of the lock for types that do not belong together.
func (a *assigner) likes() {
	for _, s := range a.shapes {
		for _, d := range s.occurrences {
			if len(s.names) > 0 && d.own != s.names[0].home.own {
				d.like = s.names[0].t.Go
			}
			given := d.side.it.given[d.likeKey()]
			if given != "" && d.side.it.wanted && !a.lenient && !slices.ContainsFunc(s.names, func(n *shapeName) bool { return n.t.Go == given }) {
				a.refuse(d.side.it, d.likeKey(), "the name "+given+" is that of another type, which this one does not fit")
			}
		}
	}
}

// maxListed bounds the places that a comment lists.
const maxListed = 4

// where notes in the docs of t the places of a member or constant that is not at all places.
func where(t *ir.Type, places []*decl) {
	note := func(key, only, not string, doc *ir.Doc) {
		has, lacks := 0, 0
		var in, out []string
		for _, d := range places {
			list, count := &in, &has
			if slices.Contains(d.lacks, key) {
				list, count = &out, &lacks
			}
			*count++
			if who := d.side.it.who(); !slices.Contains(*list, who) {
				*list = append(*list, who)
			}
		}
		if lacks == 0 {
			return
		}
		if slices.ContainsFunc(in, func(who string) bool { return slices.Contains(out, who) }) { // a tool has both
			in, out = nil, nil
			for _, d := range places {
				if slices.Contains(d.lacks, key) {
					out = append(out, d.who())
				} else {
					in = append(in, d.who())
				}
			}
		}
		word, list := only, in
		if len(out) < len(in) {
			word, list = not, out
		}
		if more := len(list) - maxListed; more > 0 {
			list = append(list[:maxListed:maxListed], fmt.Sprintf("%d other places", more))
		}
		doc.Notes = append(slices.Clip(doc.Notes), word+" in "+strings.Join(list, ", ")+".")
	}
	for _, f := range t.Fields {
		note(f.Wire, "Only", "Not", &f.Doc)
	}
	for _, c := range t.Consts {
		note(c.Value, c.Go+" is a value only", c.Go+" is no value", &t.Doc)
	}
}
