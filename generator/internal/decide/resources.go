package decide

// Resources and resource templates.

import (
	"cmp"
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

// readResource reads a resource. It is called after its name, or after its URI if
// it has none.
func readResource(t *tool, it schema.Item, _ *warner) bool {
	name := t.label(it.Raw)
	t.base = join("Read", part(cmp.Or(name, t.wire)))
	return true
}

// readTemplate reads a resource template; false if nobody can expand it.
func readTemplate(t *tool, it schema.Item, w *warner) bool {
	name := cmp.Or(t.label(it.Raw), t.wire)
	t.base = suffixed(exported(name), "URI")
	t.read = join("Read", part(name))
	parts, err := parseTemplate(t.wire)
	if err != nil {
		w.add(t.wire, "/uriTemplate", "left out: "+err.Error()+": ReadURI reads its resources")
		return false
	}
	t.parts = parts
	s := textSchema{Properties: map[string]textProperty{}}
	for _, v := range templateVariables(parts) {
		p := textProperty{Type: "string"}
		if v.list {
			p = textProperty{Type: "array", Items: &textProperty{Type: "string"}}
		}
		s.Properties[v.name] = p
		if v.required {
			s.Required = append(s.Required, v.name)
		}
	}
	t.takes(w, "Vars", "/uriTemplate", s)
	return true
}

// resource puts a finished resource into the package.
func (t *tool) resource() *ir.Resource {
	return &ir.Resource{
		URI: t.wire, Go: t.goName, Pin: t.pin,
		Doc: t.doc(fmt.Sprintf("%s reads %s.", t.goName, t.who())),
	}
}

// template puts a finished template into the package.
func (t *tool) template() *ir.Template {
	return &ir.Template{
		Wire: t.wire, Go: t.goName, Read: t.reader, Pin: t.pin,
		Doc:     ir.Doc{Lead: fmt.Sprintf("%s returns a URI of %s, which %s reads.", t.goName, t.who(), t.reader)},
		ReadDoc: t.doc(fmt.Sprintf("%s reads the resource that vars name in %s.", t.reader, t.who())),
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
