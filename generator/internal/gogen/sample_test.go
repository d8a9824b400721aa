package gogen

import (
	"encoding/json"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

func basic(name string) *ir.Ref          { return &ir.Ref{Kind: ir.Basic, Name: name} }
func named(t *ir.Type) *ir.Ref           { return &ir.Ref{Kind: ir.Named, Decl: t} }
func of(k ir.RefKind, e *ir.Ref) *ir.Ref { return &ir.Ref{Kind: k, Elem: e} }

// sample is a package with one of everything.
func sample() *ir.Package {
	state := &ir.Type{Go: "ListPRsArgsState", Path: "list_prs input /properties/state", Kind: ir.Enum, Base: "string",
		Doc:    ir.Doc{Lead: "ListPRsArgsState is the type of ListPRsArgs.State."},
		Consts: []ir.Const{{Go: "ListPRsArgsStateOpen", Value: `"open"`}, {Go: "ListPRsArgsStateClosed", Value: `"closed"`}}}
	level := &ir.Type{Go: "ListPRsArgsLevel", Kind: ir.Enum, Base: "int",
		Consts: []ir.Const{{Go: "ListPRsArgsLevel1", Value: `1`}, {Go: "ListPRsArgsLevelMinus2", Value: `-2`}}}
	listArgs := &ir.Type{Go: "ListPRsArgs", Path: "list_prs input", Kind: ir.Struct,
		Doc: ir.Doc{Lead: "ListPRsArgs are the arguments of ListPRs."},
		Fields: []*ir.Field{
			{Go: "Repo", Wire: "repo", Type: basic("string"), Doc: ir.Doc{Server: "owner/name of the repository"}},
			{Go: "Labels", Wire: "labels", Type: of(ir.Slice, basic("string"))},
			{Go: "State", Wire: "state", Type: named(state), Presence: ir.OmitZero},
			{Go: "Level", Wire: "-", Type: named(level), Presence: ir.Required},
			{Go: "Page", Wire: "page", Type: of(ir.Pointer, basic("int")), Presence: ir.OmitZero},
			{Go: "Note", Wire: "note", Type: of(ir.Opt, basic("string")), Presence: ir.OmitZero},
			{Go: "Filter", Wire: "filter", Type: &ir.Ref{Kind: ir.Any}, Presence: ir.OmitZero},
		}}
	pr := &ir.Type{Go: "ListPRsResultItem", Path: "list_prs output /items", Kind: ir.Struct, Decodes: true,
		Fields: []*ir.Field{
			{Go: "Number", Wire: "number", Type: basic("int")},
			{Go: "Meta", Wire: "meta", Type: &ir.Ref{Kind: ir.Raw}},
		}}
	list := &ir.Type{Go: "ListPRsResult", Path: "list_prs output", Kind: ir.Alias, Of: of(ir.Slice, named(pr))}
	raw := &ir.Type{Go: "ListPRsResultRaw", Kind: ir.Alias, Of: &ir.Ref{Kind: ir.Raw}}
	getArgs := &ir.Type{Go: "GetArgs", Kind: ir.Struct}
	get := &ir.Type{Go: "GetResult", Kind: ir.Struct, Decodes: true, Extra: &ir.Ref{Kind: ir.Raw},
		Fields: []*ir.Field{
			{Go: "Names", Wire: "names", Type: of(ir.Map, basic("string"))},
			{Go: "Next", Wire: "next", Type: nil, Presence: ir.OmitZero},
		}}
	get.Fields[1].Type = of(ir.Pointer, named(get))
	return &ir.Package{Name: "github", Server: "github", Title: "GitHub MCP Server",
		Tools: []*ir.Tool{
			{Wire: "get", Go: "Get", Qualified: "github__get", Pin: "sha256:00", Args: getArgs, Result: named(get)},
			{Wire: "list_prs", Go: "ListPRs", Qualified: "github__list_prs", Pin: "sha256:01", Args: listArgs, Result: named(list),
				Doc: ir.Doc{Lead: `ListPRs calls the tool "list_prs".`, Server: "List the pull requests of a repository.\n\nUse it:\n- to find one\n- to count them\n    curl -X POST\n",
					Notes: []string{"The property sort is left out."}}},
			{Wire: "ping", Go: "Ping", Qualified: "github__ping", Pin: "sha256:02", Args: getArgs},
		},
		Types: []*ir.Type{getArgs, get, listArgs, state, level, list, pr, raw}}
}

// hostile are texts that leave a careless emitter's comments and literals.
var hostile = []string{
	"*/ func init() { println(1) } /*",
	"a\nfunc init() { println(1) }\n",
	"//go:build ignore",
	"/* */ var Injected int",
	"+build ignore",
	"//go:embed /etc/passwd",
	"//line /etc/passwd:7",
	"`; func init() { println(1) }; var _ = `",
	"\"; func init() { println(1) }; var _ = \"",
	"x\"` } ; type Injected struct { z string `y:\"",
	"\u202e\u2066\u200b\ufeff\x00\u2028\u2029\u0085\r\v\f",
	"\xff\xfe",
	"%s%d%!%n",
	"${x} {{.}} $(touch EVIL)",
	"",
}

func jsonText(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}
