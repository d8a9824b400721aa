package impact

// What a change of an object's members touches.

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/decide"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/ruleid"
	"github.com/mcpgen/mcpgen/schema"
)

// added is a new member, which no existing value has.
func (m *matcher) added(touch ruleid.Touch) {
	owners := m.holders()
	m.shape(owners)
	if touch == ruleid.TouchMemberOptional || !m.hurts() {
		return
	}
	found := m.at(m.id, above(above(m.change.Path)))
	fields := of(found, decide.RoleField)
	switch {
	case len(owners) > 0:
		m.lacking(owners, jsontext.LastName(m.change.Path))
	case len(fields) > 0:
		m.written(fields)
	default:
		m.vaguely(func() { m.funcs(refers, calls, drops) })
	}
}

// holders returns the structs that a new member belongs to. The path is that of the new definition, where the
// struct may have another place than before.
func (m *matcher) holders() []decide.Symbol {
	pointer := above(above(m.change.Path)) // without the name and the keyword properties
	names := map[string]bool{}
	for _, s := range m.now.items[m.after(m.id)].pointers[pointer] {
		names[s.Go] = true
	}
	var out []decide.Symbol
	for _, s := range of(m.symbols, decide.RoleType) {
		if s.Type == "struct" && (slices.Contains(s.Pointers, pointer) || names[s.Go]) {
			out = append(out, s)
		}
	}
	return out
}

func structsOf(found []decide.Symbol) []decide.Symbol {
	return slices.DeleteFunc(of(found, decide.RoleType), func(s decide.Symbol) bool { return s.Type != "struct" })
}

// shape wants what depends on all fields of a struct: literals without keys, and
// conversions.
func (m *matcher) shape(structs []decide.Symbol) {
	m.compiled(func() {
		for _, s := range structs {
			m.want(s, func(u use) bool { return u.mode == builds && u.whole && len(u.fields) == 0 || u.mode == copies })
		}
	})
}

// lacking wants structs that are made without a member that they will have.
func (m *matcher) lacking(structs []decide.Symbol, wire string) {
	for _, s := range structs {
		m.without(s, memberOf(s, wire, m.now.symbols))
	}
}

// without wants structs that are made without a field, and in doubt structs that get it only on some paths.
func (m *matcher) without(s decide.Symbol, member string) {
	m.want(s, func(u use) bool { return u.mode == builds && !u.whole && !u.fields[member] })
	m.vaguely(func() {
		m.want(s, func(u use) bool { return u.mode == builds && slices.Contains(u.perhaps, member) })
	})
}

// built wants every struct that is created.
func (m *matcher) built(structs []decide.Symbol) {
	for _, s := range structs {
		m.in(s, builds)
	}
}

// became is a member that has to be there from now on.
func (m *matcher) became(fields, found []decide.Symbol) {
	if len(fields) == 0 {
		m.lacking(structsOf(found), jsontext.LastName(m.change.Path))
		return
	}
	m.leftOut(fields)
	m.shape(m.ownersOf(fields))
}

// leftOut wants structs that are made without a field.
func (m *matcher) leftOut(fields []decide.Symbol) {
	for _, f := range fields {
		_, member, _ := strings.Cut(f.Go, ".")
		if f.Required {
			continue
		}
		for _, s := range m.ownersOf([]decide.Symbol{f}) {
			m.without(s, member)
		}
	}
}

// needs wants structs that are made with a field and without one that it brings
// with it now.
func (m *matcher) needs(structs []decide.Symbol) {
	var was, now map[string][]string
	if json.Unmarshal(m.change.After, &now) != nil ||
		len(m.change.Before) > 0 && json.Unmarshal(m.change.Before, &was) != nil {
		m.built(structs)
		return
	}
	for _, s := range structs {
		for name, others := range now {
			for _, other := range others {
				has, lacks := memberOf(s, name, m.symbols), memberOf(s, other, m.symbols)
				if !slices.Contains(was[name], other) && has != "" {
					m.want(s, func(u use) bool { return u.mode == builds && !u.whole && u.fields[has] && !u.fields[lacks] })
				}
			}
		}
	}
}

// memberOf returns the Go name of a member of a struct, or "" if the struct lacks the member.
func memberOf(s decide.Symbol, wire string, symbols []decide.Symbol) string {
	for _, f := range of(symbols, decide.RoleField) {
		if owner(f) == s.Go && strings.HasSuffix(f.Pointers[0], "/properties/"+jsontext.EscapePointer(wire)) {
			return strings.TrimPrefix(f.Go, s.Go+".")
		}
	}
	return ""
}

func (m *matcher) ownersOf(fields []decide.Symbol) []decide.Symbol {
	var out []decide.Symbol
	for _, s := range of(m.symbols, decide.RoleType) {
		if slices.ContainsFunc(fields, func(f decide.Symbol) bool { return owner(f) == s.Go }) {
			out = append(out, s)
		}
	}
	return out
}

// removed is a member that is gone.
func (m *matcher) removed(fields []decide.Symbol) {
	for _, f := range fields {
		m.unless(!m.gone(f), func() { m.anyUse(f) })
	}
	m.compiled(func() {
		for _, s := range m.ownersOf(fields) {
			m.in(s, copies)
		}
	})
}

// differences wants the uses that depend on the members that a part of a schema declares.
// The rule does not say which members changed: the types before and after do.
func (m *matcher) differences(structs []decide.Symbol) {
	names := map[string]bool{}
	for _, raw := range []json.RawMessage{m.change.Before, m.change.After} {
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
	if m.id.kind == schema.KindTemplate { // Before and After are URIs
		for _, f := range of(slices.Concat(m.symbols, m.now.symbols), decide.RoleField) {
			if name, ok := strings.CutPrefix(f.Pointers[0], "/uriTemplate/properties/"); ok {
				names[jsontext.UnescapePointer(name)] = true
			}
		}
	}
	for _, s := range structs {
		for wire := range names {
			member := memberOf(s, wire, m.symbols)
			other := func(f decide.Symbol) bool { return f.Go != s.Go+"."+member }
			before := slices.DeleteFunc(of(m.symbols, decide.RoleField), other)
			switch now, there := m.now.names[s.Go+"."+memberOf(s, wire, m.now.symbols)]; {
			case member == "" && there && now.Required && !now.Result:
				m.lacking([]decide.Symbol{s}, wire)
			case member != "" && m.gone(before[0]):
				m.removed(before)
			case member != "":
				m.compiled(func() { m.changed(before) })
				if now := m.now.names[before[0].Go]; now.Required && !before[0].Required && !now.Result {
					m.leftOut(before)
				}
			}
		}
	}
	if len(names) == 0 && m.hurts() && !structs[0].Result {
		m.vaguely(func() { m.built(structs) })
	}
}
