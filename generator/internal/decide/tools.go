package decide

// Which tools there are, and which of them the user wants.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// tool is one tool on its way into a package.
type tool struct {
	wire     string
	def      schema.Tool
	pin      string
	given    map[string]string // Go names from the lock
	was      map[string]string // former wire names from the lock, and their Go names
	former   []ir.Former
	known    bool   // it stands in the lock
	wanted   bool   // include and exclude let it through
	rename   string // the Go name that the user gave it, or ""
	goName   string
	args     *side  // nil if not wanted
	resulted *side  // nil if there is no result schema
	result   Result // the schema of the result, if the server declares none
	other           // prompts, resources and templates alone have it
}

// sides returns what types are made for.
func (t *tool) sides() []*side {
	var out []*side
	for _, b := range []*side{t.args, t.resulted} {
		if b != nil {
			out = append(out, b)
		}
	}
	return out
}

// decls returns the types to declare, arguments first.
func (t *tool) decls() []*decl {
	var out []*decl
	for _, b := range t.sides() {
		out = append(out, b.decls...)
	}
	return out
}

// collect reads the tools of the snapshot in byte order. Those that cannot be
// used are left out with a warning.
func collect(in Input, w *warner) []*tool {
	items := slices.Clone(in.Snapshot.Tools)
	slices.SortStableFunc(items, func(a, b schema.Item) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), slices.Compare(a.Raw, b.Raw))
	})
	var tools []*tool
	for i, item := range items {
		wanted := selected(in, item.Name)
		own := w
		if !wanted {
			own = newWarner(in.Server) // nobody asked about this one
		}
		if i > 0 && items[i-1].Name == item.Name {
			own.add(item.Name, "", "listed twice: only one is used; ask the server's author to rename the other")
			continue
		}
		if t := read(in, item, own); t != nil {
			t.wanted = wanted
			tools = append(tools, t)
		}
	}
	return tools
}

// read reads one tool; nil if it cannot be used.
func read(in Input, item schema.Item, w *warner) *tool {
	def, problems, err := schema.ParseTool(item.Raw)
	for _, p := range problems {
		w.add(item.Name, p.Pointer, p.Reason)
	}
	if err == nil && def.Name != item.Name {
		err = fmt.Errorf("its definition says that its name is %s", quote(def.Name))
	}
	locked, known := in.Locked[item.Name]
	pin := locked.Pin
	if err == nil && pin == "" {
		pin, err = schema.ContractHash(schema.KindTool, item.Raw)
	}
	if err != nil {
		w.add(item.Name, "", "left out: "+err.Error())
		return nil
	}
	return &tool{wire: item.Name, def: def, pin: pin, given: locked.Names, was: locked.Was, known: known, rename: in.Rename[item.Name], result: resultOf(in, def)}
}

// buildTypes makes the types of a tool. A schema that cannot be read is taken as
// one that says nothing.
func (t *tool) buildTypes(ctx context.Context, w *warner) {
	t.args = newSide(ctx, w, t.wire, "Args", "/inputSchema", parse(w, t.wire, "/inputSchema", t.def.InputSchema))
	t.args.args()
	raw := t.def.OutputSchema
	if raw == nil {
		raw = t.result.Schema
	}
	if raw == nil {
		return
	}
	t.resulted = newSide(ctx, w, t.wire, "Result", "/outputSchema", parse(w, t.wire, "/outputSchema", raw))
	t.resulted.result()
}

// anyObject is the schema of a side whose own cannot be read.
const anyObject = `{"type":"object","additionalProperties":true}`

func parse(w *warner, tool, at string, raw json.RawMessage) *jsonschema.Document {
	if raw == nil {
		raw = json.RawMessage(`{"type":"object"}`)
	}
	doc, err := jsonschema.Parse(raw)
	if err != nil {
		var place *schema.Error
		if errors.As(err, &place) {
			w.add(tool, at+place.Pointer, place.Reason+": the whole schema is taken as any object")
		} else {
			w.add(tool, at, err.Error()+": the whole schema is taken as any object")
		}
		doc, _ = jsonschema.Parse(json.RawMessage(anyObject))
	}
	for _, p := range doc.Problems {
		w.add(tool, at+p.Pointer, p.Reason)
	}
	return doc
}

// Selects reports whether include and exclude globs let a tool through, as they
// do for [Input]. A pattern that is no glob matches nothing.
func Selects(include, exclude []string, tool string) bool {
	return selected(Input{Include: include, Exclude: exclude}, tool)
}

// selected reports whether include and exclude let a tool through. The patterns
// were checked before.
func selected(in Input, name string) bool {
	return (len(in.Include) == 0 || matchesAny(in.Include, name)) && !matchesAny(in.Exclude, name)
}

func matchesAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, name) })
}

// matches is path.Match in which * and ? also match a slash: a tool's name is not
// a path.
func matches(pattern, name string) bool {
	const slash = "\x00"
	ok, err := path.Match(strings.ReplaceAll(pattern, "/", slash), strings.ReplaceAll(name, "/", slash))
	return err == nil && ok
}

// checkConfig finds the globs and renames that cannot be used, and warns of those
// that do nothing.
func checkConfig(in Input, w *warner) error {
	var errs []error
	place := "servers." + clean(in.Server) + ".tools."
	for key, patterns := range map[string][]string{"include": in.Include, "exclude": in.Exclude} {
		for _, p := range patterns {
			if _, err := path.Match(p, ""); err != nil {
				errs = append(errs, fmt.Errorf("%s%s: %s is not a valid glob; see the pattern rules of include and exclude", place, key, quote(p)))
				continue
			}
			if !slices.ContainsFunc(in.Snapshot.Tools, func(t schema.Item) bool { return matches(p, t.Name) }) {
				w.add("", "", place+key+": "+quote(p)+" matches no tool")
			}
		}
	}
	for _, wire := range slices.Sorted(maps.Keys(in.Rename)) {
		if err := checkGiven(in.Rename[wire]); err != nil {
			errs = append(errs, fmt.Errorf("%srename.%s: %w; choose a name like ListPRs", place, clean(wire), err))
		}
		if !slices.ContainsFunc(in.Snapshot.Tools, func(t schema.Item) bool { return t.Name == wire }) {
			w.add("", "", place+"rename: the server has no tool "+quote(wire))
		}
	}
	slices.SortFunc(errs, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	return errors.Join(errs...)
}

// decided puts a finished tool into the package.
func (t *tool) decided(qualified string) *ir.Tool {
	out := &ir.Tool{
		Wire: t.wire, Go: t.goName, Qualified: qualified, Pin: t.pin,
		Doc: toolDoc(t.goName, t.def), Args: t.args.root.Decl,
	}
	if !t.args.released() {
		out.Example = t.args.exampleOf()
	}
	if t.resulted != nil {
		out.Result = t.resulted.root
	}
	if note := t.result.note(); note != "" {
		out.Doc.Notes = append(out.Doc.Notes, note)
	}
	return out
}
