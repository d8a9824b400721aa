package main

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/mcpgen/mcpgen/schema"
)

// edit is one change that a server may make from one version to the next.
type edit struct {
	kind  string
	where string // tool
	what  string // the value or member
	after *schema.Snapshot
	// removes says that a part of the surface is gone: what code names of it cannot remain.
	removes bool
}

// kinds are the edits, in the order in which they take turns. Each returns the tool and
// what was changed; "" if the listing has no place for it.
var kinds = []struct {
	name    string
	removes bool
	apply   func(r *rand.Rand, l *listing) (where, what string)
}{
	{"enum value added", false, addValue},
	{"optional property added", false, addProperty},
	{"description changed", false, changeDescription},
	{"enum value removed", true, removeValue},
	{"optional property removed", true, removeProperty},
	{"enum property added", false, addEnum},
	{"tool added", false, addTool},
	{"tool removed", true, removeTool},
	{"tools reordered", false, reorderTools},
	{"properties reordered", false, reorderProperties},
	{"optional object added", false, addObject},
	{"required property of a result added", false, addResult},
}

// listing is the tools of a server while they are edited.
type listing struct{ tools []*node }

// dangling counts the references that lead nowhere.
func (l *listing) dangling() int {
	count := 0
	for _, t := range l.tools {
		count += t.member("inputSchema").dangling() + t.member("outputSchema").dangling()
	}
	return count
}

