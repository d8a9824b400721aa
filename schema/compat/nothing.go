package compat

// This file finds places where no value fits the left side although some fit the right side. As sets, the left
// side is contained there, but the schema is most likely a mistake.

import (
	"context"
	"slices"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// Nothing returns at most 20 pointers into a, to places where no value fits a although some fit b. It omits
// places that a forbids on purpose and places that b does not restrict. It is bounded as [Check] is; nil
// documents have no places.
func Nothing(ctx context.Context, a, b *jsonschema.Document, opts *Options) []string {
	if opts == nil {
		opts = &Options{}
	}
	if a == nil || b == nil || a.Root == nil || b.Root == nil {
		return nil
	}
	if opts.Lens != Strict {
		a, b = open(a, false), open(b, false)
	}
	c := newChecker(ctx, a, b, opts)
	h := &hollows{checker: c, seen: map[string]bool{}}
	h.place(alternatives{c.left(opts)}, alternatives{{c.b.of(b.Root)}}, "")
	var pointers []string
	for _, f := range h.found {
		if len(pointers) < 20 && !slices.Contains(pointers, f.pointer) {
			pointers = append(pointers, f.pointer)
		}
	}
	return pointers
}

// hollows searches for such places.
type hollows struct {
	*checker
	seen     map[string]bool
	depth    int
	found    []finding
	doubtful []finding // no value could be found
}

// alternatives are lists of schemas; a value fits all schemas of at least one list.
type alternatives []all

func (a alternatives) key() string {
	var key string
	for _, of := range a {
		key += of.key() + "|"
	}
	return key
}

// forbidden reports whether a place is empty on purpose.
func (a alternatives) forbidden() bool {
	return !slices.ContainsFunc(a, func(of all) bool {
		return !slices.ContainsFunc(of, func(n *node) bool {
			not := n.document.of(n.Not)
			return n.IsBool(false) || not != nil && (not.IsBool(true) || not.Bool == nil && len(not.Keywords) == 0)
		})
	})
}

// place examines one place and the places nested in it.
func (h *hollows) place(left, right alternatives, at string) {
	at = h.pointer(left[0], at)
	key := left.key() + ">" + right.key()
	if h.seen[key] || h.depth > 32 || h.alike(left, right) || !h.spend(1) {
		return
	}
	h.seen[key] = true
	h.depth++
	defer func() { h.depth-- }()
	live, known := h.live(left)
	if !known {
		return
	}
	if len(live) == 0 {
		if others, known := h.live(right); !known || len(others) > 0 {
			h.found = append(h.found, finding{at, "no value fits the first schema here"})
		}
		return
	}
	if h.uncertain(left, live) {
		h.doubtful = append(h.doubtful, finding{at, "it is not known whether any value fits the first schema here"})
	}
	others, known := h.live(right)
	if !known {
		return
	}
	for _, name := range declaredBy(live) {
		h.within(live, others, at, func(s *shape) all { return h.memberOf(name, s.parts...) })
	}
	h.within(live, others, at, h.unnamed)
	for i := range min(tuple(partsOf(live)), maxPositions) + 1 {
		h.within(live, others, at, func(s *shape) all { return s.item(i) })
	}
}

// within examines a place nested in the values of shapes.
func (h *hollows) within(left, right []*shape, at string, of func(*shape) all) {
	var from, to alternatives
	for _, s := range left {
		if list := of(s); len(list) > 0 {
			from = append(from, list)
		}
	}
	for _, s := range right {
		list := of(s)
		if len(list) == 0 {
			return // every value fits there
		}
		to = append(to, list)
	}
	if len(from) > 0 && len(to) > 0 && !from.forbidden() {
		h.place(from, to, at)
	}
}

// live returns the shapes of a place that may have values, or false if the shapes are unknown.
func (h *hollows) live(a alternatives) ([]*shape, bool) {
	var out []*shape
	for _, of := range a {
		shapes, ok := h.shapes(of)
		if !ok {
			return nil, false
		}
		for _, s := range shapes {
			if !h.emptyShape(s, 0) {
				out = append(out, s)
			}
		}
		if len(out) > maxShapes {
			return nil, false
		}
	}
	return out, !h.over
}

// alike reports whether the schemas of a place are unchanged.
func (h *hollows) alike(left, right alternatives) bool {
	return !slices.ContainsFunc(left, func(of all) bool {
		return !slices.ContainsFunc(right, func(to all) bool {
			return !slices.ContainsFunc(to, func(m *node) bool {
				return !slices.ContainsFunc(of, func(n *node) bool { return h.equal(n, m) })
			})
		})
	})
}

// uncertain reports whether every shape of a place has negated schemas, whose effect is not computed, and no
// fitting value could be built.
func (h *hollows) uncertain(left alternatives, live []*shape) bool {
	if slices.ContainsFunc(live, func(s *shape) bool { return len(s.nots) == 0 }) {
		return false
	}
	for _, of := range left {
		for _, raw := range h.values.some(of, maxHints) {
			if !slices.ContainsFunc(of, func(n *node) bool { fits, known := n.fits(raw); return !fits || !known }) {
				return false
			}
		}
	}
	return true
}

// unnamed returns the schemas that a shape has for undeclared members.
func (h *hollows) unnamed(s *shape) all {
	var of all
	for _, n := range s.parts {
		if more := n.additional(); more != nil {
			of = append(of, more)
		}
	}
	return of
}

func partsOf(shapes []*shape) []*node {
	var parts []*node
	for _, s := range shapes {
		parts = append(parts, s.parts...)
	}
	return parts
}

func declaredBy(shapes []*shape) []string { return (&shape{parts: partsOf(shapes)}).declared() }
