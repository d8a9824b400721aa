package drift

// This file compares the keywords about scalar values: types, enumerations,
// bounds, texts and defaults.

import (
	"encoding/json"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/internal/ruleid"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// maxListed bounds how many values of one enumeration get a finding of their own.
const maxListed = 20

// types compares types. It notes nothing if one side moved them into a union.
func (w *walker) types(p *pair) {
	b, a := typesOf(p.before), typesOf(p.after)
	if len(b) == 0 && len(a) == 0 || len(b) == 0 && typedElsewhere(p.before) || len(a) == 0 && typedElsewhere(p.after) {
		return
	}
	rawB, rawA := p.before.Keywords["type"], p.after.Keywords["type"]
	nullB, nullA := slices.Contains(b, "null"), slices.Contains(a, "null")
	if len(b) > 0 && len(a) > 0 && nullB != nullA && (len(b) > 1 || len(a) > 1) {
		if nullA {
			w.note(p, nullableAdded, "", at("type"), rawB, rawA)
		} else {
			f := w.note(p, nullableRemoved, "", at("type"), rawB, rawA)
			f.tries = append(f.tries, json.RawMessage("null"))
		}
		b, a = without(b, "null"), without(a, "null")
	}
	message := "the type was " + typeText(b) + " and is " + typeText(a)
	switch lost, won := missing(b, a), missing(a, b); {
	case lost && won:
		w.note(p, typeChanged, message, at("type"), rawB, rawA)
	case lost:
		w.note(p, typeNarrowed, message, at("type"), rawB, rawA)
	case won:
		w.note(p, typeWidened, message, at("type"), rawB, rawA)
	}
}

// typedElsewhere reports whether keywords other than type determine a schema's types.
func typedElsewhere(s *jsonschema.Schema) bool {
	return len(s.AnyOf) > 0 || len(s.OneOf) > 0 || len(s.AllOf) > 0 || s.Const != nil || len(s.Enum) > 0
}

// typesOf returns the types, or nil if any is allowed. "number" includes "integer".
func typesOf(s *jsonschema.Schema) []string {
	types := slices.Clone(s.Types)
	if len(types) > 0 && s.Nullable && !slices.Contains(types, "null") {
		types = append(types, "null")
	}
	if slices.Contains(types, "number") {
		types = append(without(types, "integer"), "integer")
	}
	return types
}

func without(list []string, text string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == text })
}

// missing reports whether b lacks a type of a; an empty list stands for all types.
func missing(a, b []string) bool {
	if len(b) == 0 {
		return false
	}
	return len(a) == 0 || slices.ContainsFunc(a, func(t string) bool { return !slices.Contains(b, t) })
}

func typeText(types []string) string {
	if slices.Contains(types, "number") {
		types = without(types, "integer")
	}
	if len(types) == 0 {
		return "any"
	}
	return clean(cut(strings.Join(types, " or ")))
}

// values compares enumerations, constants and defaults.
func (w *walker) values(p *pair) {
	b, a := p.before.Values(), p.after.Values()
	keyword := func(s *jsonschema.Schema) string {
		if s.Const != nil {
			return "const"
		}
		return "enum"
	}
	switch {
	case len(b) == 0 && len(a) == 0:
	case len(b) == 0:
		k := keyword(p.after)
		w.note(p, enumConstraintAdded, "", added(k), nil, p.after.Keywords[k])
	case len(a) == 0:
		k := keyword(p.before)
		w.note(p, enumConstraintRemoved, "", at(k), p.before.Keywords[k], nil)
	case len(b) == 1 && len(a) == 1 && p.before.Const != nil && p.after.Const != nil:
		if !equalJSON(b[0], a[0]) {
			f := w.note(p, constChanged, "the constant was "+quoteJSON(b[0])+" and is "+quoteJSON(a[0]),
				at("const"), b[0], a[0])
			f.tries = []json.RawMessage{b[0], a[0]}
		}
	default:
		for _, v := range beyond(b, a) {
			f := w.note(p, enumValueRemoved, quoteJSON(v)+" is not allowed any more", at(keyword(p.before)), v, nil)
			f.tries = []json.RawMessage{v}
		}
		for _, v := range beyond(a, b) {
			w.note(p, enumValueAdded, quoteJSON(v)+" is allowed", at(keyword(p.before)), nil, v).tries = []json.RawMessage{v}
		}
	}
	w.defaults(p)
}

