package drift

// This file walks two schemas in parallel and notes every keyword that differs. It does not judge:
// schemadiff.go decides the effect of a difference.

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// maxVisits bounds the pairs of schemas that one walk visits.
const maxVisits = 20_000

// step is the step from a value of one schema to a value of a nested schema.
type step struct {
	kind stepKind
	name string // for memberOf
	at   int    // for elementOf
}

type stepKind byte

const (
	sameValue stepKind = iota // the schema applies to the same value
	memberOf
	anyMember
	elementOf
	anyElement
	nowhere // not a place in a value
)

// walker is one walk.
type walker struct {
	*schemaDiff
	visited map[[2]*jsonschema.Schema]bool
	// Schemas that enclose the current ones, by side; they reveal recursion.
	above [2]map[*jsonschema.Schema]bool
	full  bool
}

func (d *schemaDiff) walk() {
	w := &walker{schemaDiff: d, visited: map[[2]*jsonschema.Schema]bool{}}
	w.above[0], w.above[1] = map[*jsonschema.Schema]bool{}, map[*jsonschema.Schema]bool{}
	root := &pair{before: d.before.Root, after: d.after.Root}
	if b, a := d.before.Root.Keywords["$schema"], d.after.Root.Keywords["$schema"]; !equalJSON(b, a) {
		w.note(root, schemaDialectChanged, "$schema differs", at("$schema"), b, a)
	}
	w.pair(root)
	d.references()
}

// relativePointer is the place of a finding relative to its pair.
type relativePointer struct {
	suffix  string // of the pointer
	onAfter bool   // the pointer leads into the new schema
}

// at returns the pointer of a keyword in the old schema; added, that of a keyword only in the new schema.
func at(keywords ...string) relativePointer { return relativePointer{suffix: join(keywords)} }

func added(keywords ...string) relativePointer {
	return relativePointer{suffix: join(keywords), onAfter: true}
}

func join(keywords []string) string {
	var b strings.Builder
	for _, k := range keywords {
		b.WriteString("/" + jsontext.EscapePointer(k))
	}
	return b.String()
}

// note adds a finding with the effect of its rule, and returns it.
func (w *walker) note(p *pair, rule *row, message string, where relativePointer,
	before, after json.RawMessage) *finding {
	pointer := p.before.Pointer
	if where.onAfter {
		pointer = p.after.Pointer
	}
	n := note{rule: rule, path: w.root + pointer + where.suffix, message: message, before: before, after: after}
	f := &finding{note: n, pair: p, effect: rule.effect}
	w.findings = append(w.findings, f)
	return f
}

// pair walks two schemas of the same place.
func (w *walker) pair(p *pair) {
	key := [2]*jsonschema.Schema{p.before, p.after}
	if w.visited[key] || w.full {
		return
	}
	w.visited[key] = true
	if len(w.visited) > maxVisits {
		w.full = true
		w.note(p, schemaTooComplex, "the schemas differ in too many places to compare all of them", at(), nil, nil)
		return
	}
	b, a := resolved(w.schemaDiff.before, p.before), resolved(w.schemaDiff.after, p.after)
	if b != p.before || a != p.after {
		w.reference(p, b, a)
		return
	}
	w.keywords(p)
}

// resolved follows references and returns s if they cannot be resolved.
func resolved(doc *jsonschema.Document, s *jsonschema.Schema) *jsonschema.Schema {
	if target, err := doc.Resolve(s); err == nil {
		return target
	}
	return s
}

// reference walks the targets of references, and the keywords next to them.
func (w *walker) reference(p *pair, b, a *jsonschema.Schema) {
	loops := [2]bool{w.above[0][b], w.above[1][a]}
	target := &pair{before: b, after: a, parent: p}
	switch {
	case loops[0] && !loops[1]:
		w.note(p, recursionRemoved, "the schema does not contain itself here any more", at(), nil, nil)
	case loops[1] && !loops[0]:
		w.note(p, recursionIntroduced, "the schema contains itself here", added(), nil, nil)
	}
	if p.before.Ref != "" && p.after.Ref != "" {
		w.keywords(p)
	}
	w.pair(target)
}

