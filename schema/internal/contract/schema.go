package contract

// This file normalizes a schema into the text of its contract. Each subschema becomes a form; every text longer
// than a hash is replaced by its hash, so that sharing by $ref cannot make the text explode.

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// The limits of reference resolution; beyond them references are kept as spelled.
const (
	maxContractForms = 20_000 // visited subschemas; targets of references count each time
	maxContractRefs  = 128    // nested references
)

// form is a normalized schema. The zero form allows everything.
type form struct {
	never  bool         // allows nothing
	opaque string       // a text that is not interpreted: recursion, or not a schema
	types  []string     // sorted; nil: any
	enum   []string     // values by shortValue, sorted; nil: any
	rest   []textMember // other keywords, with short texts
	// rendered caches the text.
	rendered string
	// low is the lowest reference frame that this form refers back to, or closed if there is none.
	low int
}

const closed = math.MaxInt

func (f *form) isTrue() bool {
	return !f.never && f.opaque == "" && f.types == nil && f.enum == nil && len(f.rest) == 0
}

// text returns the text of a form, or its hash if that is shorter.
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

// keyword returns the index of a keyword in rest, or -1 if it is absent.
func (f *form) keyword(name string) int {
	return slices.IndexFunc(f.rest, func(m textMember) bool { return m.name == name })
}

// schemaContract returns the contract of a sorted schema.
func schemaContract(root *tree.Value, shortened func(text string)) string {
	features := scanFeatures(root)
	if features.siblings && features.plainDialect() == draft07 {
		return "<as sent>" + canonicalOf(root) // the draft ignores siblings of $ref, but validators disagree
	}
	n := normalizer{features: features, shortened: shortened, root: root, spelled: features.ownScopes}
	text := n.document()
	switch {
	case !n.failed && !n.spelled:
		return text
	case features.deepRefs: // their targets depend on the spelling of the rest
		return "<as sent>" + canonicalOf(root)
	case n.failed:
		again := normalizer{features: features, shortened: shortened, root: root, spelled: true}
		text = again.document()
	}
	return "<spelled>" + text
}

// normalizer builds the forms of one schema document.
type normalizer struct {
	*features
	shortened func(text string) // called with each text whose hash is in the contract; may be nil

	root    *tree.Value
	spelled bool // references are kept as spelled
	failed  bool // a reference could not be followed: retry with spelled
	visited int
	frames  []*tree.Value // targets of the references being followed; the root is the first
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

// target returns the form of a reference's target; the root is the first target.
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
	// A frame that is referred back to, or past, is marked so that the distances in the text are well-defined.
	// Other frames leave no trace.
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

// shortValue returns the canonical form of a value. A long value becomes its first byte, which identifies its
// type, and its hash.
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

// typeSet returns sorted types; "number" absorbs "integer".
func typeSet(types []string) []string {
	types = sortedSet(types)
	if slices.Contains(types, "number") {
		types = slices.DeleteFunc(types, func(t string) bool { return t == "integer" })
	}
	return types
}