// beyond returns the values of a that are not in b, at most maxListed.
func beyond(a, b []json.RawMessage) []json.RawMessage {
	known := map[string]bool{}
	for _, v := range b {
		known[hashOf(v)] = true
	}
	var out []json.RawMessage
	for _, v := range a {
		if h := hashOf(v); !known[h] && len(out) < maxListed {
			known[h] = true
			out = append(out, v)
		}
	}
	return out
}

func (w *walker) defaults(p *pair) {
	b, a := p.before.Default, p.after.Default
	switch {
	case equalJSON(b, a):
	case b == nil:
		w.note(p, defaultAdded, "the default is "+quoteJSON(a), added("default"), b, a)
	case a == nil:
		w.note(p, defaultRemoved, "the default was "+quoteJSON(b)+" and is gone", at("default"), b, a)
	default:
		w.note(p, defaultChanged, "the default was "+quoteJSON(b)+" and is "+quoteJSON(a), at("default"), b, a)
	}
}

// bound is a keyword that bounds values from one side.
type bound struct {
	keyword            string
	lower              bool
	of                 func(*jsonschema.Schema) json.Number
	tightened, relaxed *row
}

func newBound(id, keyword string, lower bool, of func(*jsonschema.Schema) json.Number) bound {
	counts := strings.HasSuffix(keyword, "Properties")
	touch := map[bool]ruleid.Touch{false: ruleid.TouchValue, true: ruleid.TouchWhole}[counts]
	return bound{
		keyword: keyword, lower: lower, of: of,
		tightened: narrowing(id+"-tightened", "m", keyword+" allows less").way(checkFirst).code(touch),
		relaxed:   widening(id+"-relaxed", "m", keyword+" allows more").code(touch),
	}
}

var (
	minimum = newBound("minimum", "minimum", true, func(s *jsonschema.Schema) json.Number { return s.Minimum })
	maximum = newBound("maximum", "maximum", false, func(s *jsonschema.Schema) json.Number { return s.Maximum })
)

// bounds lists the numeric bounds and the keywords that work like bounds.
var bounds = []bound{
	minimum, maximum,
	newBound("exclusive-minimum", "exclusiveMinimum", true, func(s *jsonschema.Schema) json.Number { return s.ExclusiveMinimum }),
	newBound("exclusive-maximum", "exclusiveMaximum", false, func(s *jsonschema.Schema) json.Number { return s.ExclusiveMaximum }),
	newBound("min-length", "minLength", true, func(s *jsonschema.Schema) json.Number { return s.MinLength }),
	newBound("max-length", "maxLength", false, func(s *jsonschema.Schema) json.Number { return s.MaxLength }),
	newBound("min-items", "minItems", true, func(s *jsonschema.Schema) json.Number { return s.MinItems }),
	newBound("max-items", "maxItems", false, func(s *jsonschema.Schema) json.Number { return s.MaxItems }),
	newBound("min-properties", "minProperties", true, func(s *jsonschema.Schema) json.Number { return s.MinProperties }),
	newBound("max-properties", "maxProperties", false, func(s *jsonschema.Schema) json.Number { return s.MaxProperties }),
	newBound("min-contains", "minContains", true, func(s *jsonschema.Schema) json.Number { return s.MinContains }),
	newBound("max-contains", "maxContains", false, func(s *jsonschema.Schema) json.Number { return s.MaxContains }),
	newBound("multiple-of", "multipleOf", true, func(s *jsonschema.Schema) json.Number { return s.MultipleOf }),
	newBound("unique-items", "uniqueItems", true, func(s *jsonschema.Schema) json.Number {
		if s.UniqueItems {
			return "1"
		}
		return ""
	}),
}

// maxSafe is the largest integer that JavaScript represents exactly along with its successor. Some schema
// generators bound every integer by it.
const maxSafe = 1<<53 - 1

// safeBound reports whether a bound is that of JavaScript's exact integers.
func safeBound(s *jsonschema.Schema, bound json.Number, negative bool) bool {
	limit := big.NewRat(maxSafe, 1)
	if negative {
		limit.Neg(limit)
	}
	r := jsonschema.Rational(bound)
	return r != nil && r.Cmp(limit) == 0 && integers(s)
}

// integers reports whether the schema allows integers and no other numbers.
func integers(s *jsonschema.Schema) bool {
	return slices.Contains(s.Types, "integer") && !slices.Contains(s.Types, "number")
}

// interval returns the numbers of a schema in normal form: for integers, x > 0 becomes x >= 1.
func interval(s *jsonschema.Schema) jsonschema.Interval {
	var i jsonschema.Interval
	i.Narrow(s)
	if integers(s) {
		i.Step(big.NewRat(1, 1))
	}
	return i.Tight()
}

