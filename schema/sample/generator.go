package sample

// This file finds the values of one place, to which one or more schemas apply.

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
	"github.com/mcpgen/mcpgen/schema/validate"
)

// conjunction is a list of schemas that all apply to one value.
type conjunction []*jsonschema.Schema

// maxNested bounds the values tried for one place within a value.
const maxNested = 48

// The cost of slow operations, in bytes of generated values that take the same time.
const (
	workOfCheck     = 1_000
	workOfCompiling = 50_000
	workOfShape     = 1_000
	workOfVisit     = 20
	workOfStep      = 128 // of Options.Spend
)

// generator creates the values of one document.
type generator struct {
	doc           *jsonschema.Document
	max, maxBytes int
	undeclared    bool
	plain         bool // only one small value is needed
	hints         hints

	*meter
	splitter splitter
	patterns *patterns
	checks   map[*jsonschema.Schema]*validate.Schema // nil if the schema does not compile
	memo     map[string][]string
}

// meter bounds the work for one document.
type meter struct {
	left    int                  // remaining bytes of work
	spend   func(steps int) bool // see Options; nil if work is not reported
	ended   bool                 // spend returned false
	unspent int                  // bytes of work not yet reported
}

// work consumes n bytes of work.
func (m *meter) work(n int) {
	m.left -= n
	if m.unspent += n; m.spend == nil || m.unspent < workOfStep {
		return
	}
	if !m.spend(m.unspent / workOfStep) {
		m.left, m.ended = 0, true
	}
	m.unspent %= workOfStep
}

// values returns at most most values of one place as JSON, simple ones first. Depth is the remaining nesting of
// recursive schemas.
func (g *generator) values(c conjunction, depth, most int) []string {
	key := c.key(depth, most)
	if known, ok := g.memo[key]; ok || g.left <= 0 {
		return known
	}
	g.memo[key] = nil // for schemas that require themselves
	var lists [][]string
	for _, s := range g.splitter.shapes(c, depth) {
		lists = append(lists, g.ofShape(s, most))
	}
	all := append(g.ownExamples(c), inTurn(lists, most)...)
	var kept []string
	seen := map[string]bool{}
	check := c.needsCheck()
	for _, v := range all {
		if len(kept) == most {
			break
		}
		if !seen[v] && len(v) <= g.maxBytes && (!check || g.fitsAll(c, v)) {
			seen[v] = true
			kept = append(kept, v)
		}
	}
	g.memo[key] = kept
	return kept
}

// ownExamples returns the fitting examples and defaults of the schemas.
func (g *generator) ownExamples(c conjunction) []string {
	var texts []string
	for _, s := range c {
		s, err := g.doc.Resolve(s)
		if err != nil {
			continue
		}
		for _, raw := range s.Examples[:min(len(s.Examples), 4)] {
			texts = append(texts, string(jsontext.Compact(raw)))
		}
		if s.Default != nil && string(s.Default) != "null" {
			texts = append(texts, string(jsontext.Compact(s.Default)))
		}
	}
	return slices.DeleteFunc(texts, func(v string) bool { return v == "" || !g.fitsAll(c, v) })
}

// ofShape returns the values of one alternative.
func (g *generator) ofShape(s *shape, most int) []string {
	if len(s.parts) == 0 {
		return g.count([]string{`"text"`, "9007199254740993", "null", "true", `{"any":[1,null,"x"]}`, `[1.5,{"any":false}]`, `""`, "0", "{}", "[]"})
	}
	if values, fixed := s.constants(); fixed {
		return g.count(values)
	}
	var lists [][]string
	for _, kind := range s.kinds() {
		lists = append(lists, g.ofKind(s, kind, most))
	}
	return g.count(inTurn(lists, most))
}

func (g *generator) ofKind(s *shape, kind string, most int) []string {
	switch kind {
	case "object":
		return g.objects(s, most)
	case "array":
		return g.arrays(s, most)
	case "string":
		return g.strings(s)
	case "integer", "number":
		return g.numbers(s, kind == "integer")
	case "boolean":
		return []string{"true", "false"}
	}
	return []string{"null"}
}

// count records the work of generating values and returns them.
func (g *generator) count(values []string) []string {
	work := 0
	for _, v := range values {
		work += len(v)
	}
	g.work(work)
	return values
}

// fits reports whether a value fits a schema.
func (g *generator) fits(s *jsonschema.Schema, value string) bool {
	check, known := g.checks[s]
	if !known {
		check, _ = validate.Of(g.doc, s) // nil on error
		g.checks[s] = check
		g.work(workOfCompiling)
	}
	g.work(workOfCheck + 8*len(value))
	if check == nil || g.ended {
		return false
	}
	steps, err := check.Measure([]byte(value))
	g.work(steps * workOfStep)
	return err == nil
}

func (g *generator) fitsAll(c conjunction, value string) bool {
	return !slices.ContainsFunc(c, func(s *jsonschema.Schema) bool { return !g.fits(s, value) })
}

// needsCheck reports whether values generated for c may fail to fit c.
func (c conjunction) needsCheck() bool {
	return len(c) > 1 || slices.ContainsFunc(c, func(s *jsonschema.Schema) bool {
		return s.Not != nil || s.If != nil || s.OneOf != nil || s.AnyOf != nil || s.AllOf != nil ||
			s.Contains != nil || s.UniqueItems || s.UnevaluatedItems != nil || s.UnevaluatedProperties != nil ||
			s.DependentSchemas != nil || s.DependentRequired != nil || s.PropertyNames != nil ||
			s.PatternProperties != nil || s.MinProperties != "" || s.MaxProperties != "" || s.MultipleOf != ""
	})
}

// key returns the key of c in memo.
func (c conjunction) key(depth, most int) string {
	var b strings.Builder
	b.WriteString(strconv.Itoa(depth) + " " + strconv.Itoa(most))
	for _, s := range c {
		b.WriteByte('\n')
		b.WriteString(s.Pointer)
	}
	return b.String()
}

// inTurn returns at most most values: the first of each list, then the second of each, and so on.
func inTurn[T any](lists [][]T, most int) []T {
	if len(lists) == 1 {
		return lists[0][:min(len(lists[0]), most)]
	}
	var all []T
	for i, more := 0, true; more && len(all) < most; i++ {
		more = false
		for _, list := range lists {
			if i < len(list) {
				more = true
				all = append(all, list[i])
			}
		}
	}
	return all[:min(len(all), most)]
}
