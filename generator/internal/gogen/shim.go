package gogen

// The package over all servers.

import (
	"errors"
	"fmt"
	"go/types"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

const shimName = "mcp.go"

// checkShim checks the names that come from outside.
func checkShim(s ir.Shim) error {
	c, seen := &nameCheck{server: "(all)"}, map[string]bool{}
	c.packageName(s.Name)
	for _, p := range s.Packages {
		c.packageName(p.Name)
		if seen[p.ImportPath] {
			c.fail("%q is duplicated", p.ImportPath)
		}
		seen[p.ImportPath] = true
	}
	return errors.Join(c.errs...)
}

// shimNames gives each package the name that it is imported by: its own, unless
// that would hide, or be hidden by, another name in the file.
func shimNames(s ir.Shim) []string {
	taken := map[string]bool{
		"runtime": true, "codec": true, "slices": true, "reg": true, "inv": true, "init": true, s.Name: true,
	}
	for _, p := range s.Packages {
		// Jennifer does not import by the names that it reserves.
		taken[p.Name] = taken[p.Name] || jen.IsReservedWord(p.Name) || types.Universe.Lookup(p.Name) != nil
	}
	names := make([]string, len(s.Packages))
	for i, p := range s.Packages {
		name := p.Name
		for n := 1; taken[name]; n++ {
			name = p.Name + "server"
			if n > 1 {
				name += strconv.Itoa(n)
			}
		}
		taken[name], names[i] = true, name
	}
	return names
}

func shimFile(s ir.Shim, names []string) *file {
	f := newFile(shimName, s.Name, "",
		texts(fmt.Sprintf("Package %s combines the tools of all configured MCP servers. "+
			"The typed calls are in its subpackages.", s.Name))...)
	f.mayImport(slicesPath, "slices")
	for i, p := range s.Packages {
		f.mayImport(p.ImportPath, names[i])
	}
	f.directive(goGenerate(s.Command))

	var tools, manifests []jen.Code
	for _, p := range s.Packages {
		tools = append(tools, jen.Line().Qual(p.ImportPath, "Tools").Call(jen.Id("inv")))
		manifests = append(manifests, jen.Line().Qual(p.ImportPath, "Manifest").Call())
	}
	if len(s.Packages) > 0 {
		tools, manifests = append(tools, jen.Line()), append(manifests, jen.Line())
	}
	all := jen.Nil()
	if len(tools) > 0 {
		all = jen.Qual(slicesPath, "Concat").Call(tools...)
	}
	inv := jen.Id("inv").Qual(runtimePath, "Invoker")
	f.function(comment("Tools returns the tools of all servers, with qualified names. The tools call through inv. "+
		"If inv is nil, each call uses the invoker in its context."),
		"", "Tools", []jen.Code{inv}, []jen.Code{jen.Index().Qual(runtimePath, "Tool")}, returning(all))
	f.function(comment("Register registers the tools of all servers with reg. "+
		"If it returns an error, no tool is registered."),
		"", "Register", []jen.Code{jen.Id("reg").Qual(runtimePath, "Registrar"), inv}, []jen.Code{jen.Error()},
		returning(jen.Qual(runtimePath, "RegisterAll").Call(jen.Id("reg"), jen.Id("Tools").Call(jen.Id("inv")).Op("..."))))
	f.function(comment("Manifests returns the manifest of each generated package. Pass the manifests to live.Connect, "+
		"which then allows calls of tools that changed in a compatible way."),
		"", "Manifests", nil, []jen.Code{jen.Index().Op("*").Qual(codecPath, "Manifest")},
		returning(jen.Index().Op("*").Qual(codecPath, "Manifest").Values(manifests...)))
	return f
}