// alike returns the bound keywords that, combined with the other bounds, have the same effect in both schemas.
func alike(before, after *jsonschema.Schema) map[string]bool {
	b, a := interval(before), interval(after)
	same := map[string]bool{}
	if b.Low.Equal(a.Low) {
		same["minimum"], same["exclusiveMinimum"] = true, true
	}
	if b.High.Equal(a.High) {
		same["maximum"], same["exclusiveMaximum"] = true, true
	}
	if b.Multiple != nil && a.Multiple != nil && b.Multiple.Cmp(a.Multiple) == 0 && integers(before) == integers(after) {
		same["multipleOf"] = true
	}
	was, is := before.Counts(), after.Counts()
	for i, n := range was {
		if strings.HasPrefix(n.Keyword, "min") && jsonschema.Count(*n.Value, 0) == 0 &&
			jsonschema.Count(*is[i].Value, 0) == 0 && n.Keyword != "minContains" {
			same[n.Keyword] = true
		}
	}
	return same
}

func (w *walker) bounds(p *pair) {
	same := alike(p.before, p.after)
	for _, bound := range bounds {
		b, a := bound.of(p.before), bound.of(p.after)
		was, is := jsonschema.Rational(b), jsonschema.Rational(a)
		known := was != nil && is != nil
		switch {
		case b == a, known && was.Cmp(is) == 0, same[bound.keyword] && (b == "" || was != nil) && (a == "" || is != nil):
			continue
		case b == "":
			w.bound(p, bound, bound.tightened, b, a)
		case a == "":
			w.bound(p, bound, bound.relaxed, b, a)
		case !known:
			w.bound(p, bound, bound.tightened, b, a).effect = alters
		case (was.Cmp(is) > 0) == bound.lower:
			f := w.bound(p, bound, bound.relaxed, b, a)
			if bound.keyword == "multipleOf" {
				f.severity = Unknown // neither may be a multiple of the other
			}
		default:
			w.bound(p, bound, bound.tightened, b, a)
		}
	}
}

func (w *walker) bound(p *pair, b bound, rule *row, before, after json.Number) *finding {
	message := b.keyword + " is gone"
	where := at(b.keyword)
	switch {
	case before == "":
		message, where = b.keyword+" is new", added(b.keyword)
	case after != "":
		message = b.keyword + " was " + clean(cut(before.String())) + " and is " + clean(cut(after.String()))
	}
	f := w.note(p, rule, message, where, p.before.Keywords[b.keyword], p.after.Keywords[b.keyword])
	if (b.keyword == "minimum" || b.keyword == "maximum") && f.effect == narrows && safeBound(p.after, after, b.lower) {
		f.safe = true
		limit, beyond := "2^53-1", maxSafe+1
		if b.lower {
			limit, beyond = "-(2^53-1)", -maxSafe-1
		}
		f.message = strings.Replace(f.message, b.keyword, b.keyword+" "+limit, 1)
		f.tries = append(f.tries, json.RawMessage(strconv.Itoa(beyond)))
	}
	return f
}

// strings compares patterns, formats and contents.
func (w *walker) strings(p *pair) {
	b, a := p.before, p.after
	w.change(p, [3]*row{patternAdded, patternChanged, patternRemoved}, "pattern", b.Pattern, a.Pattern)
	w.change(p, [3]*row{formatAdded, formatChanged, formatRemoved}, "format", b.Format, a.Format)
	w.changed(p, contentEncodingChanged, "contentEncoding")
	w.changed(p, contentMediaTypeChanged, "contentMediaType")
	w.changed(p, contentSchemaChanged, "contentSchema")
}

// change notes a text keyword that was added, removed or changed.
func (w *walker) change(p *pair, rules [3]*row, keyword, before, after string) {
	b, a := p.before.Keywords[keyword], p.after.Keywords[keyword]
	switch {
	case before == after:
	case before == "":
		w.note(p, rules[0], "the "+keyword+" "+quote(after)+" is new", added(keyword), b, a)
	case after == "":
		w.note(p, rules[2], "the "+keyword+" "+quote(before)+" is gone", at(keyword), b, a)
	default:
		w.note(p, rules[1], "the "+keyword+" was "+quote(before)+" and is "+quote(after), at(keyword), b, a)
	}
}

// changed notes a keyword that differs in any way.
func (w *walker) changed(p *pair, rule *row, keyword string) {
	b, a := p.before.Keywords[keyword], p.after.Keywords[keyword]
	if equalJSON(b, a) {
		return
	}
	where := at(keyword)
	if b == nil {
		where = added(keyword)
	}
	w.note(p, rule, keyword+" differs", where, b, a)
}
