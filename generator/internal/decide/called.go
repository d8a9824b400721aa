package decide

// What schemas are called where their pointers do not say it. The hardest are types that members
// of different names refer to: "header" declares the type, and "hero",
// "footer" and the elements of "contents" have a $ref to it. The name of the first member is
// no better than the others. Such a type takes the words that the names share, or else the
// name of the list whose elements it is: a Content; or else the singular of what has all of
// the members: of styles.header and styles.footer a Style.

import (
	"slices"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// called has the names of the schemas of one side, by pointer. Branches of unions that are
// not in variants add nothing to a name.
type called struct {
	titles   map[string]string // the names of schemas that are definitions at any place
	variants map[string]string // what a variant is called behind its union
	shorts   map[string]string // the same in short names, if that is something else
	types    map[string]string // what types of members of different names are called
}

// variant notes what the variant at a pointer is called.
func (c *called) variant(at string, br branch) {
	c.variants[at] = br.name
	if br.short != "" {
		c.shorts[at] = br.short
	}
}

// uses are the names of the members that have a type, each once.
type uses struct {
	all   []string
	lists []string // the names of lists, in the singular
	owner string   // the property that contains all members; "" if they are in several
}

// callTypes finds the names of types that members of different names refer to.
func (c *called) callTypes(decls []*decl) {
	of := map[*ir.Type]*uses{}
	for _, d := range decls {
		for _, m := range d.members {
			name, list := part(m.f.Wire), false
			for r := m.f.Type; r != nil; r = r.Elem {
				list = list || r.Kind == ir.Slice || r.Kind == ir.Map
				if r.Kind == ir.Named {
					u := of[r.Decl]
					if u == nil {
						u = &uses{owner: d.property()}
						of[r.Decl] = u
					}
					u.add(name, list, d.property())
				}
			}
		}
	}
	c.types = map[string]string{}
	for _, d := range decls {
		if u := of[d.t]; u != nil && len(u.all) > 1 && d.definition == "" {
			c.types[d.pointer] = u.name()
		}
	}
}

func (u *uses) add(name string, list bool, owner string) {
	if owner != u.owner {
		u.owner = ""
	}
	if list {
		name = oneOf(name)
	}
	if !slices.Contains(u.all, name) {
		u.all = append(u.all, name)
	}
	if list && !slices.Contains(u.lists, name) {
		u.lists = append(u.lists, name)
	}
}

// name returns the words that the names share, or else the name of the only list, or else the
// singular of the owner's name; "" without a usable name.
func (u *uses) name() string {
	if name := sharedWords(u.all); name != "" && !generic(name) {
		return name
	}
	if len(u.lists) == 1 && !generic(u.lists[0]) {
		return u.lists[0]
	}
	return oneOfOwner(u.owner)
}
