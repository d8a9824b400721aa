package impact

// What each rule of the catalogue means for Go code: which uses of which names a
// change touches.

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/decide"
	"github.com/mcpgen/mcpgen/generator/internal/gotext"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/ruleid"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/drift"
)

// query is a kind of use that a change searches for.
type query struct {
	symbol  decide.Symbol
	wants   func(use) bool
	rank    int // of two on one line the lower one names it
	doubt   doubt
	named   bool // only the compiler refuses the uses that it wants
	results bool // it is about what a server returns
}

// doubt is the condition under which the effect of a use is unknown.
type doubt int

const (
	never   doubt = iota
	byValue       // if its value is not known
	byArgs        // unless it is a request with arguments that are known, and refused
	always
)

// matcher finds the uses for the changes of one server.
type matcher struct {
	*table
	change  drift.Change
	id      itemID
	symbols []decide.Symbol // of the item, before
	doubt   doubt           // of the queries that are added
	named   bool            // they are, too
	queries []query
}

// match returns the queries for a change.
func (t *table) match(c drift.Change) []query {
	m := &matcher{table: t, change: c, id: itemID{c.Kind, c.Name}}
	m.symbols = t.was.items[m.id].symbols
	switch touch := c.Rule.Touch(); {
	case len(m.symbols) == 0:
	case c.Rule == drift.SourceIncompatible || c.Rule == drift.SourceZeroValue:
		m.compiled(m.source)
	case touch == ruleid.TouchNothing:
	case touch < ruleid.TouchValue:
		m.compiled(func() { m.item(touch) })
		if touch == ruleid.TouchResultUntyped {
			m.unknown(always, func(u use) bool { return u.reads || u.mode == requests })
		}
	case c.Kind == schema.KindTemplate:
		m.compiled(m.names)
		m.shape(structsOf(m.symbols))
		m.input(touch)
	case c.Kind == schema.KindPrompt:
		m.argument(touch)
	case c.Rule.Part() == drift.Results:
		m.output(touch)
	default:
		m.input(touch)
	}
	return m.queries
}

// Ranks of what is named where a line has several.
const (
	rankFunc = iota
	rankType
	rankField
	rankConst
)

func rankOf(s decide.Symbol) int {
	switch s.Role {
	case decide.RoleFunc:
		return rankFunc
	case decide.RoleType:
		return rankType
	case decide.RoleField:
		return rankField
	}
	return rankConst
}

// want looks for uses of a name. What several items share counts where it is reached
// through fields of this item, or put into them, or where that is not known.
func (m *matcher) want(s decide.Symbol, wants func(use) bool) {
	wanted := func(u use) bool { return m.reaches(u) && wants(u) }
	ofResults := m.change.Rule.Part() == drift.Results
	m.queries = append(m.queries, query{s, wanted, rankOf(s), m.doubt, m.named, ofResults})
}

// reaches reports whether a use may be one of this item, by the fields around it. What
// is written into a result goes on to where nobody knows.
func (m *matcher) reaches(u use) bool {
	return !slices.ContainsFunc(u.via, func(field string) bool {
		here := m.was.items[m.id].names[field].Role == decide.RoleField
		return !here && (u.mode == reads || u.mode == refers || !m.was.names[field].Result)
	})
}

// in wants uses of some modes.
func (m *matcher) in(s decide.Symbol, modes ...mode) {
	m.want(s, func(u use) bool { return slices.Contains(modes, u.mode) })
}

// source is a change of the Go API, see [Source].
func (m *matcher) source() {
	name := m.change.Go
	for _, s := range m.symbols {
		switch {
		case s.Go != name:
		case m.change.Rule == drift.SourceIncompatible:
			m.in(s, refers, calls, fakes, reads, writes)
		case s.Result:
			m.in(s, reads)
		default:
			m.leftOut([]decide.Symbol{s})
		}
	}
	_, known := m.now.names[name]
	isName := func(s decide.Symbol) bool { return s.Go == name }
	if known && m.change.Rule == drift.SourceZeroValue && !slices.ContainsFunc(m.symbols, isName) {
		others := func(s decide.Symbol) bool { return !strings.HasPrefix(name, s.Go+".") }
		m.built(slices.DeleteFunc(of(m.symbols, decide.RoleType), others))
	}
}

// item is a change of an item as a whole.
func (m *matcher) item(touch ruleid.Touch) {
	switch touch {
	case ruleid.TouchItemGone, ruleid.TouchNames:
		// The same tool has a new name.
		if m.change.Rule.Renames() && m.id.kind == schema.KindTool && m.same[m.id.name] != "" {
			m.funcs(refers, calls, drops, fakes, requests)
			return
		}
		m.names()
	case ruleid.TouchCalls:
		m.vaguely(func() { m.funcs(refers, calls, drops, requests) })
	case ruleid.TouchResultTyped:
		m.funcs(refers, calls, fakes)
	case ruleid.TouchResultUntyped:
		m.funcs(refers, calls, fakes)
		for _, s := range m.symbols {
			if s.Result {
				m.anyUse(s)
			}
		}
	}
}

