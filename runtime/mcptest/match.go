package mcptest

// This file compares a call with the recorded one. A placeholder matches any text, and the same text
// everywhere.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// binding holds the texts that the placeholders of a recording match in this run.
type binding map[string]string

// difference is the first place where two values differ.
type difference struct {
	pointer        string // JSON pointer; "" is the whole
	recorded, made string // for messages
}

func (d *difference) String() string {
	where := ""
	if d.pointer != "" {
		where = fmt.Sprintf("at %q: ", d.pointer)
	}
	return fmt.Sprintf("%sthe recording has %s, but this call has %s", where, d.recorded, d.made)
}

const absent = "nothing"

// matcher compares values, and binds placeholders while it does.
type matcher struct {
	bound binding
}

// args compares arguments. Absent arguments differ from {}, as they do for a server.
func (m *matcher) args(recorded, made json.RawMessage) *difference {
	if recorded == nil || made == nil {
		if (recorded == nil) == (made == nil) {
			return nil
		}
		return &difference{"", orAbsent(recorded), orAbsent(made)}
	}
	a, err1 := jsontext.Decode(recorded)
	b, err2 := jsontext.Decode(made)
	if err1 != nil || err2 != nil {
		if bytes.Equal(recorded, made) {
			return nil
		}
		return &difference{"", shown(recorded), shown(made)}
	}
	return m.value("", "", a, b)
}

func orAbsent(raw json.RawMessage) string {
	if raw == nil {
		return "no arguments"
	}
	return shown(raw)
}

// value compares two values. Name is the name of their member.
func (m *matcher) value(pointer, name string, a, b any) *difference {
	switch x := a.(type) {
	case map[string]any:
		if y, ok := b.(map[string]any); ok {
			return m.object(pointer, x, y)
		}
	case []any:
		if y, ok := b.([]any); ok {
			return m.array(pointer, name, x, y)
		}
	case string:
		if y, ok := b.(string); ok && m.text(x, y) {
			return nil
		}
	case json.Number:
		y, ok := b.(json.Number)
		if ok && (jsontext.SameNumber(x.String(), y.String()) || x == "0" && isSecretNumber(name)) {
			return nil
		}
	default: // null, true and false
		if a == b {
			return nil
		}
	}
	return &difference{pointer, show(a), show(b)}
}

func (m *matcher) object(pointer string, a, b map[string]any) *difference {
	names := slices.Concat(slices.Collect(maps.Keys(a)), slices.Collect(maps.Keys(b)))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		at := pointer + "/" + jsontext.EscapePointer(name)
		x, recorded := a[name]
		y, made := b[name]
		switch {
		case !recorded && m.renamed(name, y, a, b):
		case !made && m.renames(name, a, b):
		case !recorded:
			return &difference{at, absent, show(y)}
		case !made:
			return &difference{at, show(x), absent}
		default:
			if d := m.value(at, name, x, y); d != nil {
				return d
			}
		}
	}
	return nil
}

// renames reports whether a recorded member's name contains a placeholder and matches a member of b.
func (m *matcher) renames(name string, a, b map[string]any) bool {
	if !placeholder.MatchString(name) {
		return false
	}
	for _, other := range slices.Sorted(maps.Keys(b)) {
		if _, known := a[other]; !known && m.same(name, other, a[name], b[other]) {
			return true
		}
	}
	return false
}

// renamed reports whether a member of b matches a recorded member whose name was hidden.
func (m *matcher) renamed(name string, value any, a, b map[string]any) bool {
	for _, hidden := range slices.Sorted(maps.Keys(a)) {
		if _, taken := b[hidden]; !taken && placeholder.MatchString(hidden) && m.same(hidden, name, a[hidden], value) {
			return true
		}
	}
	return false
}

func (m *matcher) same(hidden, name string, x, y any) bool {
	before := maps.Clone(m.bound)
	if m.text(hidden, name) && m.value("", name, x, y) == nil {
		return true
	}
	m.bound = before
	return false
}

func (m *matcher) array(pointer, name string, a, b []any) *difference {
	for i := range max(len(a), len(b)) {
		at := fmt.Sprintf("%s/%d", pointer, i)
		switch {
		case i >= len(a):
			return &difference{at, absent, show(b[i])}
		case i >= len(b):
			return &difference{at, show(a[i]), absent}
		}
		if d := m.value(at, name, a[i], b[i]); d != nil {
			return d
		}
	}
	return nil
}

// text compares two texts and binds the placeholders in the recorded one. A placeholder matches the
// shortest text, of at least one byte, before the text that follows it.
func (m *matcher) text(recorded, made string) bool {
	if recorded == made {
		return true
	}
	marks := placeholder.FindAllStringIndex(recorded, -1)
	if marks == nil {
		return false
	}
	fresh := binding{}
	end := 0
	for i, mark := range marks {
		literal := recorded[end:mark[0]]
		rest, ok := strings.CutPrefix(made, literal)
		if !ok {
			return false
		}
		name := recorded[mark[0]:mark[1]]
		end = mark[1]
		next := recorded[end:]
		if i+1 < len(marks) {
			next = recorded[end:marks[i+1][0]]
		}
		value, ok := m.take(name, rest, next, i+1 == len(marks), fresh)
		if !ok {
			return false
		}
		fresh[name] = value
		made = rest[len(value):]
	}
	if made != recorded[end:] {
		return false
	}
	for name, value := range fresh {
		if m.bound == nil {
			m.bound = binding{}
		}
		m.bound[name] = value
	}
	return true
}

// take returns the text that the placeholder matches at the beginning of rest, before the text next.
func (m *matcher) take(name, rest, next string, last bool, fresh binding) (string, bool) {
	for _, b := range []binding{fresh, m.bound} {
		if value, known := b[name]; known {
			return value, strings.HasPrefix(rest, value)
		}
	}
	switch {
	case last:
		value, ok := strings.CutSuffix(rest, next)
		return value, ok && value != ""
	case next == "" || rest == "":
		return "", false // the end of one secret and the beginning of the next are unknown
	}
	n := strings.Index(rest[1:], next)
	if n < 0 {
		return "", false
	}
	return rest[:n+1], true
}

// restore replaces the placeholders in a text by the texts they match. Unbound placeholders stay.
func (b binding) restore(text string) string {
	if len(b) == 0 {
		return text
	}
	return placeholder.ReplaceAllStringFunc(text, func(name string) string {
		if value, ok := b[name]; ok {
			return value
		}
		return name
	})
}

// json replaces the placeholders in a value by the texts they match.
func (b binding) json(raw json.RawMessage) json.RawMessage {
	if len(b) == 0 {
		return raw
	}
	restored, ok := rewrite(raw, rewriter{
		text: func(_, text string, _ bool) string { return b.restore(text) },
		name: b.restore,
	})
	if !ok {
		return raw
	}
	return restored
}

// show returns a value for messages.
func show(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return "a value"
	}
	return printable(string(text), 200)
}