// pick returns a schema of one of the sides of a tool, nil if there is none.
func (l *listing) pick(r *rand.Rand, is func(*node) bool, sides ...string) (tool, found *node) {
	if sides == nil {
		sides = []string{"inputSchema", "outputSchema"}
	}
	var tools, all []*node
	for _, t := range l.tools {
		for _, side := range sides {
			t.member(side).schemas(func(s *node) {
				if is(s) {
					tools, all = append(tools, t), append(all, s)
				}
			})
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	i := r.IntN(len(all))
	return tools[i], all[i]
}

func isEnum(least int) func(*node) bool {
	return func(s *node) bool {
		e := s.member("enum")
		return e != nil && e.array && len(e.values) >= least && e.values[0].text() != ""
	}
}

func name(tool *node) string { return tool.member("name").text() }

func addValue(r *rand.Rand, l *listing) (string, string) {
	t, s := l.pick(r, isEnum(2))
	if t == nil {
		return "", ""
	}
	values := s.member("enum")
	at := r.IntN(len(values.values) + 1)
	values.values = slices.Insert(values.values, at, textNode("newly_added"))
	return name(t), "newly_added"
}

func removeValue(r *rand.Rand, l *listing) (string, string) {
	t, s := l.pick(r, isEnum(3))
	if t == nil {
		return "", ""
	}
	values := s.member("enum")
	i := r.IntN(len(values.values))
	gone := values.values[i].text()
	values.drop(i)
	return name(t), gone
}

func hasProperties(s *node) bool { p := s.member("properties"); return p != nil && len(p.keys) > 0 }

func addMember(r *rand.Rand, l *listing, schema string) (string, string) {
	t, s := l.pick(r, hasProperties)
	if t == nil {
		return "", ""
	}
	p := s.member("properties")
	at := r.IntN(len(p.keys) + 1)
	p.keys, p.values = slices.Insert(p.keys, at, "newlyAdded"), slices.Insert(p.values, at, parse([]byte(schema)))
	return name(t), "newlyAdded"
}

func addProperty(r *rand.Rand, l *listing) (string, string) {
	return addMember(r, l, `{"type": "string", "description": "What is new here."}`)
}

func addEnum(r *rand.Rand, l *listing) (string, string) {
	return addMember(r, l, `{"type": "string", "enum": ["one", "two", "three"]}`)
}

func addObject(r *rand.Rand, l *listing) (string, string) {
	return addMember(r, l, `{"type": "object", "properties": {"left": {"type": "string"}, "right": {"type": "integer"}}}`)
}

func addResult(r *rand.Rand, l *listing) (string, string) {
	t, s := l.pick(r, hasProperties, "outputSchema")
	if t == nil {
		return "", ""
	}
	s.member("properties").set("newlyAdded", parse([]byte(`{"type": "string"}`)))
	if s.member("required") == nil {
		s.set("required", &node{array: true})
	}
	list := s.member("required")
	list.values = append(list.values, textNode("newlyAdded"))
	return name(t), "newlyAdded"
}

func required(s *node, member string) bool {
	list := s.member("required")
	return list != nil && slices.ContainsFunc(list.values, func(v *node) bool { return v.text() == member })
}

func removeProperty(r *rand.Rand, l *listing) (string, string) {
	optional := func(s *node) []int {
		var out []int
		for i, key := range s.member("properties").keys {
			if !required(s, key) {
				out = append(out, i)
			}
		}
		return out
	}
	t, s := l.pick(r, func(s *node) bool { return hasProperties(s) && len(optional(s)) > 0 })
	if t == nil {
		return "", ""
	}
	p, at := s.member("properties"), optional(s)
	i := at[r.IntN(len(at))]
	gone := p.keys[i]
	p.drop(i)
	return name(t), gone
}

func changeDescription(r *rand.Rand, l *listing) (string, string) {
	tool, s := l.pick(r, func(s *node) bool { return s.member("description").text() != "" })
	if tool == nil || r.IntN(4) == 0 {
		tool = l.tools[r.IntN(len(l.tools))]
		s = tool
	}
	s.set("description", textNode(s.member("description").text()+" It says one thing more."))
	return name(tool), "description"
}

func addTool(r *rand.Rand, l *listing) (string, string) {
	t := parse(l.tools[r.IntN(len(l.tools))].bytes())
	added := name(t) + "_again"
	t.set("name", textNode(added))
	l.tools = slices.Insert(l.tools, r.IntN(len(l.tools)+1), t)
	return added, added
}

func removeTool(r *rand.Rand, l *listing) (string, string) {
	if len(l.tools) < 2 {
		return "", ""
	}
	i := r.IntN(len(l.tools))
	gone := name(l.tools[i])
	l.tools = slices.Delete(l.tools, i, i+1)
	return gone, gone
}

func reorderTools(r *rand.Rand, l *listing) (string, string) {
	if len(l.tools) < 2 {
		return "", ""
	}
	i := r.IntN(len(l.tools) - 1)
	l.tools[i], l.tools[i+1] = l.tools[i+1], l.tools[i]
	return name(l.tools[i]), "order"
}

func reorderProperties(r *rand.Rand, l *listing) (string, string) {
	t, s := l.pick(r, func(s *node) bool { p := s.member("properties"); return p != nil && len(p.keys) > 1 })
	if t == nil {
		return "", ""
	}
	p := s.member("properties")
	i := r.IntN(len(p.keys) - 1)
	p.keys[i], p.keys[i+1] = p.keys[i+1], p.keys[i]
	p.values[i], p.values[i+1] = p.values[i+1], p.values[i]
	return name(t), "order"
}

// edits makes as many edits of a snapshot, each of the snapshot as it was.
func edits(before *schema.Snapshot, count int, seed uint64) ([]edit, error) {
	r := rand.New(rand.NewPCG(seed, 0))
	var out []edit
	for i := 0; len(out) < count; i++ {
		if i > 20*count {
			return nil, fmt.Errorf("%s: has no place for edits", before.Server)
		}
		k := kinds[i%len(kinds)]
		l := &listing{}
		for _, it := range before.Tools {
			l.tools = append(l.tools, parse(it.Raw))
		}
		dangling := l.dangling()
		where, what := k.apply(r, l)
		if where == "" || l.dangling() > dangling { // other places refer to what is gone: no server lists that
			continue
		}
		after := *before
		after.Tools = nil
		for _, t := range l.tools {
			it, err := schema.ParseItem(schema.KindTool, t.bytes())
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", before.Server, k.name, err)
			}
			after.Tools = append(after.Tools, it)
		}
		out = append(out, edit{kind: k.name, where: where, what: what, after: &after, removes: k.removes})
	}
	return out, nil
}
