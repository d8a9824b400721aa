package impact

// What each rule of the catalogue means for Go code: which uses of which names a
// change touches.

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// wish is a use that a change is looking for.
type wish struct {
	symbol generator.Symbol
	wants  func(use) bool
	rank   int // of two on one line the lower one names it
}

// toucher finds the uses for the changes of one server.
type toucher struct {
	*table
	change drift.Change
	id     itemID
	wishes []wish
}

// touch returns what to look for.
func (t *table) touch(c drift.Change) []wish {
	w := &toucher{table: t, change: c, id: itemID{c.Kind, c.Name}}
	switch {
	case len(t.items[w.id]) == 0:
	case c.Rule == drift.SourceIncompatible || c.Rule == drift.SourceZeroValue:
		w.source()
	case c.Kind == drift.KindPrompt && strings.HasPrefix(c.Rule, "prompt-arg-"):
		w.argument()
	case strings.HasPrefix(c.Rule, "input-"):
		w.input(strings.TrimPrefix(c.Rule, "input-"))
	case strings.HasPrefix(c.Rule, "output-") && c.Rule != "output-schema-added" && c.Rule != "output-schema-removed":
		w.output(strings.TrimPrefix(c.Rule, "output-"))
	default:
		w.item()
	}
	return w.wishes
}

// Ranks of what is named where a line has several.
const (
	rankFunc = iota
	rankType
	rankField
	rankConst
)

func rankOf(s generator.Symbol) int {
	switch s.Role {
	case generator.SymbolFunc:
		return rankFunc
	case generator.SymbolType:
		return rankType
	case generator.SymbolField:
		return rankField
	}
	return rankConst
}

func (w *toucher) want(s generator.Symbol, wants func(use) bool) {
	w.wishes = append(w.wishes, wish{s, wants, rankOf(s)})
}

// in wants uses of some modes.
func (w *toucher) in(s generator.Symbol, modes ...mode) {
	w.want(s, func(u use) bool { return slices.Contains(modes, u.mode) })
}

// source is a change of the Go API. Its message begins with the name that changed,
// see [Source].
func (w *toucher) source() {
	name := w.change.Message[:max(0, strings.IndexAny(w.change.Message, ": "))]
	for _, s := range w.items[w.id] {
		switch {
		case s.Go != name:
		case w.change.Rule == drift.SourceIncompatible:
			w.in(s, refers, calls, fakes, reads, writes)
		case s.Result:
			w.in(s, reads)
		default:
			w.leftOut([]generator.Symbol{s})
		}
	}
	if _, known := w.after[name]; known && w.change.Rule == drift.SourceZeroValue && !slices.ContainsFunc(w.items[w.id], func(s generator.Symbol) bool { return s.Go == name }) {
		w.built(slices.DeleteFunc(of(w.items[w.id], generator.SymbolType), func(s generator.Symbol) bool { return !strings.HasPrefix(name, s.Go+".") }))
	}
}

// item is a change of an item as a whole.
func (w *toucher) item() {
	switch w.change.Rule {
	case "tool-removed", "prompt-removed", "resource-removed", "template-removed", "prompt-renamed",
		"definition-invalid", "definition-duplicate-member", "template-variables-changed":
		w.names()
	case "tool-renamed":
		if w.same[w.id.name] == "" {
			w.names() // it may be another tool: nothing is kept for it
			return
		}
		w.funcs(refers, calls, drops, fakes)
	case "tool-task-required", "template-uri-changed", "resource-scheme-changed":
		w.funcs(refers, calls, drops)
	case "output-schema-added":
		w.funcs(refers, calls, fakes)
	case "output-schema-removed":
		w.funcs(refers, calls, fakes)
		for _, s := range w.items[w.id] {
			if s.Result {
				w.anyUse(s)
			}
		}
	}
}

// names are all declared names of the item.
func (w *toucher) names() {
	for _, s := range w.items[w.id] {
		if s.Role != generator.SymbolField {
			w.in(s, refers, calls, drops, fakes)
		}
	}
}

func (w *toucher) funcs(modes ...mode) {
	for _, s := range of(w.items[w.id], generator.SymbolFunc) {
		w.in(s, modes...)
	}
}

// anyUse is every way in which a name can be written.
func (w *toucher) anyUse(s generator.Symbol) {
	w.in(s, refers, calls, drops, reads, writes)
}

