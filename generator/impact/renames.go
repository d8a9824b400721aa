package impact

// Which Go names of generated packages are other ones now: those of tools, members
// and values that have another name on the wire, and what is named after them.

import (
	"context"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/nearest"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// renaming are names that changed.
type renaming struct {
	names  map[name]string            // what a name is now, of a field the part behind the dot
	values map[name]map[string]string // by the name of an enum: texts, and what they are now
	maybe  map[name]ToolRename        // names of tools that may have another one

	packages map[string]imported // by import path before: packages that have another one
}

// imported is a package as files import it.
type imported struct{ path, name string }

// ToolRename is a tool that has another name, or may have; if Tool is not "", a member of
// that tool's arguments or results.
type ToolRename struct{ Server, Tool, Before, After string }

func (r ToolRename) String() string {
	if r.Tool != "" {
		return r.Server + "/" + r.Tool + "/" + r.Before + "=" + r.After
	}
	return r.Server + "/" + r.Before + "=" + r.After
}

// findRenames compares the names that are generated before and after. Tools in sure are
// renamed, whatever they look like.
func findRenames(ctx context.Context, before, after generator.Options, sure []ToolRename) (*renaming, error) {
	before, after = both(before, after), withoutOldNames(both(after, before))
	known, err := tables(ctx, Options{Before: before, After: after})
	if err != nil {
		return nil, err
	}
	out := &renaming{names: map[name]string{}, values: map[name]map[string]string{}, maybe: map[name]ToolRename{}, packages: map[string]imported{}}
	if after.ImportPath != before.ImportPath {
		out.packages[before.ImportPath] = imported{after.ImportPath, generator.OutputPackage(after.Output)}
	}
	for _, t := range known {
		report, err := drift.Compare(ctx, serverOf(before, t.server), t.afterSnapshot, nil)
		if err != nil {
			return nil, err
		}
		if to := t.pathAfter; to != t.path {
			fake := path.Base(to) + "test"
			out.packages[t.path] = imported{to, path.Base(to)}
			out.packages[t.path+"/"+path.Base(t.path)+"test"] = imported{to + "/" + fake, fake}
		}
		p := newPairing(t, report.Servers[0].Changes, sure)
		for from, to := range t.same {
			p.items[itemID{drift.KindTool, from}] = to
		}
		for _, r := range sure {
			if r.Server == t.server && r.Tool == "" {
				p.items[itemID{drift.KindTool, r.Before}] = r.After
			}
		}
		p.pair()
		p.addTo(out)
		p.guess(out, report.Servers[0].Changes)
	}
	return out, nil
}

// guess adds the names of tools and members that are gone, and that one of the new ones
// resembles.
func (p *pairing) guess(out *renaming, changes []drift.Change) {
	for _, c := range changes {
		var to string
		id := itemID{c.Kind, c.Name}
		if c.Possible && c.Kind == drift.KindTool && c.Rule.Part() != drift.Item && p.paths[id][c.Path] == "" {
			p.guessMember(out, id, c)
			continue
		}
		if !c.Rule.Renames() || c.Kind != drift.KindTool || c.Rule.Part() != drift.Item || p.items[id] != "" || json.Unmarshal(c.After, &to) != nil {
			continue
		}
		for _, sym := range p.was.items[id].symbols {
			for _, path := range p.everywhere() {
				out.maybe[name{Path: path, Name: sym.Go}] = ToolRename{Server: p.server, Before: c.Name, After: to}
			}
		}
	}
}

// guessMember adds the names of one member.
func (p *pairing) guessMember(out *renaming, id itemID, c drift.Change) {
	r := ToolRename{Server: p.server, Tool: c.Name}
	if json.Unmarshal(c.Before, &r.Before) != nil || json.Unmarshal(c.After, &r.After) != nil {
		return
	}
	for _, sym := range of(p.was.items[id].symbols, generator.SymbolField) {
		if slices.Contains(sym.Pointers, c.Path) {
			for _, path := range p.everywhere() {
				out.maybe[name{Path: path, Name: sym.Go}] = r
			}
		}
	}
}

// withoutOldNames are options for which no tool keeps the names that it had before.
func withoutOldNames(o generator.Options) generator.Options {
	for i, s := range o.Servers {
		o.Servers[i] = s.WithoutOldNames()
	}
	return o
}

// pairing pairs the names of one package.
type pairing struct {
	*table
	items map[itemID]string            // items that have another name
	paths map[itemID]map[string]string // members that have another name, by pointers before

	types  map[itemID]map[string]string // names of types before and after
	votes  map[string]map[string]bool   // names before, and each name after that an item gives them
	values map[string]map[string]string // by the name of an enum before
}

func newPairing(t *table, changes []drift.Change, sure []ToolRename) *pairing {
	p := &pairing{
		table: t, items: map[itemID]string{}, paths: map[itemID]map[string]string{},
		types: map[itemID]map[string]string{}, votes: map[string]map[string]bool{}, values: map[string]map[string]string{},
	}
	for _, c := range changes {
		var before, to string
		if !c.Rule.Renames() || json.Unmarshal(c.Before, &before) != nil || json.Unmarshal(c.After, &to) != nil {
			continue
		}
		id := itemID{c.Kind, c.Name}
		at := c.Path
		switch {
		case c.Rule.Part() == drift.Item && c.Kind == drift.KindPrompt:
			p.items[id] = to
			continue
		case c.Rule.Part() == drift.Item:
			continue // of tools [table.same] has what is sure
		case c.Kind == drift.KindPrompt:
			at = argumentPointer(before)
		case c.Possible && !slices.Contains(sure, ToolRename{t.server, c.Name, before, to}):
			continue
		}
		if p.paths[id] == nil {
			p.paths[id] = map[string]string{}
		}
		p.paths[id][at] = to
	}
	for _, r := range sure {
		if id := (itemID{drift.KindTool, r.Tool}); r.Server == t.server && r.Tool != "" {
			if p.paths[id] == nil {
				p.paths[id] = map[string]string{}
			}
			for _, side := range []string{"/inputSchema/properties/", "/outputSchema/properties/"} {
				p.paths[id][side+jsontext.EscapePointer(r.Before)] = r.After
			}
		}
	}
	for _, s := range t.was.symbols { // a member has several pointers, of which a change names one
		renamed := p.paths[idOf(s)]
		for _, at := range s.Pointers {
			if to, ok := renamed[at]; ok && s.Role == generator.SymbolField {
				renamed[s.Pointers[0]] = to
			}
		}
	}
	return p
}

// pair finds what each name is now: types first, since fields and constants belong to
// them.
func (p *pairing) pair() {
	for _, role := range []generator.SymbolRole{generator.SymbolFunc, generator.SymbolType, generator.SymbolField, generator.SymbolConst} {
		for _, s := range of(p.was.symbols, role) {
			id := idOf(s)
			to := id
			if renamed := p.items[id]; renamed != "" {
				to.name = renamed
			}
			p.one(s, id, of(p.now.items[to].symbols, role), naming(p.now.items[to].symbols))
		}
	}
}

// naming returns the functions that types of their items are named after: those that call
// and read, and not those of tasks and changes.
func naming(all []generator.Symbol) []generator.Symbol {
	return slices.DeleteFunc(of(all, generator.SymbolFunc), func(s generator.Symbol) bool { return s.Pointers[0] != "" })
}

// one finds what one name is now, among those of the same item.
func (p *pairing) one(s generator.Symbol, id itemID, now, functions []generator.Symbol) {
	if slices.ContainsFunc(now, func(n generator.Symbol) bool { return n.Go == s.Go }) && s.Role != generator.SymbolConst && s.Role != generator.SymbolType {
		p.vote(s, s.Go)
		return
	}
	switch s.Role {
	case generator.SymbolFunc:
		for _, n := range now {
			if n.Pointers[0] == s.Pointers[0] { // an item has one for each thing that can be done with it
				p.vote(s, n.Go)
			}
		}
	case generator.SymbolType:
		p.oneType(s, id, now, functions)
	case generator.SymbolField:
		wire := jsontext.LastName(s.Pointers[0])
		if to, ok := p.paths[id][s.Pointers[0]]; ok {
			wire = to
		}
		for _, n := range now {
			if owner(n) == p.types[id][owner(s)] && n.Result == s.Result && jsontext.LastName(n.Pointers[0]) == wire {
				p.vote(s, n.Go)
			}
		}
	case generator.SymbolConst:
		p.oneConst(s, id, now)
	}
}

func (p *pairing) vote(s generator.Symbol, now string) {
	if p.votes[s.Go] == nil {
		p.votes[s.Go] = map[string]bool{}
	}
	p.votes[s.Go][now] = true
}

// oneType finds a type by its place. Where several have it, the one that is named like
// it counts.
func (p *pairing) oneType(s generator.Symbol, id itemID, now, functions []generator.Symbol) {
	at := p.moved(id, s.Pointers[0])
	var found []generator.Symbol
	for _, n := range now {
		if n.Result == s.Result && n.Pointers[0] == at {
			found = append(found, n)
		}
	}
	if likewise := likeIn(s, found); len(likewise) > 0 {
		found = likewise
	}
	pick := func(keep func(generator.Symbol) bool) (string, bool) {
		var names []string
		for _, n := range found {
			if keep(n) && !slices.Contains(names, n.Go) {
				names = append(names, n.Go)
			}
		}
		return strings.Join(names, ""), len(names) == 1
	}
	renamed := map[string]bool{}
	for _, f := range naming(p.was.symbols) {
		if rest, ok := strings.CutPrefix(s.Go, f.Go); ok && idOf(f) == id && len(functions) == 1 {
			renamed[functions[0].Go+rest] = true
		}
	}
	for _, keep := range []func(generator.Symbol) bool{
		func(n generator.Symbol) bool { return n.Go == s.Go },
		func(n generator.Symbol) bool { return renamed[n.Go] },
		func(n generator.Symbol) bool {
			return isBasic(n.Type) == isBasic(s.Type) && (isBasic(n.Type) || n.Type == s.Type)
		},
		func(generator.Symbol) bool { return true },
	} {
		if to, ok := pick(keep); ok {
			if p.types[id] == nil {
				p.types[id] = map[string]string{}
			}
			p.types[id][s.Go] = to
			p.vote(s, to)
			return
		}
	}
}

// likeIn are those of the symbols that are declared, if s is, else those that are other
// names of what is.
func likeIn(s generator.Symbol, symbols []generator.Symbol) []generator.Symbol {
	return slices.DeleteFunc(slices.Clone(symbols), func(n generator.Symbol) bool { return (n.Of == "") != (s.Of == "") })
}

// isBasic reports whether the text of a type is one that an enum is made of.
func isBasic(text string) bool { return text != "struct" && text != "interface" }

// oneConst finds a constant by its value, or by a value that replaced its own and is
// written much like it.
func (p *pairing) oneConst(s generator.Symbol, id itemID, now []generator.Symbol) {
	var values []string
	of := map[string]generator.Symbol{}
	likewise := likeIn(s, now)
	if at := p.moved(id, s.Pointers[0]); s.Of != "" && slices.ContainsFunc(likewise, func(n generator.Symbol) bool { return n.Pointers[0] == at }) {
		likewise = slices.DeleteFunc(likewise, func(n generator.Symbol) bool { return n.Pointers[0] != at })
	}
	for _, n := range likewise {
		if _, known := of[n.Value]; !known && n.Type == p.types[id][s.Type] {
			values = append(values, n.Value)
			of[n.Value] = n
		}
	}
	if n, ok := of[s.Value]; ok {
		p.vote(s, n.Go)
		return
	}
	to := p.respelled(s, values)
	if to == "" {
		return
	}
	p.vote(s, of[to].Go)
	if p.values[s.Type] == nil {
		p.values[s.Type] = map[string]string{}
	}
	p.values[s.Type][s.Value] = to
}

// respelled returns the value that replaced the one of a constant; "" if that is not
// sure: they are the nearest to each other of all that went and came.
func (p *pairing) respelled(s generator.Symbol, now []string) string {
	var was []string
	for _, o := range likeIn(s, of(p.was.symbols, generator.SymbolConst)) {
		if o.Type == s.Type && !slices.Contains(was, o.Value) {
			was = append(was, o.Value)
		}
	}
	gone := slices.DeleteFunc(slices.Clone(was), func(v string) bool { return slices.Contains(now, v) })
	came := slices.DeleteFunc(slices.Clone(now), func(v string) bool { return slices.Contains(was, v) })
	folds := func(v string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return unicode.ToLower(r)
			}
			return -1
		}, v)
	}
	var same []string
	for _, v := range came {
		if folds(v) == folds(s.Value) {
			same = append(same, v)
		}
	}
	switch to := nearest.Of(s.Value, came); {
	case len(same) == 1:
		return same[0]
	case len(same) == 0 && to != "" && nearest.Of(to, gone) == s.Value:
		return to
	}
	return ""
}

// moved is a place as it is written now.
func (p *pairing) moved(id itemID, pointer string) string {
	segments := strings.Split(pointer, "/")
	out := slices.Clone(segments)
	for i := range segments {
		if to, ok := p.paths[id][strings.Join(segments[:i+1], "/")]; ok {
			out[i] = jsontext.EscapePointer(to)
		}
	}
	return strings.Join(out, "/")
}

// addTo adds the names that all items agree on.
func (p *pairing) addTo(out *renaming) {
	for was, votes := range p.votes {
		for now := range votes {
			member, before := now[strings.IndexByte(now, '.')+1:], was[strings.IndexByte(was, '.')+1:]
			if len(votes) == 1 && member != before {
				for _, path := range p.everywhere() {
					out.names[name{Path: path, Name: was}] = member
				}
			}
		}
	}
	for enum, values := range p.values {
		for _, path := range p.everywhere() {
			out.values[name{Path: path, Name: enum}] = values
		}
	}
}

// everywhere are the import paths that code may know the names of before from: somebody
// may have rewritten the imports of a package that has another one.
func (p *pairing) everywhere() []string { return []string{p.path, p.pathAfter} }