// keywords compares two schemas and walks the schemas in them.
func (w *walker) keywords(p *pair) {
	if p.before.Bool == nil && p.after.Bool == nil && w.joined(p) {
		return
	}
	fresh := [2]bool{!w.above[0][p.before], !w.above[1][p.after]}
	w.above[0][p.before], w.above[1][p.after] = true, true
	defer func() {
		if fresh[0] {
			delete(w.above[0], p.before)
		}
		if fresh[1] {
			delete(w.above[1], p.after)
		}
	}()
	w.texts(p)
	if p.before.Bool != nil || p.after.Bool != nil {
		w.booleans(p)
		return
	}
	w.types(p)
	w.values(p)
	w.bounds(p)
	w.strings(p)
	w.object(p)
	w.array(p)
	w.combinations(p)
	w.unknown(p)
}

// booleans compares boolean schemas.
func (w *walker) booleans(p *pair) {
	b, a := rawOf(p.before), rawOf(p.after)
	switch {
	case equalJSON(b, a):
	case p.after.IsBool(false):
		w.note(p, typeNarrowed, "nothing is allowed here any more", at(), b, a)
	case p.before.IsBool(false):
		w.note(p, typeWidened, "some values are allowed; before, no value was allowed", at(), b, a)
	case p.after.Bool != nil:
		w.note(p, typeWidened, "anything is allowed here", at(), b, a)
	default:
		w.note(p, typeNarrowed, "only some values are allowed here now", at(), b, a)
	}
}

// rawOf returns a schema as JSON.
func rawOf(s *jsonschema.Schema) json.RawMessage {
	switch {
	case s == nil:
		return nil
	case s.Bool != nil:
		return strconv.AppendBool(nil, *s.Bool)
	case s.Keywords == nil:
		return json.RawMessage("{}")
	}
	raw, _ := json.Marshal(s.Keywords) // the keywords were read from JSON
	return raw
}

// texts notes changes of text for people.
func (w *walker) texts(p *pair) {
	for _, k := range [...]string{"title", "description", "examples", "example", "$comment", "deprecated"} {
		if b, a := p.before.Keywords[k], p.after.Keywords[k]; !equalJSON(b, a) {
			w.note(p, docsChanged, k+" differs", at(k), b, a)
		}
	}
}

// unknown compares the keywords without rules.
func (w *walker) unknown(p *pair) {
	for _, k := range union(p.before.Keywords, p.after.Keywords) {
		b, a := p.before.Keywords[k], p.after.Keywords[k]
		if known(k) || equalJSON(b, a) {
			continue
		}
		switch {
		case k == "x-mcp-header":
			w.header(p, b, a)
		case strings.HasPrefix(k, "x-"):
			w.note(p, schemaExtensionChanged, "the extension "+quote(k)+" differs", at(k), b, a)
		default:
			w.note(p, schemaKeywordUnknownChanged, "the keyword "+quote(k)+" differs, and mcpgen does not know its meaning",
				at(k), b, a)
		}
	}
}

// header compares which arguments are sent as HTTP headers.
func (w *walker) header(p *pair, before, after json.RawMessage) {
	rule, message := xMcpHeaderChanged, "the argument must be sent as the HTTP header "+quoteJSON(after)
	switch {
	case before == nil:
		rule = xMcpHeaderAdded
	case after == nil:
		rule, message = xMcpHeaderRemoved, "the argument is not sent as an HTTP header any more"
	}
	w.note(p, rule, message, at("x-mcp-header"), before, after)
}

// known reports whether a keyword is compared elsewhere or does not constrain values.
func known(keyword string) bool {
	return keyword == "id" || keyword == "$comment" || jsonschema.Known(keyword)
}
