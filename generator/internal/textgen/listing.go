package textgen

// What a server offers, in the order of every page: tools, prompts, resources and
// resource templates.

import (
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// group holds the items of one kind, of which there are some.
type group struct {
	kind    string // as in [ID]
	id      string // of its section
	heading string
	does    string // what the function of an item does with it
	items   []listed
}

// word names one item of the group in a sentence.
func (g group) word() string { return strings.TrimSuffix(strings.ToLower(g.heading), "s") }

// listed is an item.
type listed struct {
	wire, goName string
	doc          ir.Doc
	tool         *ir.Tool // nil of other items
	args         *ir.Type // nil of an item that takes nothing
	read         string   // the function that reads what a URI of a template names
}

func groups(p *ir.Package) []group {
	all := []group{
		{kind: "tool", id: "tools", heading: "Tools", does: "Calls the tool"},
		{kind: "prompt", id: "prompts", heading: "Prompts", does: "Gets the prompt"},
		{kind: "resource", id: "resources", heading: "Resources", does: "Reads the resource"},
		{kind: "template", id: "templates", heading: "Resource templates", does: "Makes URIs of the template"},
	}
	add := func(i int, x listed) { all[i].items = append(all[i].items, x) }
	for _, x := range p.Tools {
		add(0, listed{wire: x.Wire, goName: x.Go, doc: x.Doc, tool: x, args: x.Args})
	}
	for _, x := range p.Prompts {
		add(1, listed{wire: x.Wire, goName: x.Go, doc: x.Doc, args: x.Args})
	}
	for _, x := range p.Resources {
		add(2, listed{wire: x.URI, goName: x.Go, doc: x.Doc})
	}
	for _, x := range p.Templates {
		add(3, listed{wire: x.Wire, goName: x.Go, doc: x.Doc, args: x.Vars, read: x.Read})
	}
	return slices.DeleteFunc(all, func(g group) bool { return len(g.items) == 0 })
}
