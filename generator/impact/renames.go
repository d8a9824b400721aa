package impact

// Which Go names of generated packages are other ones now: those of tools, members
// and values that have another name on the wire, and what is named after them.

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/generator/internal/decide"
	"github.com/mcpgen/mcpgen/internal/gopkg"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/nearest"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// renaming holds the names that changed.
type renaming struct {
	names  map[name]string            // what a name is now, of a field the part behind the dot
	values map[name]map[string]string // by the name of an enum: texts, and what they are now
	forms  map[name]reform            // fields that hold what they held in another form
	maybe  map[name]offer             // names of items and members that may have another one

	packages map[string]imported // by import path before: packages that have another one

	tables map[string]*table
	report *drift.Report // what changed, as the names before and after were compared
}

// imported is a package as files import it.
type imported struct{ path, name string }

// Rename is an item that has another name, or may have; if Item is not "", an argument of
// that item, or a member of its results.
type Rename struct {
	Server        string
	Kind          schema.Kind // of the item: a tool or a prompt
	Item          string
	Before, After string
}

func (r Rename) String() string {
	if r.Item != "" {
		return r.Server + "/" + r.Item + "/" + r.Before + "=" + r.After
	}
	return r.Server + "/" + r.Before + "=" + r.After
}

// offer is a likely rename with its evidence.
type offer struct {
	Rename
	Evidence string
}

// findRenames compares the names that are generated before and after. What is in sure is
// renamed, whatever it looks like. Declared are the servers of whose types only the names
// are wanted that they are declared under.
func findRenames(ctx context.Context, before, after generator.Options, sure []Rename,
	declared map[string]bool) (*renaming, error) {
	before, after = both(before, after), withoutOldNames(both(after, before))
	known, err := tables(ctx, Options{Before: before, After: after})
	if err != nil {
		return nil, err
	}
	out := &renaming{
		names: map[name]string{}, values: map[name]map[string]string{}, forms: map[name]reform{},
		maybe: map[name]offer{}, packages: map[string]imported{}, tables: known, report: drift.Join(),
	}
	if after.ImportPath != before.ImportPath {
		out.packages[before.ImportPath] = imported{after.ImportPath, generator.OutputPackage(after.Output)}
	}
	for _, server := range slices.Sorted(maps.Keys(known)) {
		t := known[server]
		p := newPairing(t, sure)
		report, err := drift.Compare(ctx, serverOf(before, server), t.afterSnapshot, &drift.Options{Renamed: p.said})
		if err != nil {
			return nil, err
		}
		out.report = drift.Join(out.report, report)
		if to := t.pathAfter; to != t.path {
			fake := path.Base(to) + "test"
			for _, was := range []string{t.path, before.ImportPath + "/" + path.Base(to)} { // its name may be corrected already
				out.packages[was] = imported{to, path.Base(to)}
				out.packages[was+"/"+path.Base(was)+"test"] = imported{to + "/" + fake, fake}
			}
		}
		p.read(report.Servers[0].Changes, sure)
		p.pair()
		p.addTo(out, declared[server])
		p.guess(out, report.Servers[0].Changes)
	}
	return out, nil
}

// guess adds the names of items and members that are gone, and that one of the new ones
// resembles.
func (p *pairing) guess(out *renaming, changes []drift.Change) {
	for _, c := range changes {
		o := offer{Rename{Server: p.server, Kind: c.Kind}, c.Message}
		id := itemID{c.Kind, c.Name}
		if !c.Possible || p.items[id] != "" && c.Rule.Part() == drift.Item ||
			json.Unmarshal(c.Before, &o.Before) != nil || json.Unmarshal(c.After, &o.After) != nil {
			continue
		}
		at := ""
		if c.Rule.Part() != drift.Item {
			o.Item, at = c.Name, memberPointer(c, o.Before)
		}
		for _, sym := range p.was.items[itemID{c.Kind, c.Name}].symbols {
			if at != "" && (sym.Role != decide.RoleField || !slices.Contains(sym.Pointers, at)) {
				continue
			}
			for _, path := range p.everywhere() {
				out.maybe[name{Path: path, Name: sym.Go}] = o
			}
		}
	}
}

// memberPointer is where the symbols of a member that a change is about say that it is.
func memberPointer(c drift.Change, member string) string {
	if c.Kind == schema.KindPrompt {
		return argumentPointer(member)
	}
	return c.Path
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
	said  map[schema.Kind]map[string]string // items that somebody says have another name
	items map[itemID]string                 // items that have another name
	paths map[itemID]map[string]string      // members that have another name, by pointers before

	types  map[itemID]map[string]string // names of types before and after
	votes  map[string]map[string]bool   // names before, and each name after that an item gives them
	values map[string]map[string]string // by the name of an enum before
}

