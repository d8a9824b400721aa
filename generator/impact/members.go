package impact

// What a change of an object's members touches.

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// added is a new member: of what is built nothing has it.
func (w *toucher) added(rule string) {
	owners := w.holders()
	w.shape(owners)
	if rule == "property-added-optional" || !w.hurts() {
		return
	}
	found := w.at(w.id, above(above(w.change.Path)))
	fields := of(found, generator.SymbolField)
	switch {
	case len(owners) > 0:
		w.built(owners)
	case len(fields) > 0:
		w.written(fields)
	default:
		w.funcs(refers, calls, drops)
	}
}

// holders are the structs that a new member belongs to. Its path is one of what is
// new, where the struct may stand somewhere else than before.
func (w *toucher) holders() []generator.Symbol {
	place := above(above(w.change.Path)) // without the name and the keyword properties
	id := w.id
	if now := w.same[id.name]; now != "" && id.kind == drift.KindTool {
		id.name = now
	}
	names := map[string]bool{}
	for _, s := range w.later[id][place] {
		names[s.Go] = true
	}
	var out []generator.Symbol
	for _, s := range of(w.items[w.id], generator.SymbolType) {
		if s.Type == "struct" && (slices.Contains(s.Pointers, place) || names[s.Go]) {
			out = append(out, s)
		}
	}
	return out
}

// structsOf are the structs among names.
func structsOf(found []generator.Symbol) []generator.Symbol {
	return slices.DeleteFunc(of(found, generator.SymbolType), func(s generator.Symbol) bool { return s.Type != "struct" })
}

// shape wants what depends on all fields of a struct: literals without keys, and
// conversions.
func (w *toucher) shape(structs []generator.Symbol) {
	for _, s := range structs {
		w.want(s, func(u use) bool { return u.mode == builds && u.whole && len(u.fields) == 0 || u.mode == copies })
	}
}

// built wants every struct that is made.
func (w *toucher) built(structs []generator.Symbol) {
	for _, s := range structs {
		w.in(s, builds)
	}
}

// became is a member that has to be there from now on.
func (w *toucher) became(fields, found []generator.Symbol) {
	if len(fields) == 0 {
		w.built(structsOf(found))
		return
	}
	w.leftOut(fields)
	w.shape(w.ownersOf(fields))
}

// leftOut wants structs that are made without a field.
func (w *toucher) leftOut(fields []generator.Symbol) {
	for _, f := range fields {
		_, member, _ := strings.Cut(f.Go, ".")
		if f.Required {
			continue
		}
		for _, s := range w.ownersOf([]generator.Symbol{f}) {
			w.want(s, func(u use) bool { return u.mode == builds && !u.whole && !u.fields[member] })
		}
	}
}

// needs wants structs that are made with a field and without one that it brings
// with it now.
func (w *toucher) needs(structs []generator.Symbol) {
	var was, now map[string][]string
	if json.Unmarshal(w.change.After, &now) != nil || len(w.change.Before) > 0 && json.Unmarshal(w.change.Before, &was) != nil {
		w.built(structs)
		return
	}
	for _, s := range structs {
		for name, others := range now {
			for _, other := range others {
				if has, lacks := w.member(s, name), w.member(s, other); !slices.Contains(was[name], other) && has != "" {
					w.want(s, func(u use) bool { return u.mode == builds && !u.whole && u.fields[has] && !u.fields[lacks] })
				}
			}
		}
	}
}

// member is the Go name of a member of a struct, "" if it has none.
func (w *toucher) member(s generator.Symbol, wire string) string {
	for _, f := range of(w.items[w.id], generator.SymbolField) {
		if owner(f) == s.Go && strings.HasSuffix(f.Pointers[0], "/properties/"+jsontext.EscapePointer(wire)) {
			return strings.TrimPrefix(f.Go, s.Go+".")
		}
	}
	return ""
}

func (w *toucher) ownersOf(fields []generator.Symbol) []generator.Symbol {
	var out []generator.Symbol
	for _, s := range of(w.items[w.id], generator.SymbolType) {
		if slices.ContainsFunc(fields, func(f generator.Symbol) bool { return owner(f) == s.Go }) {
			out = append(out, s)
		}
	}
	return out
}

// removed is a member that is gone.
func (w *toucher) removed(fields []generator.Symbol) {
	for _, f := range fields {
		w.anyUse(f)
	}
	for _, s := range w.ownersOf(fields) {
		w.in(s, copies)
	}
}

// differences wants what depends on the members that a part of a schema declares.
// The rule does not say what of them changed; the types that will be made do.
func (w *toucher) differences(structs []generator.Symbol) {
	names := map[string]bool{}
	for _, raw := range []json.RawMessage{w.change.Before, w.change.After} {
		var part struct {
			Properties map[string]json.RawMessage
			Required   []string
		}
		if len(raw) > 0 && json.Unmarshal(raw, &part) == nil {
			for name := range part.Properties {
				names[name] = true
			}
			for _, name := range part.Required {
				names[name] = true
			}
		}
	}
	for _, s := range structs {
		for wire := range names {
			member := w.member(s, wire)
			before := slices.DeleteFunc(of(w.items[w.id], generator.SymbolField), func(f generator.Symbol) bool { return f.Go != s.Go+"."+member })
			switch now, there := w.after[s.Go+"."+exportedName(s, wire, w.after)]; {
			case member == "" && there && now.Required && !now.Result:
				w.built([]generator.Symbol{s})
			case member != "" && w.gone(before[0]):
				w.removed(before)
			case member != "":
				w.changed(before)
				if now := w.after[before[0].Go]; now.Required && !before[0].Required && !now.Result {
					w.leftOut(before)
				}
			}
		}
	}
	if len(names) == 0 && w.hurts() && !structs[0].Result {
		w.built(structs)
	}
}

// exportedName is the Go name that a member of a struct will have, "" if none.
func exportedName(s generator.Symbol, wire string, after map[string]generator.Symbol) string {
	for name, f := range after {
		if f.Role == generator.SymbolField && owner(f) == s.Go && strings.HasSuffix(f.Pointers[0], "/properties/"+jsontext.EscapePointer(wire)) {
			return strings.TrimPrefix(name, s.Go+".")
		}
	}
	return ""
}
