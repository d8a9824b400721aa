package contract

// This file brings a schema into the form whose text is its contract. Each
// subschema becomes a form of its own; every text longer than a hash is replaced
// by its hash, so that sharing by $ref cannot make the text explode.

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// The bounds of reference resolution; beyond them references count as they are
// spelled.
const (
	maxContractForms = 20_000 // subschemas visited, those behind references each time
	maxContractRefs  = 128    // references within references
)

// form is one normalised schema. The zero form allows everything.
type form struct {
	never  bool         // allows nothing
	opaque string       // a text that no rule looks into: recursion, no schema
	types  []string     // sorted; nil: any
	enum   []string     // values by shortValue, sorted; nil: any
	rest   []textMember // other keywords, their texts short
	// rendered is the text if it was made already.
	rendered string
	// low is the lowest reference frame that something in here points back to,
	// closed if there is none.
	low int
}

const closed = math.MaxInt

func (f *form) isTrue() bool {
	return !f.never && f.opaque == "" && f.types == nil && f.enum == nil && len(f.rest) == 0
}

// text returns a form's text, or its hash if that is shorter.
func (n *normalizer) text(f *form) string {
	switch {
	case f.never:
		return "false"
	case f.opaque != "":
		return f.opaque
	case f.isTrue():
		return "true"
	case f.rendered != "":
		return f.rendered
	}
	o := textObject{members: slices.Clone(f.rest)}
	if f.types != nil {
		o.add("type", `["`+strings.Join(f.types, `","`)+`"]`)
	}
	if f.enum != nil {
		o.add("enum", list(f.enum))
	}
	return n.short(o.text())
}

// short returns a text, or its hash if that is shorter.
func (n *normalizer) short(text string) string {
	if len(text) <= 2*sha256.Size {
		return text
	}
	if n.shortened != nil {
		n.shortened(text)
	}
	sum := sha256.Sum256([]byte(text))
	hash := append(make([]byte, 0, 2*sha256.Size+len("<>")), '<')
	return string(append(hex.AppendEncode(hash, sum[:]), '>'))
}

// keyword returns the place of a keyword in rest, -1 if it is absent.
func (f *form) keyword(name string) int {
	return slices.IndexFunc(f.rest, func(m textMember) bool { return m.name == name })
}

// schemaContract returns the contract of a schema that was sorted.
func schemaContract(root *tree.Value, shortened func(text string)) string {
	features := scanFeatures(root)
	if features.siblings && features.plainDialect() == draft07 {
		return "<as sent>" + canonicalOf(root) // the draft ignores them, validators do not agree on it
	}
	n := normalizer{features: features, shortened: shortened, root: root, spelled: features.ownScopes}
	text := n.document()
	switch {
	case !n.failed && !n.spelled:
		return text
	case features.deepRefs: // what they lead to depends on the spelling of all else
		return "<as sent>" + canonicalOf(root)
	case n.failed:
		again := normalizer{features: features, shortened: shortened, root: root, spelled: true}
		text = again.document()
	}
	return "<spelled>" + text
}

// normalizer makes the forms of one schema document.
type normalizer struct {
	*features
	shortened func(text string) // called with each text whose hash is in the contract; may be nil

	root    *tree.Value
	spelled bool // references count as they are spelled
	failed  bool // a reference could not be followed: try again, spelled
	visited int
	frames  []*tree.Value // targets of the references that are open; the root is the first
	done    map[*tree.Value]form
}

func (n *normalizer) document() string {
	f := n.target(n.root)
	n.failed = n.failed || n.visited > maxContractForms && !n.spelled
	text := n.text(&f)
	if dialect := n.dialect(); dialect != "" {
		text = "<" + dialect + ">" + text
	}
	return text
}

// target returns the form of what a reference leads to; the root is the first
// target.
func (n *normalizer) target(v *tree.Value) form {
	if i := slices.Index(n.frames, v); i >= 0 {
		return form{opaque: "<up " + strconv.Itoa(len(n.frames)-1-i) + ">", low: i}
	}
	if f, ok := n.done[v]; ok {
		return f
	}
	if len(n.frames) >= maxContractRefs {
		n.failed = true
		return form{low: closed}
	}
	depth := len(n.frames)
	n.frames = append(n.frames, v)
	f := n.schema(v)
	n.frames = n.frames[:depth]
	// A frame that something points back to, or past, is marked, so that the
	// distances in the text can be counted. All others leave no trace.
	if f.low <= depth {
		low := f.low
		if low == depth {
			low = closed
		}
		f = form{opaque: "<rec " + n.text(&f) + ">", low: low}
	}
	if depth > 0 && f.low == closed && !n.spelled {
		if n.done == nil {
			n.done = map[*tree.Value]form{}
		}
		f.rendered = n.text(&f)
		n.done[v] = f
	}
	return f
}

// schema returns the form of one schema.
func (n *normalizer) schema(v *tree.Value) form {
	n.visited++
	if n.visited > maxContractForms && !n.spelled {
		n.failed = true
	}
	f := form{low: closed}
	switch {
	case n.failed || v.Kind == tree.True:
		return f
	case v.Kind == tree.False:
		f.never = true
		return f
	case v.Kind != tree.Object:
		f.opaque = "<no schema " + canonicalOf(v) + ">"
		return f
	}
	p := parts{normalizer: n, form: &f, source: v, groups: map[string][]form{}}
	for i := range v.Kids {
		p.keyword(&v.Kids[i])
	}
	p.finish()
	return f
}

// sub returns the text of a subschema of f.
func (n *normalizer) sub(f *form, v *tree.Value) string {
	s := n.schema(v)
	f.low = min(f.low, s.low)
	return n.text(&s)
}

// shortValue returns the canonical form of a value; of a long one its first
// byte, which tells its type, and its hash.
func (n *normalizer) shortValue(v *tree.Value) string {
	text := canonicalOf(v)
	if s := n.short(text); s != text {
		return text[:1] + s
	}
	return text
}

// sortedSet returns texts sorted and without duplicates.
func sortedSet(texts []string) []string {
	texts = slices.Clone(texts)
	slices.Sort(texts)
	return slices.Compact(texts)
}

// typeSet returns types sorted; integers are numbers.
func typeSet(types []string) []string {
	types = sortedSet(types)
	if slices.Contains(types, "number") {
		types = slices.DeleteFunc(types, func(t string) bool { return t == "integer" })
	}
	return types
}