func newPairing(t *table, sure []Rename) *pairing {
	p := &pairing{
		table: t, said: map[schema.Kind]map[string]string{schema.KindTool: {}, schema.KindPrompt: {}},
		items: map[itemID]string{}, paths: map[itemID]map[string]string{}, types: map[itemID]map[string]string{},
		votes: map[string]map[string]bool{}, values: map[string]map[string]string{},
	}
	for from, to := range t.same {
		p.items[itemID{schema.KindTool, from}] = to
	}
	for _, r := range sure {
		if r.Server == t.server && r.Item == "" {
			p.said[r.Kind][r.Before], p.items[itemID{r.Kind, r.Before}] = r.After, r.After
		}
	}
	return p
}

// read takes renames from what changed, and from what somebody says.
func (p *pairing) read(changes []drift.Change, sure []Rename) {
	add := func(id itemID, at, to string) {
		if p.paths[id] == nil {
			p.paths[id] = map[string]string{}
		}
		p.paths[id][at] = to
	}
	for _, c := range changes {
		var before, to string
		if c.Possible || !c.Rule.Renames() ||
			json.Unmarshal(c.Before, &before) != nil || json.Unmarshal(c.After, &to) != nil {
			continue
		}
		switch id := (itemID{c.Kind, c.Name}); {
		case c.Rule.Part() != drift.Item:
			add(id, memberPointer(c, before), to)
		case c.Kind == schema.KindPrompt: // of tools [table.same] has what is sure
			p.items[id] = to
		}
	}
	for _, r := range sure {
		id := itemID{r.Kind, r.Item}
		for _, s := range of(p.was.items[id].symbols, decide.RoleField) {
			for _, at := range s.Pointers {
				if r.Server == p.server && jsontext.LastName(at) == r.Before {
					add(id, at, r.After)
				}
			}
		}
	}
	for _, s := range p.was.symbols { // a member has several pointers, of which a change names one
		renamed := p.paths[idOf(s)]
		for _, at := range s.Pointers {
			if to, ok := renamed[at]; ok && s.Role == decide.RoleField {
				renamed[s.Pointers[0]] = to
			}
		}
	}
}

// pair finds what each name is now: types first, since fields and constants belong to
// them.
func (p *pairing) pair() {
	contested := p.contested()
	for _, role := range []decide.Role{decide.RoleFunc, decide.RoleType, decide.RoleField, decide.RoleConst} {
		for _, s := range of(p.was.symbols, role) {
			id := idOf(s)
			to := id
			if renamed := p.items[id]; renamed != "" {
				to.name = renamed
			}
			if contested[id] {
				continue
			}
			p.one(s, id, of(p.now.items[to].symbols, role), naming(p.now.items[to].symbols))
		}
	}
}

// contested returns the items whose functions' names two branches gave, and a merge took back: whether code with such a
// name means this item or the other one is not known.
func (p *pairing) contested() map[itemID]bool {
	out := map[itemID]bool{}
	for _, f := range of(p.was.symbols, decide.RoleFunc) {
		if p.now.names[f.Go].Go != "" {
			continue
		}
		for _, n := range of(p.now.symbols, decide.RoleFunc) {
			_, old := p.was.items[idOf(n)]
			if (!old || idOf(n) == idOf(f)) && decide.Numbered(f.Go, n.Go) {
				out[idOf(f)] = true
			}
		}
	}
	return out
}

// naming returns the functions that types of their items are named after: those that call
// and read, and not those of tasks and changes.
func naming(all []decide.Symbol) []decide.Symbol {
	return slices.DeleteFunc(of(all, decide.RoleFunc), func(s decide.Symbol) bool { return s.Pointers[0] != "" })
}

// one finds the present form of a name, among the names of the same item.
func (p *pairing) one(s decide.Symbol, id itemID, now, functions []decide.Symbol) {
	isIt := func(n decide.Symbol) bool { return n.Go == s.Go }
	if slices.ContainsFunc(now, isIt) && s.Role != decide.RoleConst && s.Role != decide.RoleType {
		p.vote(s, s.Go)
		return
	}
	switch s.Role {
	case decide.RoleFunc:
		for _, n := range now {
			if n.Pointers[0] == s.Pointers[0] { // an item has one for each thing that can be done with it
				p.vote(s, n.Go)
			}
		}
	case decide.RoleType:
		p.oneType(s, id, now, functions)
	case decide.RoleField:
		wire := jsontext.LastName(s.Pointers[0])
		if to, ok := p.paths[id][s.Pointers[0]]; ok {
			wire = to
		}
		for _, n := range now {
			if owner(n) == p.types[id][owner(s)] && n.Result == s.Result && jsontext.LastName(n.Pointers[0]) == wire {
				p.vote(s, n.Go)
			}
		}
	case decide.RoleConst:
		p.oneConst(s, id, now)
	}
}

