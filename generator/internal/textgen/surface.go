package textgen

// Prompts, resources and resource templates.

import "github.com/mcpgen/mcpgen/generator/internal/ir"

func prompts(p *ir.Package) []item {
	var out []item
	for _, prompt := range p.Prompts {
		it := itemOf(prompt.Go, "Gets the prompt", prompt.Wire, prompt.Doc)
		if prompt.Args != nil {
			it.Args = fields(prompt.Args)
		}
		out = append(out, it)
	}
	return out
}

func resources(p *ir.Package) []item {
	var out []item
	for _, r := range p.Resources {
		out = append(out, itemOf(r.Go, "Reads the resource", r.URI, r.Doc))
	}
	return out
}

func resourceTemplates(p *ir.Package) []item {
	var out []item
	for _, t := range p.Templates {
		it := itemOf(t.Go, "Makes URIs of the template", t.Wire, t.Doc)
		if t.Vars != nil {
			it.Args = fields(t.Vars)
		}
		if t.Read != "" {
			it.Notes = append(it.Notes, code(t.Read)+" reads what such a URI names.")
		}
		out = append(out, it)
	}
	return out
}
