// Package decide turns what a server said (schema) into what will be generated
// (ir). Every Go name, type and doc comment is decided here and nowhere else.
//
// Everything a server says is taken for hostile. Identifiers come from scopes
// only, every loop has a bound, and a definition that makes no sense costs
// itself, never its neighbours. The rule for types is "looser, never stricter":
// what is not understood widens the type, and both the doc comment and a
// [Warning] say so.
package decide

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/glob"
	"github.com/mcpgen/mcpgen/internal/gopkg"
	"github.com/mcpgen/mcpgen/internal/parallel"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Server is one server and what the user wants of it. It is only read.
type Server struct {
	Name string // configured name
	// Package is the Go package name, and the name of its folder. Empty is made of Name.
	Package  string
	Snapshot *schema.Snapshot
	// Locked is what was accepted. Code is made of exactly that, and nil is an error then;
	// otherwise it is what keeps its names, and nil is a server that was never locked.
	Locked *lockfile.LockedServer
	// Names gives each tool's qualified name, by wire name. A tool that is not
	// in it is known by its wire name.
	Names map[string]string
	// Include and Exclude are globs over wire names: * is any run of
	// characters, the slash too, ? one character, [a-z] one of a class, and a
	// backslash escapes the next character. An empty Include is all
	// tools. Exclude wins.
	Include, Exclude []string
	// Rename gives a tool, by wire name, the Go name that it shall have.
	Rename map[string]string
	// RenameAt are the positions of Rename's entries in the configuration, for errors:
	// file:line:column. Each may be missing.
	RenameAt map[string]string
	// Types are what the user wants generated types to be, in the order in which they are
	// carried out. Their mistakes are errors.
	Types []TypeChoice
	// PlaceNames generates all names by place, for users whose code nobody here knows.
	// Otherwise those that the lock lists are generated.
	PlaceNames bool
	// Results are the result schemas of tools that declare none, by wire name.
	// They have to be those that Locked says. Those of other tools are not looked at.
	Results map[string]Result
}

// Selects reports whether Include and Exclude let a tool through. An invalid pattern
// matches nothing.
func (s Server) Selects(tool string) bool { return glob.Selects(s.Include, s.Exclude, tool) }

// WithoutOldNames returns the server without the old names of its tools.
func (s Server) WithoutOldNames() Server {
	if s.Locked == nil {
		return s
	}
	locked := *s.Locked
	locked.Tools = maps.Clone(locked.Tools)
	for name, item := range locked.Tools {
		if p := Pinned(item); p.Was != nil || p.Keep != nil {
			p.Was, p.Keep = nil, nil
			locked.Tools[name] = WithPins(item, p)
		}
	}
	s.Locked = &locked
	return s
}

// Input is a server, and for what something is decided about it.
type Input struct {
	Server
	// Past says that the snapshot is one that Types need not fit: what they say of
	// what it does not have is ignored.
	Past bool
	// ResultsBefore are the Results that the snapshot before was used with; only
	// [AssignNames] reads them. It reads of Types what keeps new short names from being
	// those.
	ResultsBefore map[string]Result
	// Capitals are the words that the lock will have; only [AssignNames] reads them.
	Capitals []string
	// Strict makes every warning an error.
	Strict bool

	caps capitals // the ones to use
}

// Warning is something that was left out or typed more loosely than its schema.
type Warning struct {
	Server  string
	Kind    schema.Kind // of a prompt, resource or template; empty for a tool
	Tool    string      // wire name of the item; empty for the server itself
	Pointer string      // JSON pointer into its definition; "" is the whole
	Reason  string
	Step    string // what to do; "" if that is unknown
	// Merged says that two branches gave one name, and the lock has both: once a run writes new names into the lock, the
	// warning is gone.
	Merged bool
}

// Package decides everything about one generated package. Tools come out in byte
// order of their wire names, whatever order they were listed in.
//
// A tool that cannot be generated is left out, a schema that is not understood
// is typed more loosely; each is a warning, or with in.Strict part of the error,
// which lists all of them except warnings about merged locks. The other errors are the user's to fix: a glob, rename or
// locked name that cannot be used.
func Package(ctx context.Context, in Input) (*ir.Package, []Warning, error) {
	w := newWarner(in.Name, "")
	all, err := decideAll(ctx, in, w, (*tool).documentAndRelease)
	if err != nil {
		return nil, nil, err
	}
	if in.Strict {
		if err := Strict(w.sorted()); err != nil {
			return nil, nil, err
		}
	}
	return all.assemble(in), w.sorted(), nil
}