// argument is a change of a prompt's argument, which is a property for us.
func (w *toucher) argument() {
	raw := w.change.Before
	if raw == nil {
		raw = w.change.After
	}
	var arg struct {
		Name string `json:"name"`
	}
	if json.Unmarshal(raw, &arg) != nil {
		return
	}
	w.change.Path = "/arguments/properties/" + jsontext.EscapePointer(arg.Name)
	if name, ok := strings.CutPrefix(w.change.Rule, "prompt-arg-"); ok {
		w.input("property-" + name)
	}
}

// hurts reports whether a change is more than safe.
func (w *toucher) hurts() bool { return w.change.Severity.AtLeast(drift.Warning) }

// input is a change of the schema of arguments. Whatever the rule, code that names
// what will be gone, or will have another type, does not compile any more.
func (w *toucher) input(rule string) {
	if silent(rule) {
		return
	}
	found := w.at(w.id, w.place(rule))
	fields := of(found, generator.SymbolField)
	switch {
	case strings.HasPrefix(rule, "property-added"):
		w.added(rule)
		return
	case rule == "property-became-required":
		w.became(fields, found)
	case rule == "property-removed", rule == "property-renamed":
		w.removed(fields)
	case rule == "enum-value-removed", rule == "const-changed":
		w.value(found, fields)
	case strings.HasPrefix(rule, "default-"):
		if w.hurts() {
			w.leftOut(fields)
		}
	case rule == "dependent-required-added" && w.hurts() && len(structsOf(found)) > 0:
		w.needs(structsOf(found))
	case strings.HasPrefix(rule, "allof-") && len(structsOf(found)) > 0:
		w.differences(structsOf(found))
		return
	case wholeStruct(rule) && w.hurts() && len(structsOf(found)) > 0:
		w.built(structsOf(found))
	case rule == "union-branch-removed" || rule == "oneof-branch-removed":
		w.variant(found, fields)
	case w.hurts() && len(fields) > 0:
		w.written(fields)
	case w.hurts():
		w.funcs(refers, calls, drops)
	}
	w.changed(found)
	if !joins(rule) { // what is gone is not gone because something joined
		w.below(found)
	}
}

// output is a change of the schema of results.
func (w *toucher) output(rule string) {
	if silent(rule) {
		return
	}
	found := w.at(w.id, w.place(rule))
	fields := of(found, generator.SymbolField)
	switch {
	case strings.HasPrefix(rule, "property-added"):
		w.shape(w.holders())
		return
	case rule == "property-removed", rule == "property-renamed":
		w.removed(fields)
	case strings.HasPrefix(rule, "default-"):
	case strings.HasPrefix(rule, "allof-") && len(structsOf(found)) > 0:
		w.differences(structsOf(found))
		return
	case w.hurts() && len(fields) > 0:
		for _, s := range fields {
			w.in(s, reads)
		}
	case w.hurts():
		w.funcs(refers, calls)
	}
	w.changed(found)
	if !joins(rule) {
		w.below(found)
	}
}

// silent are rules that are about nothing a program does.
func silent(rule string) bool {
	switch rule {
	case "docs-changed", "schema-dialect-changed", "schema-extension-changed",
		"x-mcp-header-added", "x-mcp-header-changed", "x-mcp-header-removed":
		return true
	}
	return false
}

// wholeStruct are rules about an object as a whole.
func wholeStruct(rule string) bool {
	for _, prefix := range []string{"dependent-", "if-then-else-", "not-", "min-properties", "max-properties", "allof-", "property-names"} {
		if strings.HasPrefix(rule, prefix) {
			return true
		}
	}
	return false
}

// place is where to look for names: upwards from the path, save that a value of an
// enumeration is a change of the enumeration.
func (w *toucher) place(rule string) string {
	switch {
	case rule == "enum-value-added" || rule == "enum-value-removed":
		return above(w.change.Path)
	case joins(rule):
		return above(above(w.change.Path))
	}
	return w.change.Path
}

// joins are rules about one more schema in a list. Its place is one of what is
// new, where something else may have stood before.
func joins(rule string) bool {
	return strings.HasSuffix(rule, "branch-added") || rule == "allof-member-added" || rule == "tuple-position-added"
}

// above is a JSON pointer without its last segment.
func above(pointer string) string {
	return pointer[:max(0, strings.LastIndexByte(pointer, '/'))]
}

