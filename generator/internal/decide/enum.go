package decide

// Enums and constants: a named type and its values.

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

const (
	maxConsts     = 1000 // constants of one type
	maxConstBytes = 1024 // longer values are not worth a name
)

// kindOf is the JSON type of a value, "integer" for a number that is one in Go.
func kindOf(raw json.RawMessage) string {
	if len(raw) == 0 {
		return "null"
	}
	kind := jsontext.TypeOf(raw)
	if kind == "number" {
		if _, ok := goInt(string(raw)); ok {
			return "integer"
		}
	}
	return kind
}

// enum is a named type over the scalar kind with a constant for each value.
func (mk *maker) enum(v *jsonschema.Schema, kind string) expr {
	base := scalar(kind, v.Format)
	plain := func(why string) expr {
		mk.warn(v.Pointer, why+": typed as "+base+" without constants")
		return expr{ref: basic(base), notes: []string{"Has no constants: " + why + "."}}
	}
	consts, wire, skipped, ok := constants(v, kind)
	switch {
	case len(consts) > maxConsts:
		return plain("it lists more than " + strconv.Itoa(maxConsts) + " values")
	case !ok:
		return mk.wide(v, "it lists a number that Go cannot hold exactly")
	case len(consts) == 0:
		return plain("no value can be a constant")
	}
	if kind == "integer" {
		if base = intBase(base, consts); base == "" {
			return mk.wide(v, "it lists integers that no one Go type holds")
		}
	}
	if !mk.budget.room(len(consts)) {
		return plain(tooMany)
	}
	d := mk.declare(ir.Enum, v)
	d.t.Base, d.t.Consts, d.values = base, consts, wire
	if skipped {
		mk.warn(v.Pointer, "some values have no constant, but programs can still send these values")
		d.notes = append(d.notes, "Some values of the schema have no constant.")
	}
	return expr{ref: named(d)}
}

// openEnum is a plain type under its own name, with constants for the values
// that are known: others are as good.
func (mk *maker) openEnum(v *jsonschema.Schema, hints []json.RawMessage, kind string) expr {
	listed := *v
	listed.Enum = hints
	e := mk.enum(&listed, kind)
	if e.ref.Kind == ir.Named {
		e.ref.Decl.Open = true
		d := mk.decls[len(mk.decls)-1]
		note := "Other values are as good as those that have a constant."
		if pattern := mk.matched[v.Pointer]; pattern != "" && len(pattern) <= maxFact {
			note = "Other values match `" + plain(pattern) + "`."
		}
		d.notes = append(d.notes, note)
	}
	return e
}

// constants makes constants without names of the values that are of that kind,
// each once. Some may have to be skipped. It is not ok if a number has no exact Go
// spelling.
func constants(v *jsonschema.Schema, kind string) (consts []ir.Const, wire []string, skipped, ok bool) {
	seen := map[string]bool{}
	for _, raw := range v.Values() {
		if k := kindOf(raw); k != kind && !(k == "integer" && kind == "number") {
			continue // not valid for the type
		}
		value, exact := literal(raw, kind)
		switch {
		case !exact && kind != "string":
			return nil, nil, false, false
		case !exact:
			skipped = true
		case !seen[value]:
			seen[value] = true
			consts = append(consts, ir.Const{Value: value})
			wire = append(wire, string(raw))
		}
	}
	return consts, wire, skipped, true
}

// literal spells a scalar so that a Go literal can be made from it.
func literal(raw json.RawMessage, kind string) (string, bool) {
	switch kind {
	case "integer":
		return goInt(string(raw))
	case "number":
		return goFloat(string(raw))
	case "string":
		return string(raw), len(raw) <= maxConstBytes && wholeText(raw)
	}
	return string(raw), true
}

// wholeText reports whether a JSON string survives decoding: half a surrogate
// pair does not.
func wholeText(raw json.RawMessage) bool {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return false
	}
	return !strings.ContainsRune(text, '\uFFFD') ||
		strings.Contains(string(raw), "\uFFFD") || strings.Contains(strings.ToLower(string(raw)), `\ufffd`)
}

// goInt spells a JSON number that is an integer of 64 bits: 1.0 and 1e3 are.
func goInt(number string) (string, bool) {
	text, err := jsontext.Integer([]byte(number))
	if err != nil {
		return "", false
	}
	if _, err = strconv.ParseInt(text, 10, 64); err != nil {
		if _, err = strconv.ParseUint(text, 10, 64); err != nil {
			return "", false
		}
	}
	return text, true
}

// goFloat spells a JSON number that a float64 holds.
func goFloat(number string) (string, bool) {
	f, err := strconv.ParseFloat(number, 64)
	if err != nil || !keepsDigits(number, f) {
		return "", false
	}
	if f == 0 {
		return "0", true
	}
	return strconv.FormatFloat(f, 'g', -1, 64), true
}

// keepsDigits reports whether f is what number says. Fifteen digits always
// survive in a float64.
func keepsDigits(number string, f float64) bool {
	digits := significant(number)
	return len(digits) <= 15 && (f == 0) == (digits == "")
}

// significant returns the digits of a JSON number without sign, point, exponent and the zeros around. "" is zero.
func significant(number string) string {
	_, digits, _ := jsontext.Decompose([]byte(number))
	return string(digits)
}

// intBase is the type that holds all constants on every machine, or "" if there is none.
func intBase(base string, consts []ir.Const) string {
	fits := func(parse func(string) error) bool {
		return !slices.ContainsFunc(consts, func(c ir.Const) bool { return parse(c.Value) != nil })
	}
	signed := func(bits int) func(string) error {
		return func(s string) error { _, err := strconv.ParseInt(s, 10, bits); return err }
	}
	unsigned := func(s string) error { _, err := strconv.ParseUint(s, 10, 64); return err }
	switch {
	case base == "int" && fits(signed(32)), base == "uint64" && fits(unsigned), base == "int64" && fits(signed(64)):
		return base
	case fits(signed(64)):
		return "int64"
	case fits(unsigned):
		return "uint64"
	}
	return ""
}