// decided is the content of a package.
type decided struct {
	tools     []*tool
	prompts   []*prompt
	resources []*resource
	templates []*template
	foreign   ir.Foreign
	shapes    []ir.ShapeName
}

// items returns everything in the package, tools first.
func (all *decided) items() []*item {
	var out []*item
	for _, t := range all.tools {
		out = append(out, &t.item)
	}
	for _, p := range all.prompts {
		out = append(out, &p.item)
	}
	for _, r := range all.resources {
		out = append(out, &r.item)
	}
	for _, t := range all.templates {
		out = append(out, &t.item)
	}
	return out
}

// decideAll makes the types of everything that is wanted and gives every name. It
// calls each when the types of a tool are there, and have no names yet; for several
// tools at a time.
func decideAll(ctx context.Context, in Input, w *warner, each func(*tool)) (*decided, error) {
	if err := checkConfig(in, w); err != nil {
		return nil, err
	}
	in.caps = PinnedServer(in.Locked).Capitals
	if in.Locked == nil {
		in.caps = Capitals(in.Snapshot, nil, nil)
	}
	all, a, err := nameAll(ctx, in, w, nil, each)
	if err != nil {
		return nil, err
	}
	all.shapes = a.unlockedShapes()
	a.warnOfTwice(w)
	if err := a.nameChosen(); err != nil {
		return nil, err
	}
	for _, t := range all.tools {
		t.limited = t.limits()
	}
	declareOnce(a.shapes, a.items)
	all.roomForNumbers()
	all.foreign, err = keepOldNames(a.server, a.scope, all.tools, in.Rename)
	for _, t := range all.tools {
		if !in.Past {
			err = errors.Join(err, checkListed(in.Name, t))
		}
		if t.every = in.PlaceNames; t.every {
			t.boundSynonyms(w)
		}
	}
	return all, err
}