// names wants all declared names of the item.
func (m *matcher) names() {
	for _, s := range m.symbols {
		if s.Role != decide.RoleField {
			m.in(s, refers, calls, drops, fakes, requests)
		}
	}
}

func (m *matcher) funcs(modes ...mode) {
	for _, s := range of(m.symbols, decide.RoleFunc) {
		m.in(s, modes...)
	}
}

// anyUse wants every way of writing a name.
func (m *matcher) anyUse(s decide.Symbol) {
	m.in(s, refers, calls, drops, reads, writes)
}

// argument is a change of a prompt's argument, which is a property for us.
func (m *matcher) argument(touch ruleid.Touch) {
	raw := m.change.Before
	if raw == nil {
		raw = m.change.After
	}
	var arg struct {
		Name string `json:"name"`
	}
	// Of one that was renamed it is the name alone.
	if json.Unmarshal(raw, &arg.Name) != nil && json.Unmarshal(raw, &arg) != nil {
		return
	}
	m.change.Path = argumentPointer(arg.Name)
	m.input(touch)
}

// argumentPointer is where the symbols of a prompt's argument say that it is.
func argumentPointer(name string) string {
	return "/arguments/properties/" + jsontext.EscapePointer(name)
}

// hurts reports whether a change is more severe than info.
func (m *matcher) hurts() bool { return m.change.Severity.AtLeast(drift.Warning) }

// input is a change of the schema of arguments. Whatever the rule, code that names
// what will be gone, or will have another type, does not compile any more.
func (m *matcher) input(touch ruleid.Touch) {
	found := m.at(m.id, m.pointer())
	m.unknown(byArgs, func(u use) bool { return u.sends || u.mode == requests && !m.fitsNow(u.args) })
	fields := of(found, decide.RoleField)
	structs := structsOf(found)
	switch {
	case touch == ruleid.TouchMemberAdded, touch == ruleid.TouchMemberOptional:
		m.added(touch)
		return
	case touch == ruleid.TouchMemberRequired:
		m.became(fields, found)
	case touch == ruleid.TouchMemberGone:
		m.removed(fields)
	case touch == ruleid.TouchValueGone:
		m.value(found, fields)
	case touch == ruleid.TouchDefault:
		if m.hurts() {
			m.leftOut(fields)
		}
	case touch == ruleid.TouchNeeds && m.hurts() && len(structs) > 0:
		m.needs(structs)
	case touch == ruleid.TouchParts && len(structs) > 0:
		m.differences(structs)
		return
	case touch == ruleid.TouchWhole && m.hurts() && len(structs) > 0:
		m.vaguely(func() { m.built(structs) })
	case touch == ruleid.TouchVariantGone:
		m.variant(found, fields)
	case m.change.SafeBound() && !m.hurts():
		m.beyond(fields)
	case m.hurts() && len(fields) > 0:
		m.written(fields)
	case m.hurts():
		m.vaguely(func() { m.funcs(refers, calls, drops) })
	}
	m.compiled(func() {
		m.changed(found)
		m.below(found)
	})
}

// output is a change of the schema of results.
func (m *matcher) output(touch ruleid.Touch) {
	found := m.at(m.id, m.pointer())
	m.unknown(always, func(u use) bool { return u.reads || u.mode == requests })
	fields := of(found, decide.RoleField)
	switch {
	case touch == ruleid.TouchMemberAdded, touch == ruleid.TouchMemberOptional:
		m.shape(m.holders())
		return
	case touch == ruleid.TouchMemberGone:
		m.removed(fields)
	case touch == ruleid.TouchDefault:
	case touch == ruleid.TouchParts && len(structsOf(found)) > 0:
		m.differences(structsOf(found))
		return
	case m.hurts() && len(fields) > 0:
		for _, s := range fields {
			m.in(s, reads)
		}
	case m.hurts():
		m.vaguely(func() { m.funcs(refers, calls) })
	}
	m.compiled(func() {
		m.changed(found)
		m.below(found)
	})
}

// pointer is where to look for names, upwards from the schema that the change is about.
func (m *matcher) pointer() string {
	pointer := m.change.Path
	for range m.change.Rule.Above() {
		pointer = above(pointer)
	}
	return pointer
}

// vaguely adds queries whose uses break only with values that are not known.
func (m *matcher) vaguely(queries func()) {
	m.doubt = always
	queries()
	m.doubt = never
}

// compiled adds queries for names and types: what breaks of their uses does not compile.
func (m *matcher) compiled(queries func()) {
	was := m.named
	m.named = true
	queries()
	m.named = was
}

// unless adds queries as compiled does, if the name will not compile.
func (m *matcher) unless(compiles bool, queries func()) {
	if compiles {
		queries()
	} else {
		m.compiled(queries)
	}
}