// written wants values that fields are given and that are not known to fit.
func (w *toucher) written(fields []generator.Symbol) {
	fits := w.keyword()
	for _, f := range fields {
		w.want(f, func(u use) bool { return u.mode == writes && !fits(u.value) })
	}
}

// value is a value that is not allowed any more.
func (w *toucher) value(found, fields []generator.Symbol) {
	if w.change.Before == nil || !w.hurts() {
		return
	}
	same := func(value string) bool { return equalJSON(value, string(w.change.Before)) }
	enums := slices.DeleteFunc(of(found, generator.SymbolType), func(s generator.Symbol) bool { return s.Type == "struct" || s.Type == "interface" })
	consts := of(found, generator.SymbolConst)
	for _, s := range consts {
		if same(s.Value) {
			w.in(s, refers)
		}
	}
	for _, s := range enums {
		w.want(s, func(u use) bool { return u.mode == converts && (u.value == "" || same(u.value)) })
	}
	switch {
	case len(consts) > 0 && len(enums) > 0:
	case len(fields) > 0:
		for _, f := range fields {
			w.want(f, func(u use) bool { return u.mode == writes && (u.value == "" || same(u.value)) })
		}
	default:
		w.built(structsOf(found))
	}
}

// variant is an alternative that is gone.
func (w *toucher) variant(found, fields []generator.Symbol) {
	var own []generator.Symbol
	for _, s := range of(found, generator.SymbolType) {
		if slices.Contains(s.Pointers, w.change.Path) && s.Type != "interface" {
			own = append(own, s)
		}
	}
	for _, s := range own {
		w.in(s, refers, builds, converts)
	}
	if len(own) == 0 && w.hurts() {
		w.written(fields)
	}
}

// changed wants the names at a place that will be gone or of another type.
func (w *toucher) changed(found []generator.Symbol) {
	for _, s := range found {
		switch {
		case !w.retyped(s) || s.Role == generator.SymbolConst:
		case s.Role == generator.SymbolField:
			now := w.after[s.Go]
			w.want(s, func(u use) bool {
				return (u.mode == reads || u.mode == writes) && !(u.mode == writes && u.untyped && kindOfType(now.Type, w.after) == kindOfValue(u.value))
			})
		case s.Role == generator.SymbolFunc:
			w.in(s, refers, calls, fakes)
		default:
			w.in(s, refers)
		}
	}
}

// below wants the declared names that are made for a place or something below it
// and will be gone.
func (w *toucher) below(found []generator.Symbol) {
	places := map[string]bool{}
	add := func(list []generator.Symbol) {
		for _, s := range list {
			if s.Role == generator.SymbolField {
				for _, p := range s.Pointers {
					places[p] = true
				}
			}
		}
	}
	add(found)
	for _, s := range of(found, generator.SymbolType) {
		for _, p := range s.Pointers {
			places[p] = true
		}
	}
	known := map[string]bool{}
	for more := true; more; {
		more = false
		for _, s := range of(w.items[w.id], generator.SymbolType) {
			if known[s.Go] || !places[s.Pointers[0]] {
				continue
			}
			known[s.Go], more = true, true
			add(slices.DeleteFunc(slices.Clone(w.items[w.id]), func(f generator.Symbol) bool { return owner(f) != s.Go }))
		}
	}
	for _, s := range w.items[w.id] {
		of := s.Go
		if s.Role == generator.SymbolConst {
			of = s.Type
		}
		if known[of] && s.Role != generator.SymbolField && w.gone(s) {
			w.in(s, refers)
		}
	}
}

// kindOfType is the kind of plain literal that fits a type, "" for none.
func kindOfType(text string, types map[string]generator.Symbol) string {
	for range 10 {
		s, ok := types[text]
		if !ok || s.Role != generator.SymbolType {
			break
		}
		text = s.Type
	}
	switch text {
	case "string", "bool", "float64":
		return text
	case "int", "int64", "uint64":
		return "int"
	case "any":
		return "any"
	}
	return ""
}

// kindOfValue is the kind of a JSON value.
func kindOfValue(value string) string {
	switch {
	case value == "":
		return "unknown"
	case value[0] == '"':
		return "string"
	case value == "true" || value == "false":
		return "bool"
	case strings.ContainsAny(value, ".eE"):
		return "float64"
	}
	return "int"
}

func equalJSON(a, b string) bool {
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return false
	}
	return x == y
}
