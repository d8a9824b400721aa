package decide

// Which tools there are, and which of them the user wants.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/glob"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/nearest"
	"github.com/mcpgen/mcpgen/internal/parallel"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
	"github.com/mcpgen/mcpgen/schema/view"
)

// tool is one tool on its way into a package.
type tool struct {
	item
	def      schema.Tool
	was      map[string]string // old wire names from the lock, and their Go names
	oldNames []oldName
	args     *side     // nil if not wanted
	resulted *side     // nil if there is no result schema
	result   Result    // the schema of the result, if the server declares none
	start    *function // starts it as a task; nil if it cannot be one
	resume   *function // takes such a task up
	unnamed  int       // constants without a name after their place
	limited  []ir.Limit
}

// readTools reads the tools of the snapshot in byte order. Those that cannot be
// used are left out with a warning.
func readTools(ctx context.Context, in Input, w *warner) ([]*tool, error) {
	listed := distinct(in.Snapshot.Tools, func(name string) *warner {
		if in.Selects(name) {
			return w
		}
		return newWarner(in.Name, "") // dropped: the tool is not generated
	})
	tools, warners := make([]*tool, len(listed)), make([]*warner, len(listed))
	err := parallel.Each(ctx, len(listed), func(i int) error {
		warners[i] = newWarner(in.Name, "")
		tools[i] = readTool(in, listed[i], warners[i])
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i, l := range listed {
		if in.Selects(l.Name) {
			w.takeAll(warners[i])
		}
	}
	return slices.DeleteFunc(tools, func(t *tool) bool { return t == nil }), nil
}

// readTool reads one tool. It returns nil if the tool cannot be used.
func readTool(in Input, listed schema.Item, w *warner) *tool {
	def, problems, err := schema.ParseTool(listed.Raw)
	for _, p := range problems {
		w.add(listed.Name, p.Pointer, p.Reason)
	}
	if err == nil && def.Name != listed.Name {
		err = fmt.Errorf("the definition has another name, %s", quote(def.Name))
	}
	if err != nil {
		w.add(listed.Name, "", "left out: "+err.Error())
		return nil
	}
	it, ok := newItem(in, schema.KindTool, listed, w)
	if !ok {
		return nil
	}
	it.wanted, it.rename = in.Selects(it.wire), in.Rename[it.wire]
	it.doc = text(cmp.Or(def.Description, def.Title), hintNotes(hintsOf(def.Annotations)))
	it.asks("", "", part(it.wire), "")
	pins := Pinned(in.Locked.Items(schema.KindTool)[it.wire])
	it.keep, it.kept = pins.Keep, map[string]bool{}
	for _, name := range it.keep {
		it.kept[it.codeName(name)] = true
	}
	t := &tool{item: it, def: def, was: pins.Was, result: resultOf(in, def)}
	if canBeTask(in.Snapshot.Capabilities, def.Execution) {
		name := part(cmp.Or(it.rename, it.wire))
		t.start, t.resume = t.asks("/execution/start", "Start", name, ""), t.asks("/execution/resume", "Resume", name, "")
	}
	return t
}

// canBeTask reports whether a tool can run as a task. No tool can if its server declares no
// tasks. If the server declares the extension for tasks, every tool can that does not forbid it;
// under revision 2025-11-25 only a tool that declares support can.
func canBeTask(capabilities, execution json.RawMessage) bool {
	var server struct {
		Tasks struct {
			Requests struct {
				Tools struct{ Call map[string]any }
			}
		}
		Extensions map[string]json.RawMessage
	}
	if json.Unmarshal(capabilities, &server) != nil {
		return false
	}
	var tool struct{ TaskSupport string }
	if execution != nil && json.Unmarshal(execution, &tool) != nil {
		return false
	}
	if server.Extensions["io.modelcontextprotocol/tasks"] != nil {
		return tool.TaskSupport != "forbidden"
	}
	return server.Tasks.Requests.Tools.Call != nil && (tool.TaskSupport == "required" || tool.TaskSupport == "optional")
}

// buildTypes makes the types of a tool. A schema that cannot be read is taken as
// one that says nothing.
func (t *tool) buildTypes(ctx context.Context, w *warner) {
	t.args = t.addSide(ctx, w, "Args", "/inputSchema", t.def.InputSchema)
	t.args.args()
	raw := t.def.OutputSchema
	if raw == nil {
		raw = t.result.Schema
	}
	if raw == nil {
		return
	}
	t.resulted = t.addSide(ctx, w, "Result", "/outputSchema", raw)
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
		place := at
		if e, ok := errors.AsType[*schema.Error](err); ok {
			place += e.Pointer
		}
		w.add(tool, place, refReason(err)+": the whole schema is taken as any object")
		doc, _ = jsonschema.Parse(json.RawMessage(anyObject))
	}
	for _, p := range doc.Problems {
		w.add(tool, at+p.Pointer, p.Reason)
	}
	return doc
}

// checkConfig finds the globs and renames that cannot be used, and warns of those
// that do nothing.
func checkConfig(in Input, w *warner) error {
	var errs []error
	place := "servers." + clean(in.Name) + ".tools."
	for key, patterns := range map[string][]string{"include": in.Include, "exclude": in.Exclude} {
		for _, p := range patterns {
			if glob.Check(p) != nil {
				errs = append(errs, fmt.Errorf("%s%s: %s is not a valid glob: a [ or a \\ is not closed", place, key, quote(p)))
				continue
			}
			if slices.ContainsFunc(in.Snapshot.Tools, func(t schema.Item) bool { return glob.Match(p, t.Name) }) {
				continue
			}
			near := ""
			if key == "exclude" && !strings.ContainsAny(p, `*?[\`) {
				// A name may be that of a tool that the lock leaves out: it is excluded for what was found in it.
				if near = nearest.Question(p, toolNames(in.Snapshot)); near == "" {
					continue
				}
			}
			w.add("", "", place+key+": "+quote(p)+" matches no tool", near)
		}
	}
	for _, wire := range slices.Sorted(maps.Keys(in.Rename)) {
		if err := checkGiven(in.Rename[wire]); err != nil {
			errs = append(errs, hint.With(fmt.Errorf("%srename.%s: %w", place, clean(wire), err), "choose a name like ListPRs"))
		}
		if !slices.ContainsFunc(in.Snapshot.Tools, func(t schema.Item) bool { return t.Name == wire }) {
			w.add("", "", place+"rename: the server has no tool "+quote(wire))
		}
	}
	slices.SortFunc(errs, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	return errors.Join(errs...)
}

// toolNames are the names of the tools of a snapshot.
func toolNames(s *schema.Snapshot) []string {
	var out []string
	for _, t := range s.Tools {
		out = append(out, t.Name)
	}
	return out
}

func (t *tool) decided(qualified string) *ir.Tool {
	size := view.Size(t.def, qualified)
	out := &ir.Tool{
		Wire: t.wire, Go: t.goName(), Qualified: qualified, Pin: t.pin, Place: t.place,
		Doc: t.docOf(t.functions[0], "calls"), Args: t.args.root.Decl,
		Hints: hintsOf(t.def.Annotations), Size: size, Tokens: view.Tokens(size),
		Limits: t.limited, Start: t.start.name(), Resume: t.resume.name(), Unnamed: t.unnamed,
	}
	if !t.args.released() {
		out.Example = exampleOf(t.args)
	}
	if t.resulted != nil {
		out.Result = t.resulted.root
		for _, note := range t.resulted.notes {
			out.Doc.Notes = append(out.Doc.Notes, "Of the result: "+note)
		}
		if out.Result.Kind == ir.Pointer {
			out.Doc.Notes = append(out.Doc.Notes, "A null result is nil, without an error.")
		}
	}
	for _, was := range t.oldNames {
		out.OldNames = append(out.OldNames, was.OldName)
	}
	for _, n := range t.otherNames() {
		if t.has(n) {
			out.Synonyms = append(out.Synonyms, n)
		}
	}
	if note := t.result.note(); note != "" {
		out.Doc.Notes = append(out.Doc.Notes, note)
	}
	return out
}
