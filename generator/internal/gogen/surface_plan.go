package gogen

// What prompts, resources, templates and completions have to declare, and which names
// they may have.

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// surface plans everything but the tools.
func (plan *filePlan) surface(p *ir.Package) {
	pair := func(name, owner string) {
		plan.decls = append(plan.decls,
			planned{kind: "func", recv: "*Client", name: name, owner: owner},
			planned{kind: "func", name: name, owner: owner})
		plan.calls["New()."+name] = true
	}
	for _, item := range p.Prompts {
		pair(item.Go, promptOwner(item))
	}
	watch := func(name, owner string) {
		if name == "" {
			return
		}
		pair(name, owner)
		if !slices.Contains(plan.imports, strconv.Quote(iterPath)) {
			plan.imports = append(plan.imports, strconv.Quote(iterPath))
		}
	}
	for _, item := range p.Resources {
		pair(item.Go, resourceOwner(item))
		watch(item.Watch, resourceOwner(item))
	}
	for _, item := range p.Templates {
		plan.decls = append(plan.decls, planned{kind: "func", name: item.Go, owner: templateOwner(item)})
		plan.calls[item.Go] = true
		pair(item.Read, templateOwner(item))
		watch(item.Watch, templateOwner(item))
	}
	if p.Reads {
		pair(readName, "resources")
	}
	if p.Completes {
		pair(completeName, "completions")
	}
}

func promptOwner(item *ir.Prompt) string     { return fmt.Sprintf("prompt %q", item.Wire) }
func resourceOwner(item *ir.Resource) string { return fmt.Sprintf("resource %q", item.URI) }
func templateOwner(item *ir.Template) string { return fmt.Sprintf("resource template %q", item.Wire) }

// surface checks the names of prompts, resources and templates.
func (c *nameCheck) surface(top *scope, p *ir.Package) {
	types := func(of string, t *ir.Type) {
		if t == nil || t.Kind != ir.Struct {
			c.fail("%s: its arguments are not a struct", of)
			return
		}
		top.claim(t.Go, owner{what: of})
		c.fields(t)
	}
	for _, item := range p.Prompts {
		top.claim(item.Go, owner{what: promptOwner(item)})
		types(promptOwner(item), item.Args)
	}
	for _, item := range p.Resources {
		top.claim(item.Go, owner{what: resourceOwner(item)})
		if item.Watch != "" {
			top.claim(item.Watch, owner{what: resourceOwner(item)})
		}
	}
	for _, item := range p.Templates {
		top.claim(item.Go, owner{what: templateOwner(item)})
		top.claim(item.Read, owner{what: templateOwner(item)})
		if item.Watch != "" {
			top.claim(item.Watch, owner{what: templateOwner(item)})
		}
		types(templateOwner(item), item.Vars)
	}
}
