package decide

// Where types mention other types. The comment of a type says which type mentions it.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// mentions are the places where a type is mentioned.
type mentions struct {
	unions  []string // links to the unions that have it as a variant
	members []mention
}

// mention is a member of a type, followed by "[]" for a list or "{}" for a map. It has no name if
// the type itself is the list or the map, or another name for the mentioned type.
type mention struct {
	in     *ir.Type
	member string
}

// mentionsOf are the mentions of each type, in the order of the tools and their types.
func mentionsOf(tools []*tool) map[*ir.Type]mentions {
	out := map[*ir.Type]mentions{}
	for _, t := range tools {
		for d := range t.decls() {
			if d.elsewhere {
				continue
			}
			for _, v := range d.t.Variants {
				of := out[v.Type]
				of.unions = append(of.unions, "["+d.t.Go+"]")
				out[v.Type] = of
			}
			add := func(member string, r *ir.Ref) {
				for ; r != nil; r = r.Elem {
					switch r.Kind {
					case ir.Slice, ir.Array:
						member += "[]"
					case ir.Map:
						member += "{}"
					case ir.Named:
						of := out[r.Decl]
						of.members = append(of.members, mention{d.t, member})
						out[r.Decl] = of
					}
				}
			}
			for _, f := range d.t.Fields {
				add(f.Wire, f.Type)
			}
			add("{}", d.t.Extra)
			add("[]", d.t.Rest)
			add("", d.t.Of)
		}
	}
	return out
}

// words name the first type that mentions it, and the members there.
func (m mentions) words() string {
	var members []string
	in, last, elsewhere := m.members[0].in, "", ""
	for _, x := range m.members {
		if x.in != in {
			elsewhere = " and elsewhere"
			continue
		}
		part, member := partOf(x.member)
		if member == "" {
			return part + "[" + in.Go + "]"
		}
		member = quote(member)
		if part != last {
			member = part + member
		}
		members, last = append(members, member), part
	}
	return fmt.Sprintf("%s in [%s]%s", firstOf(members), in.Go, elsewhere)
}

// partOf says which part of what the words name has the type.
func partOf(words string) (part, of string) {
	if s, ok := strings.CutSuffix(words, "[]"); ok {
		return "an item of ", s
	}
	if s, ok := strings.CutSuffix(words, "{}"); ok {
		return "a value of ", s
	}
	return "the type of ", words
}

// maxUses bounds the uses of a type that its comment names.
const maxUses = 3

// firstOf is a list of uses, or as many as a comment names and how many more there are.
func firstOf(uses []string) string {
	if len(uses) > maxUses+1 {
		uses = append(slices.Clip(uses[:maxUses]), fmt.Sprintf("%d more", len(uses)-maxUses))
	}
	return sentenceList(uses)
}
