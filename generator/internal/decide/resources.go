package decide

// Resources and resource templates.

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/schema"
)

// maxResources bounds the resources that get a function each. A server with more
// lists its data, and to look through them a program asks the server.
const maxResources = 200

// few is items, or nothing if they are too many.
func few(items []schema.Item) []schema.Item {
	if len(items) > maxResources {
		return nil
	}
	return items
}

// resource is one resource on its way into a package.
type resource struct {
	item
	watcher *function // nil if the server does not say when resources change
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
	name := part(cmp.Or(r.label(raw), r.wire))
	r.asks("", join("Read", name))
	if it.changes {
		r.watcher = r.asks("/watch", join("Watch", name))
	}
	return r
}

// readTemplate reads a resource template. It returns nil if the template cannot be
// expanded.
func readTemplate(it item, raw json.RawMessage, w *warner) *template {
	t := &template{item: it}
	name := cmp.Or(t.label(raw), t.wire)
	t.asks("", suffixed(exported(name), "URI"))
	t.reader = t.asks("/uriTemplate", join("Read", part(name)))
	if it.changes {
		t.watcher = t.asks("/watch", join("Watch", part(name)))
	}
	parts, err := parseTemplate(t.wire)
	if err != nil {
		w.add(t.wire, "/uriTemplate", "left out: "+err.Error()+": ReadURI reads its resources")
		return nil
	}
	t.parts = parts
	var s textSchema
	for _, v := range templateVariables(parts) {
		p := textProperty{name: v.name, Type: "string"}
		if v.list {
			p = textProperty{name: v.name, Type: "array", Items: &textProperty{Type: "string"}}
		}
		s.Properties = append(s.Properties, p)
		if v.required {
			s.Required = append(s.Required, v.name)
		}
	}
	t.takes(w, "Vars", "/uriTemplate", s)
	return t
}

func (r *resource) decided() *ir.Resource {
	return &ir.Resource{
		URI: r.wire, Go: r.goName(), Watch: r.watcher.name(), Pin: r.pin, Place: r.place,
		Doc: r.docOf(r.functions[0], "reads"),
	}
}

func (t *template) decided() *ir.Template {
	return &ir.Template{
		Wire: t.wire, Go: t.goName(), Read: t.reader.goName, Watch: t.watcher.name(), Pin: t.pin, Place: t.place,
		Doc:     ir.Doc{Lead: fmt.Sprintf("%s returns a URI of %s, which %s reads.", t.goName(), t.who(), t.reader.goName)},
		ReadDoc: t.docOf(t.reader, "reads the resource that vars name in"),
		Parts:   t.parts,
		Vars:    t.document("holds the variables of"),
	}
}

// readsDoc documents the reader of any resource.
func readsDoc(s *schema.Snapshot) ir.Doc {
	doc := ir.Doc{Lead: "ReadURI reads the resource with that URI, whether or not the server lists it."}
	if n := len(s.Resources); n > maxResources {
		doc.Notes = append(doc.Notes, fmt.Sprintf("The server lists %d resources; with more than %d none has a function of its own.", n, maxResources))
	}
	return doc
}