// unknown wants the calls of the item that may or may not send or read the changed part.
func (m *matcher) unknown(doubt doubt, wants func(use) bool) {
	if !m.hurts() {
		return
	}
	m.doubt = doubt
	for _, s := range of(m.symbols, decide.RoleFunc) {
		m.want(s, func(u use) bool { return u.mode != fakes && wants(u) })
	}
	m.doubt = never
}

// above returns a JSON pointer without its last segment.
func above(pointer string) string {
	return pointer[:max(0, strings.LastIndexByte(pointer, '/'))]
}

// written wants values that fields are given and that are not known to fit.
func (m *matcher) written(fields []decide.Symbol) {
	fits, judged := m.keyword()
	m.doubt = byValue
	if !judged {
		m.doubt = always
	}
	for _, f := range fields {
		m.want(f, func(u use) bool { return u.mode == writes && !fits(u.value) })
	}
	m.doubt = never
}

// beyond wants values that are known not to fit.
func (m *matcher) beyond(fields []decide.Symbol) {
	fits, _ := m.keyword()
	for _, f := range fields {
		m.want(f, func(u use) bool { return u.mode == writes && u.sure && !fits(u.value) })
	}
}

// value is a value that is not allowed any more.
func (m *matcher) value(found, fields []decide.Symbol) {
	if m.change.Before == nil || !m.hurts() {
		return
	}
	same := func(value string) bool { return jsontext.Equal([]byte(value), m.change.Before) }
	others := func(s decide.Symbol) bool { return s.Type == "struct" || s.Type == "interface" }
	enums := slices.DeleteFunc(of(found, decide.RoleType), others)
	consts := of(found, decide.RoleConst)
	for _, s := range consts {
		if same(s.Value) {
			m.in(s, refers)
		}
	}
	m.doubt = byValue
	for _, s := range enums {
		m.want(s, func(u use) bool { return u.mode == converts && (u.value == "" || same(u.value)) })
	}
	switch {
	case len(consts) > 0 && len(enums) > 0:
	case len(fields) > 0:
		for _, f := range fields {
			m.want(f, func(u use) bool { return u.mode == writes && (u.value == "" || same(u.value)) })
		}
	default:
		m.vaguely(func() { m.built(structsOf(found)) })
	}
	m.doubt = never
}

// variant is an alternative that is gone.
func (m *matcher) variant(found, fields []decide.Symbol) {
	var own []decide.Symbol
	for _, s := range of(found, decide.RoleType) {
		if slices.Contains(s.Pointers, m.change.Path) && s.Type != "interface" {
			own = append(own, s)
		}
	}
	for _, s := range own {
		m.unless(!m.gone(s), func() { m.in(s, refers, builds, converts) })
	}
	if len(own) == 0 && m.hurts() {
		m.written(fields)
	}
}

// changed wants the names at a place that will be gone or of another type.
func (m *matcher) changed(found []decide.Symbol) {
	for _, s := range found {
		switch {
		case !m.retyped(s) || s.Role == decide.RoleConst:
		case s.Role == decide.RoleField:
			literal := m.literalOf(m.now.names[s.Go].Type)
			m.want(s, func(u use) bool {
				written := u.untyped && literal != "" && literal == gotext.LiteralType(u.value)
				return u.mode == reads || u.mode == writes && !written
			})
		case s.Role == decide.RoleFunc:
			m.in(s, refers, calls, fakes)
		default:
			m.in(s, refers)
		}
	}
}

// below wants the declared names that are made for a place or something below it
// and will be gone.
func (m *matcher) below(found []decide.Symbol) {
	if m.change.Rule.Above() > 1 {
		return // what is gone is not gone because something joined a list
	}
	pointers := map[string]bool{}
	add := func(list []decide.Symbol) {
		for _, s := range list {
			if s.Role == decide.RoleField {
				for _, p := range s.Pointers {
					pointers[p] = true
				}
			}
		}
	}
	add(found)
	for _, s := range of(found, decide.RoleType) {
		for _, p := range s.Pointers {
			pointers[p] = true
		}
	}
	known := map[string]bool{}
	for more := true; more; {
		more = false
		for _, s := range of(m.symbols, decide.RoleType) {
			if known[s.Go] || !pointers[s.Pointers[0]] {
				continue
			}
			known[s.Go], more = true, true
			add(slices.DeleteFunc(slices.Clone(m.symbols), func(f decide.Symbol) bool { return owner(f) != s.Go }))
		}
	}
	for _, s := range m.symbols {
		of := s.Go
		if s.Role == decide.RoleConst {
			of = s.Type
		}
		if known[of] && s.Role != decide.RoleField && m.gone(s) {
			m.in(s, refers)
		}
	}
}

// literalOf returns the basic type whose literals a value of a type can be written as; "" if there is none.
func (m *matcher) literalOf(text string) string {
	for range 10 {
		s, ok := m.now.names[text]
		if !ok || s.Role != decide.RoleType {
			break
		}
		text = s.Type
	}
	switch text {
	case "string", "bool", "float64":
		return text
	case "int", "int64", "uint64":
		return "int"
	}
	return ""
}
