package decide

// What a server offers beside tools: prompts, resources and resource templates.
// On its way into a package each of them is a tool whose arguments are described
// by a schema of ours, so that names, types, docs and the lock are those of
// tools, and nothing takes a name from anything else.

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/schema"
)

// itemID tells the items of a server apart.
type itemID struct {
	kind schema.Kind
	wire string
}

// other is what only items that are no tools have.
type other struct {
	kind   schema.Kind // "" is a tool
	base   string      // the Go name that it asks for
	reader string      // of templates: the Go name of the function that reads
	read   string      // the name that reader asks for
	parts  []ir.URIPart
	words  string // the server's description, else its title
	notes  []string
}

func (t *tool) itemKind() schema.Kind { return cmp.Or(t.kind, schema.KindTool) }

func (t *tool) id() itemID { return itemID{t.itemKind(), t.wire} }

// who names the item for people.
func (t *tool) who() string {
	if t.kind == schema.KindTemplate {
		return "the resource template " + quote(t.wire)
	}
	return "the " + string(t.itemKind()) + " " + quote(t.wire)
}

// list is where the lock keeps the item.
func (t *tool) list() string {
	if t.kind == schema.KindTemplate {
		return "resourceTemplates"
	}
	return string(t.itemKind()) + "s"
}

// functions are the functions of an item, as they want to be called.
func functions(t *tool) []item {
	if t.kind == "" {
		return []item{{t: t, who: t.who(), base: exported(t.wire), into: &t.goName}}
	}
	out := []item{{t: t, who: t.who(), base: t.base, into: &t.goName}}
	if t.read != "" {
		out = append(out, item{t: t, key: "/uriTemplate", who: t.who(), base: t.read, into: &t.reader})
	}
	return out
}

// surface reads everything that is no tool, in byte order. What cannot be used
// is left out with a warning.
func surface(in Input, w *warner) []*tool {
	var out []*tool
	for _, list := range []struct {
		kind  schema.Kind
		items []schema.Item
		read  func(*tool, schema.Item, *warner) bool
	}{
		{schema.KindPrompt, in.Snapshot.Prompts, readPrompt},
		{schema.KindResource, few(in.Snapshot.Resources), readResource},
		{schema.KindTemplate, in.Snapshot.Templates, readTemplate},
	} {
		own := newWarner(in.Server)
		items := slices.Clone(list.items)
		slices.SortStableFunc(items, func(a, b schema.Item) int {
			return cmp.Or(cmp.Compare(a.Name, b.Name), bytes.Compare(a.Raw, b.Raw))
		})
		for i, it := range items {
			if i > 0 && items[i-1].Name == it.Name {
				own.add(it.Name, "", "listed twice: only one is used; ask the server's author to rename the other")
				continue
			}
			if t := newOther(in, list.kind, it, own); t != nil && list.read(t, it, own) {
				out = append(out, t)
			}
		}
		w.take(list.kind, own)
	}
	return out
}

// newOther begins an item that is no tool; nil if it cannot be used.
func newOther(in Input, kind schema.Kind, it schema.Item, w *warner) *tool {
	locked, known := in.Others[kind][it.Name]
	pin := locked.Pin
	if pin == "" {
		var err error
		if pin, err = schema.ContractHash(kind, it.Raw); err != nil {
			w.add(it.Name, "", "left out: "+err.Error())
			return nil
		}
	}
	return &tool{wire: it.Name, pin: pin, given: locked.Names, known: known, wanted: true, other: other{kind: kind}}
}

// labels are the members that all items have.
type labels struct {
	Name        any `json:"name"`
	Title       any `json:"title"`
	Description any `json:"description"`
	MIMEType    any `json:"mimeType"`
}

// label reads them. It returns the name, or "".
func (t *tool) label(raw json.RawMessage) string {
	var l labels
	if json.Unmarshal(raw, &l) != nil {
		return ""
	}
	name, _ := l.Name.(string)
	t.words, _ = l.Description.(string)
	if title, ok := l.Title.(string); ok && t.words == "" {
		t.words = title
	}
	if mime, ok := l.MIMEType.(string); ok && mime != "" {
		t.notes = append(t.notes, "MIME type: "+plain(mime)+".")
	}
	return name
}

// textSchema is the schema of arguments that are texts, or lists of them.
type textSchema struct {
	Type       string                  `json:"type"`
	Properties map[string]textProperty `json:"properties"`
	Required   []string                `json:"required,omitzero"`
}

type textProperty struct {
	Type        string        `json:"type"`
	Description string        `json:"description,omitzero"`
	Items       *textProperty `json:"items,omitzero"`
}

// takes gives the item its arguments: one struct, called word after it.
func (t *tool) takes(w *warner, word, at string, s textSchema) {
	s.Type = "object"
	raw, err := json.Marshal(s)
	if err != nil {
		raw = nil // texts always can be encoded
	}
	t.args = newSide(context.Background(), w, t.wire, word, at, parse(w, t.wire, at, raw))
	t.args.args()
}

// document writes the docs of the item's types, and returns the one that holds
// its arguments.
func (t *tool) document(lead string) *ir.Type {
	for _, d := range t.decls() {
		d.t.Doc = text("", d.notes)
		d.t.Doc.Lead = fmt.Sprintf("%s %s %s.", d.t.Go, lead, t.who())
		for _, m := range d.members {
			m.f.Doc = fieldDoc(d.side, m)
		}
	}
	return t.args.root.Decl
}

// doc documents a function of the item.
func (t *tool) doc(lead string) ir.Doc {
	doc := text(t.words, t.notes)
	doc.Lead = lead
	return doc
}

// assembleSurface puts what is no tool into the package.
func assembleSurface(p *ir.Package, in Input, items []*tool) {
	for _, t := range items {
		switch t.kind {
		case schema.KindPrompt:
			p.Prompts = append(p.Prompts, t.prompt())
		case schema.KindResource:
			p.Resources = append(p.Resources, t.resource())
		case schema.KindTemplate:
			p.Templates = append(p.Templates, t.template())
		}
	}
	s := in.Snapshot
	p.Completes = capable(s.Capabilities, "completions")
	p.Reads = capable(s.Capabilities, "resources") || len(s.Resources)+len(s.Templates) > 0
	if p.Reads {
		p.ReadsDoc = readsDoc(s)
	}
}

// capable reports whether a server says that it can do something.
func capable(capabilities json.RawMessage, what string) bool {
	var c map[string]json.RawMessage
	if json.Unmarshal(capabilities, &c) != nil {
		return false
	}
	said := string(c[what])
	return said != "" && said != "null" && said != "false"
}
