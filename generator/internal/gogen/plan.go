package gogen

// What each file has to declare and import, worked out from the decisions alone.
// It knows nothing of how the files are rendered: that is why it is worth
// comparing them with it.

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/generator/internal/gotext"
	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

// filePlan is the plan of a file, or of a part of one.
type filePlan struct {
	pkg        string
	imports    []string // as written in the file: name, if any, and quoted path; sorted
	decls      []planned
	directives []directive
	calls      map[string]bool // what functions may call, beside the runtime and their like in the package
}

// planned is one declaration.
type planned struct {
	kind    string // const, var, type or func
	recv    string // func: receiver type, with its star
	name    string
	members []string // type: "struct" and its fields with their tags, or its form
	owner   string   // whom it is for, in errors
}

func (d planned) String() string {
	if d.recv != "" {
		return fmt.Sprintf("%s (%s) %s", d.kind, d.recv, d.name)
	}
	return d.kind + " " + d.name
}

func planManifest(p *ir.Package) *filePlan {
	plan := &filePlan{
		pkg:        p.Name,
		imports:    []string{strconv.Quote(runtimePath), `_ "embed"`},
		directives: []directive{embedSnapshot},
		decls:      []planned{{kind: "var", name: "snapshot"}},
		calls:      map[string]bool{"Manifest": true, "Manifest().Tools": true},
	}
	for _, r := range refsOf(p) {
		plan.decls = append(plan.decls, planned{kind: "var", name: r.name, owner: r.owner})
	}
	plan.decls = append(plan.decls, planned{kind: "func", name: "Manifest"}, planned{kind: "func", name: "Tools"})
	return plan
}

func planClient(u unit) *filePlan {
	p := u.Package
	plan := &filePlan{pkg: p.Name, imports: []string{strconv.Quote(runtimePath), strconv.Quote(codecPath)}, calls: map[string]bool{"New": true}}
	if u.first {
		plan.decls = []planned{
			{kind: "const", name: "_"},
			{kind: "type", name: "Client", members: []string{"struct", "inv"}},
			{kind: "func", name: "New"},
		}
		plan.foreign(p.Foreign)
	}
	once := len(plan.decls)
	used := map[string]bool{}
	for _, t := range p.Tools {
		owner := fmt.Sprintf("tool %q", t.Wire)
		plan.decls = append(plan.decls,
			planned{kind: "func", recv: "*Client", name: t.Go, owner: owner},
			planned{kind: "func", name: t.Go, owner: owner})
		plan.calls["New()."+t.Go] = true
		plan.task(t, owner)
		plan.oldNames(t, owner)
		importsOf(t.Result, used)
		for _, u := range unionsIn(nil, t.Result) {
			plan.calls["(*"+u.Go+")"] = true
		}
	}
	plan.surface(p)
	if len(plan.decls) > once {
		plan.imports = append(plan.imports, strconv.Quote(contextPath))
	}
	if used[jsonPath] {
		plan.imports = append(plan.imports, strconv.Quote(jsonPath))
	}
	slices.Sort(plan.imports)
	return plan
}

func planTypes(u unit) *filePlan {
	plan := &filePlan{pkg: u.Name, calls: map[string]bool{}}
	used, read := map[string]bool{}, u.read
	for _, t := range u.Types {
		if t.Kind == ir.Union {
			plan.union(t)
			used[codecPath], used[jsonPath] = true, true
			continue
		}
		plan.decls = append(plan.decls, planned{kind: "type", name: t.Go, members: membersOf(t), owner: originOf(t)})
		for _, k := range t.Consts {
			plan.decls = append(plan.decls, planned{kind: "const", name: k.Go, owner: originOf(t)})
		}
		for _, m := range read.methodsOf(t) {
			recv := t.Go
			if m.decodes {
				recv = "*" + recv
			}
			plan.decls = append(plan.decls, planned{kind: "func", recv: recv, name: m.name(), owner: originOf(t)})
			used[codecPath] = true
			if t.Kind == ir.Alias {
				plan.calls["(*"+gotext.Type(t.Of)+")"] = true
			}
		}
		importsOf(t.Of, used)
		importsOf(t.Extra, used)
		importsOf(t.Rest, used)
		for _, f := range t.Fields {
			importsOf(f.Type, used)
		}
	}
	for path := range used {
		plan.imports = append(plan.imports, strconv.Quote(path))
	}
	slices.Sort(plan.imports)
	return plan
}

// union plans the declarations of a union.
func (plan *filePlan) union(t *ir.Type) {
	add := func(d planned) {
		d.owner = originOf(t)
		plan.decls = append(plan.decls, d)
	}
	plan.calls["(*"+t.Go+")"] = true
	add(planned{kind: "type", name: t.Go, members: []string{"interface", markerName(t)}})
	for _, v := range t.Variants {
		add(planned{kind: "func", recv: v.Type.Go, name: markerName(t)})
		if baseOf(v.Type) != "" {
			plan.calls[v.Type.Go] = true // a conversion
		}
	}
	add(planned{kind: "func", recv: t.Other, name: markerName(t)})
	add(planned{kind: "type", name: t.Other, members: []string{"struct", "embedded json.RawMessage"}})
	add(planned{kind: "func", name: decoderName(t)})
}

func membersOf(t *ir.Type) []string {
	switch t.Kind {
	case ir.Enum:
		if t.Open {
			return []string{"="}
		}
		return []string{t.Base}
	case ir.Alias:
		if gotext.IsSynonym(t.Of) {
			return []string{"="}
		}
		return []string{t.Of.Name} // "" unless it is a basic type
	}
	members := []string{"struct"}
	for i, f := range t.Fields {
		tags := tagsOf(t, i)
		member := f.Go + " json:" + strconv.Quote(tags["json"])
		if own, ok := tags["mcp"]; ok {
			member += " mcp:" + strconv.Quote(own)
		}
		members = append(members, member)
	}
	if t.Kind == ir.Tuple && t.Rest != nil {
		members = append(members, restField+` json:"-"`)
	}
	if t.Kind == ir.Struct && t.Extra != nil {
		members = append(members, extraField+` json:"-"`)
	}
	return members
}

func importsOf(r *ir.Ref, used map[string]bool) {
	for ; r != nil; r = r.Elem {
		switch r.Kind {
		case ir.Raw, ir.Number:
			used[jsonPath] = true
		case ir.Opt, ir.Text:
			used[runtimePath] = true
		}
	}
}

func planShim(s ir.Shim, names []string) *filePlan {
	plan := &filePlan{
		pkg:        s.Name,
		imports:    []string{strconv.Quote(runtimePath)},
		decls:      []planned{{kind: "func", name: "Tools"}, {kind: "func", name: "Register"}, {kind: "func", name: "Manifests"}},
		directives: []directive{goGenerate},
		calls:      map[string]bool{"Tools": true, "slices.Concat": true},
	}
	if len(s.Packages) > 0 {
		plan.imports = append(plan.imports, strconv.Quote(slicesPath))
	}
	for i, p := range s.Packages {
		line := strconv.Quote(p.ImportPath)
		if names[i] != p.Name {
			line = names[i] + " " + line
		}
		plan.imports = append(plan.imports, line)
		plan.calls[names[i]+".Tools"], plan.calls[names[i]+".Manifest"] = true, true
	}
	slices.Sort(plan.imports)
	return plan
}