// nameAll is decideAll without checks and old names, and every type is still
// declared at each of its places. Kept are the names that
// items had before; with it, short names in the lock that cannot be given are
// forgotten. The types of tools that are not wanted are made, too, where
// short names depend on them.
func nameAll(ctx context.Context, in Input, w *warner, kept map[ItemID]map[string]string,
	each func(*tool)) (*decided, *assigner, error) {
	all := &decided{}
	var err error
	var wrong error
	if in.Locked != nil {
		if wrong = CheckPins(in.Name, in.Locked); wrong != nil {
			wrong = fmt.Errorf("mcpgen.lock: %w", wrong)
		}
	}
	if all.tools, err = readTools(ctx, in, w); err != nil {
		return nil, nil, err
	}
	chosen := readChoices(in, all.tools)
	unnamed := !slices.ContainsFunc(all.tools, (*tool).namesShapes)
	warners := make([]*warner, len(all.tools))
	err = parallel.Each(ctx, len(all.tools), func(i int) error {
		t := all.tools[i]
		warners[i] = newWarner(in.Name, "")
		if t.wanted || unnamed || t.namesShapes() {
			t.buildTypes(ctx, warners[i])
			chosen.override(t)
			each(t)
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, nil, err
	}
	for i, t := range all.tools {
		if t.wanted {
			w.takeAll(warners[i])
		}
	}
	s := in.Snapshot
	all.prompts = readItems(in, schema.KindPrompt, s.Prompts, w, readPrompt)
	if len(s.Resources) <= maxResources {
		all.resources = readItems(in, schema.KindResource, s.Resources, w, readResource)
		number(all.resources)
	}
	all.templates = readItems(in, schema.KindTemplate, s.Templates, w, readTemplate)
	a := newAssigner(in.Name, all.items(), kept, chosen)
	a.renameAt = in.RenameAt
	return all, a, errors.Join(wrong, a.run())
}

// assemble puts the package together, now that everything has its name.
func (all *decided) assemble(in Input) *ir.Package {
	s, name := in.Snapshot, cmp.Or(in.Package, gopkg.Of(in.Name))
	title, version := selfDescription(s.Identity)
	p := &ir.Package{
		Name: name, Server: in.Name, Title: title, Version: version,
		Doc: packageDoc(name, in.Name, s), Foreign: all.foreign, Shapes: all.shapes, PlaceNames: in.PlaceNames,
		Completes: capable(s.Capabilities, "completions"),
		Reads:     capable(s.Capabilities, "resources") || len(s.Resources)+len(s.Templates) > 0,
	}
	if in.Locked != nil {
		p.Launch = in.Locked.Launch.Hash
	}
	if p.Reads {
		p.ReadsDoc = readsDoc(s)
	}
	tools := slices.DeleteFunc(slices.Clone(all.tools), func(t *tool) bool { return !t.wanted })
	p.Tools = make([]*ir.Tool, len(tools))
	types := make([][]*ir.Type, len(tools))
	mentioned := mentionsOf(tools)
	_ = parallel.Each(context.Background(), len(tools), func(i int) error {
		t := tools[i]
		qualified, ok := in.Names[t.wire]
		if !ok {
			qualified = t.wire
		}
		p.Tools[i] = t.decided(qualified)
		for d := range t.decls() {
			if !d.elsewhere && !d.t.Shared {
				d.t.Doc.Lead = d.t.Go + " " + d.lead(t.wire, mentioned[d.t])
				types[i] = append(types[i], d.t)
			}
		}
		return nil
	})
	p.Types = append(all.sharedTypes(mentioned), slices.Concat(types...)...)
	for _, x := range all.prompts {
		p.Prompts = append(p.Prompts, x.decided())
	}
	known := map[*numberedSet]bool{}
	for _, x := range all.resources {
		if x.set == nil || !known[x.set] {
			p.Resources = append(p.Resources, x.decided())
		}
		known[x.set] = true
	}
	for _, x := range all.templates {
		p.Templates = append(p.Templates, x.decided())
	}
	return p
}

// sharedTypes are the types that several tools name, by name.
func (all *decided) sharedTypes(mentioned map[*ir.Type]mentions) []*ir.Type {
	var out []*ir.Type
	for _, t := range all.tools {
		for d := range t.decls() {
			if t.wanted && d.t.Shared && !d.elsewhere {
				d.t.Doc.Lead = d.t.Go + " " + d.lead(t.wire, mentioned[d.t])
				out = append(out, d.t)
			}
		}
	}
	slices.SortFunc(out, func(x, y *ir.Type) int { return cmp.Compare(x.Go, y.Go) })
	return out
}

// AssignNames returns the Go names that the lock has to remember, by item and
// place in its definition: "" is the function, the pointer of a property its
// field, the keyword "type" of a schema its type, and below that, by JSON value,
// the constants of an enum; "/uriTemplate" is the reader of a template. Only
// names that met others are in it. In.Locked is the lock as it was: what has a name
// there keeps it, and what is new is numbered behind it. Include, Exclude, Rename
// and Package are ignored, since they may change without the lock.
//
// Before is the snapshot that in.Locked was made from. With it also the fields,
// types and constants that never had to be written down keep their names; nil
// is fine for a server that was never locked.
func AssignNames(ctx context.Context, in Input, before *schema.Snapshot) (map[ItemID]map[string]string, error) {
	in.Include, in.Exclude, in.Rename = nil, nil, nil
	in.Types, in.Past = slices.DeleteFunc(slices.Clone(in.Types), func(c TypeChoice) bool { return !c.names() }), true
	kept := map[ItemID]map[string]string{}
	in.caps = PinnedServer(in.Locked).Capitals
	if before != nil {
		was := in
		was.Snapshot, was.Results = before, in.ResultsBefore
		_, a, err := nameAll(ctx, was, newWarner(in.Name, ""), kept, (*tool).release)
		if err != nil {
			return nil, err
		}
		kept = a.all()
		in.Locked = WithNames(in.Name, in.Locked, a.givenShapes())
	}
	in.caps = in.Capitals
	_, a, err := nameAll(ctx, in, newWarner(in.Name, ""), kept, (*tool).release)
	if err != nil {
		return nil, err
	}
	out := map[ItemID]map[string]string{}
	for _, it := range a.items {
		if pins := it.locked(); len(pins) > 0 {
			out[it.id()] = pins
		}
	}
	return out, nil
}