func (p *pairing) vote(s decide.Symbol, now string) {
	if p.votes[s.Go] == nil {
		p.votes[s.Go] = map[string]bool{}
	}
	p.votes[s.Go][now] = true
}

// oneType finds a type by its place. Where several have it, the one that is named like
// it counts.
func (p *pairing) oneType(s decide.Symbol, id itemID, now, functions []decide.Symbol) {
	at := p.moved(id, s.Pointers[0])
	var found []decide.Symbol
	for _, n := range now {
		if n.Result == s.Result && n.Pointers[0] == at {
			found = append(found, n)
		}
	}
	if likewise := likeIn(s, found); len(likewise) > 0 {
		found = likewise
	}
	pick := func(keep func(decide.Symbol) bool) (string, bool) {
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
	for _, keep := range []func(decide.Symbol) bool{
		func(n decide.Symbol) bool { return n.Go == s.Go },
		func(n decide.Symbol) bool { return renamed[n.Go] },
		func(n decide.Symbol) bool {
			return isBasic(n.Type) == isBasic(s.Type) && (isBasic(n.Type) || n.Type == s.Type)
		},
		func(decide.Symbol) bool { return true },
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
func likeIn(s decide.Symbol, symbols []decide.Symbol) []decide.Symbol {
	return slices.DeleteFunc(slices.Clone(symbols), func(n decide.Symbol) bool { return (n.Of == "") != (s.Of == "") })
}

// isBasic reports whether the text of a type is a basic type of enums.
func isBasic(text string) bool { return text != "struct" && text != "interface" }

// oneConst finds a constant by its value, or by a value that replaced its own and is
// written much like it.
func (p *pairing) oneConst(s decide.Symbol, id itemID, now []decide.Symbol) {
	var values []string
	of := map[string]decide.Symbol{}
	likewise := likeIn(s, now)
	at := p.moved(id, s.Pointers[0])
	if s.Of != "" && slices.ContainsFunc(likewise, func(n decide.Symbol) bool { return n.Pointers[0] == at }) {
		likewise = slices.DeleteFunc(likewise, func(n decide.Symbol) bool { return n.Pointers[0] != at })
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

// respelled returns the value that replaced a constant's value: of all removed and all new
// values, these two are the nearest to each other. It returns "" if that is not certain.
func (p *pairing) respelled(s decide.Symbol, now []string) string {
	var was []string
	for _, o := range likeIn(s, of(p.was.symbols, decide.RoleConst)) {
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

// moved returns a pointer with the new names of renamed members.
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

// addTo adds the names that all items agree on, and the fields of another form. Under
// declared, those are names that are declared.
func (p *pairing) addTo(out *renaming, declared bool) {
	agreed := map[string]string{}
	for was, votes := range p.votes {
		for now := range votes {
			if len(votes) == 1 {
				agreed[was] = now
			}
		}
	}
	if declared {
		for now, s := range p.now.names {
			if s.Of != "" && p.was.names[now].Go == "" {
				agreed[now] = now
			}
		}
		for was, now := range agreed {
			if p.now.names[now].Of != "" {
				agreed[was] = p.resolve(now)
			}
		}
	}
	for was, now := range agreed {
		member, before := now[strings.IndexByte(now, '.')+1:], was[strings.IndexByte(was, '.')+1:]
		for _, path := range p.everywhere() {
			if member != before {
				out.names[name{Path: path, Name: was}] = member
			}
			if f, ok := reformOf(p.was.names[was], p.now.names[now], p.now.names, agreed); ok {
				out.forms[name{Path: path, Name: was}] = f
			}
		}
	}
	for enum, values := range p.values {
		for _, path := range p.everywhere() {
			out.values[name{Path: path, Name: enum}] = values
		}
	}
}

// everywhere returns the import paths under which code may use the old names: somebody may
// have rewritten the imports of a package that has moved.
func (p *pairing) everywhere() []string { return []string{p.path, p.pathAfter} }

func importPath(o generator.Options, s generator.Server) string {
	return o.ImportPath + "/" + cmp.Or(s.Package, gopkg.Of(s.Name))
}
