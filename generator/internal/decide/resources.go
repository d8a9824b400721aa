package decide

// Resources and resource templates.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/schema"
)

// maxResources bounds the resources that get a function each. A server with more
// lists its data, and to look through them a program asks the server.
const maxResources = 200

// resource is one resource on its way into a package.
type resource struct {
	item
	watcher *function // nil if the server does not say when resources change
	label   string
	set     *numberedSet // nil for a resource that has a function alone
}

// template is one resource template on its way into a package.
type template struct {
	item
	reader  *function // its second function; the first one returns URIs
	watcher *function // as of a resource
	parts   []ir.URIPart
}

// readResource reads a resource. It is named after its name, or after its URI if
// it has none.
func readResource(it item, raw json.RawMessage, _ *warner) *resource {
	r := &resource{item: it}
	r.label = cmp.Or(r.item.label(raw), r.wire)
	r.reads("", r.label)
	return r
}

// reads gives a resource its functions.
func (r *resource) reads(key, label string) {
	name := part(label)
	r.functions = nil
	r.asks(key, "Read", name, "")
	if r.changes {
		r.watcher = r.asks("/watch", "Watch", name, "")
	}
}

// numberedSet are resources whose names end in a number that their URIs have, too, and that
// are the same without it. They have one function, which takes the number.
type numberedSet struct {
	label, before, after string
}

// numberedKey is where the lock keeps the name of that function, at each of the resources.
const numberedKey = "/number"

// fewNumbered is the largest number of such resources that have a function each.
const fewNumbered = 2

// number joins resources to sets. Of a lock that has them by themselves they stay so.
func number(resources []*resource) {
	sets := map[numberedSet][]*resource{}
	for _, r := range resources {
		label := strings.TrimRight(r.label, "0123456789")
		n := r.label[len(label):]
		before, after, found := strings.Cut(r.wire, n)
		isNumber := n != "" && n[0] != '0' && len(n) < 10 && found && !strings.Contains(after, n)
		if isNumber && label != "" && r.wire != r.label &&
			strings.TrimRight(before, "0123456789") == before && strings.TrimLeft(after, "0123456789") == after {
			key := numberedSet{label, before, after}
			sets[key] = append(sets[key], r)
		}
	}
	for key, of := range sets {
		alone := func(r *resource) bool { return r.known && r.given[numberedKey] == "" }
		had := slices.ContainsFunc(of, func(r *resource) bool { return r.given[numberedKey] != "" })
		if slices.ContainsFunc(of, alone) || !had && len(of) <= fewNumbered {
			continue
		}
		of[0].reads(numberedKey, key.label)
		for _, r := range of {
			r.set, r.numbered, r.functions, r.watcher = &key, true, of[0].functions, of[0].watcher
		}
	}
}

// readTemplate reads a resource template. It returns nil if the template cannot be
// expanded.
func readTemplate(it item, raw json.RawMessage, w *warner) *template {
	t := &template{item: it}
	name := part(cmp.Or(t.label(raw), t.wire))
	t.asks("", "", name, "URI")
	t.reader = t.asks("/uriTemplate", "Read", name, "")
	if it.changes {
		t.watcher = t.asks("/watch", "Watch", name, "")
	}
	parts, err := parseTemplate(t.wire)
	if err != nil {
		w.add(t.wire, "/uriTemplate", "left out: "+err.Error()+": ReadURI reads its resources")
		return nil
	}
	t.parts = parts
	t.takes(w, "Vars", "/uriTemplate", templateVariables(parts))
	return t
}

func (r *resource) decided() *ir.Resource {
	out := &ir.Resource{
		URI: r.wire, Go: r.goName(), Watch: r.watcher.name(), Pin: r.pin, Place: r.place,
		Doc: r.docOf(r.functions[0], "reads"),
	}
	if s := r.set; s != nil {
		out.Numbered, out.Before, out.After = true, s.before, s.after
		of := quote(s.before + "{number}" + s.after)
		out.Doc = ir.Doc{Lead: fmt.Sprintf("%s reads the resource %s with the given number.", r.goName(), of)}
	}
	return out
}

func (t *template) decided() *ir.Template {
	const lead = "%s returns the URI of a resource of %s; %s reads that resource."
	return &ir.Template{
		Wire: t.wire, Go: t.goName(), Read: t.reader.goName, Watch: t.watcher.name(), Pin: t.pin, Place: t.place,
		Doc:     ir.Doc{Lead: fmt.Sprintf(lead, t.goName(), t.who(), t.reader.goName)},
		ReadDoc: t.docOf(t.reader, "reads the resource that vars select in"),
		Parts:   t.parts,
		Vars:    t.document("holds the variables of"),
	}
}

// readsDoc documents the reader of any resource.
func readsDoc(s *schema.Snapshot) ir.Doc {
	doc := ir.Doc{Lead: "ReadURI reads the resource with the given URI, whether or not the server lists it."}
	if n := len(s.Resources); n > maxResources {
		const note = "The server lists %d resources, more than %d, so none has its own function."
		doc.Notes = append(doc.Notes, fmt.Sprintf(note, n, maxResources))
	}
	return doc
}
