package gogen

import (
	"encoding/json"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

func basicRef(name string) *ir.Ref          { return &ir.Ref{Kind: ir.Basic, Name: name} }
func namedRef(t *ir.Type) *ir.Ref           { return &ir.Ref{Kind: ir.Named, Decl: t} }
func refTo(k ir.RefKind, e *ir.Ref) *ir.Ref { return &ir.Ref{Kind: k, Elem: e} }

// samplePackage is a package with one of everything.
func samplePackage() *ir.Package {
	state := &ir.Type{Go: "ListPRsArgsState", Path: "list_prs input /properties/state", Kind: ir.Enum, Base: "string",
		Doc:    ir.Doc{Lead: "ListPRsArgsState is the type of ListPRsArgs.State."},
		Consts: []ir.Const{{Go: "ListPRsArgsStateOpen", Value: `"open"`}, {Go: "ListPRsArgsStateClosed", Value: `"closed"`}}}
	level := &ir.Type{Go: "ListPRsArgsLevel", Kind: ir.Enum, Base: "int",
		Consts: []ir.Const{{Go: "ListPRsArgsLevel1", Value: `1`}, {Go: "ListPRsArgsLevelMinus2", Value: `-2`}}}
	listArgs := &ir.Type{Go: "ListPRsArgs", Path: "list_prs input", Kind: ir.Struct,
		Doc: ir.Doc{Lead: "ListPRsArgs are the arguments of ListPRs."},
		Fields: []*ir.Field{
			{Go: "Repo", Wire: "repo", Type: basicRef("string"), Doc: ir.Doc{Server: "owner/name of the repository"}},
			{Go: "Labels", Wire: "labels", Type: refTo(ir.Slice, basicRef("string"))},
			{Go: "State", Wire: "state", Type: namedRef(state), Presence: ir.OmitZero},
			{Go: "Level", Wire: "-", Type: namedRef(level), Presence: ir.Required, Untagged: true},
			{Go: "Page", Wire: "page", Type: refTo(ir.Pointer, basicRef("int")), Presence: ir.OmitZero},
			{Go: "Note", Wire: "note", Type: refTo(ir.Opt, basicRef("string")), Presence: ir.OmitZero},
			{Go: "Filter", Wire: "filter", Type: &ir.Ref{Kind: ir.Any}, Presence: ir.OmitZero},
		}}
	pr := &ir.Type{Go: "ListPRsResultItem", Path: "list_prs output /items", Kind: ir.Struct, Decodes: true,
		Fields: []*ir.Field{
			{Go: "Number", Wire: "number", Type: basicRef("int")},
			{Go: "Meta", Wire: "meta", Type: &ir.Ref{Kind: ir.Raw}},
		}}
	list := &ir.Type{Go: "ListPRsResult", Path: "list_prs output", Kind: ir.Alias, Of: refTo(ir.Slice, namedRef(pr))}
	raw := &ir.Type{Go: "ListPRsResultRaw", Kind: ir.Alias, Of: &ir.Ref{Kind: ir.Raw}}
	getArgs := &ir.Type{Go: "GetArgs", Kind: ir.Struct}
	get := &ir.Type{Go: "GetResult", Kind: ir.Struct, Decodes: true, Extra: &ir.Ref{Kind: ir.Raw},
		Fields: []*ir.Field{
			{Go: "Names", Wire: "names", Type: refTo(ir.Map, basicRef("string"))},
			{Go: "Next", Wire: "next", Type: nil, Presence: ir.OmitZero},
		}}
	get.Fields[1].Type = refTo(ir.Pointer, namedRef(get))
	return &ir.Package{Name: "github", Server: "github", Title: "GitHub MCP Server",
		Tools: []*ir.Tool{
			{Wire: "get", Go: "Get", Qualified: "github__get", Pin: "sha256:00", Args: getArgs, Result: namedRef(get)},
			{Wire: "list_prs", Go: "ListPRs", Qualified: "github__list_prs", Pin: "sha256:01", Args: listArgs, Result: namedRef(list),
				Doc: ir.Doc{Lead: `ListPRs calls the tool "list_prs".`, Server: "List the pull requests of a repository.\n\nUse it:\n- to find one\n- to count them\n    curl -X POST\n",
					Notes: []string{"The property sort is left out."}}},
			{Wire: "ping", Go: "Ping", Qualified: "github__ping", Pin: "sha256:02", Args: getArgs},
		},
		Types: []*ir.Type{getArgs, get, listArgs, state, level, list, pr, raw}}
}

// shapesPackage is a package with what needs marshalling of its own: unions, tuples,
// arrays, tags, and names that no tag can hold.
func shapesPackage() *ir.Package {
	text := &ir.Type{Go: "SendArgsBlocksText", Path: "send input /properties/blocks/items/oneOf/0", Kind: ir.Struct, Decodes: true,
		Fields: []*ir.Field{{Go: "Text", Wire: "text", Type: basicRef("string")}},
		Tags:   []ir.Tag{{Wire: "type", Value: `"text"`}}}
	image := &ir.Type{Go: "SendArgsBlocksImage", Kind: ir.Struct, Decodes: true, Extra: &ir.Ref{Kind: ir.Any},
		Fields: []*ir.Field{{Go: "Data", Wire: "data", Type: basicRef("string")}},
		Tags:   []ir.Tag{{Wire: "type", Value: `"image"`}, {Wire: "v`", Value: "1"}}}
	number := &ir.Type{Go: "SendArgsBlocksNumber", Kind: ir.Alias, Of: basicRef("float64")}
	words := &ir.Type{Go: "SendArgsBlocksString", Kind: ir.Alias, Of: basicRef("string")}
	list := &ir.Type{Go: "SendArgsBlocksList", Kind: ir.Alias, Decodes: true}
	pair := &ir.Type{Go: "SendArgsBlocksPair", Kind: ir.Tuple, Decodes: true, Rest: basicRef("string"), Fields: []*ir.Field{
		{Go: "Name", Type: basicRef("string"), Doc: ir.Doc{Server: "the name"}},
		{Go: "Count", Type: refTo(ir.Pointer, basicRef("int")), Presence: ir.OmitZero}}}
	link := &ir.Type{Go: "SendArgsBlocksLink", Kind: ir.Struct, Decodes: true,
		Fields: []*ir.Field{{Go: "URL", Wire: "url", Type: basicRef("string")}}}
	block := &ir.Type{Go: "SendArgsBlocks", Path: "send input /properties/blocks/items", Kind: ir.Union, Other: "SendArgsBlocksOther",
		Doc: ir.Doc{Lead: `SendArgsBlocks is an item of "blocks" in the arguments of the tool "send".`, Server: "What is sent."},
		Variants: []ir.Variant{
			{Type: number, Match: ir.Match{Kind: "number"}},
			{Type: words, Match: ir.Match{Kind: "string"}},
			{Type: text, Match: ir.Match{Kind: "object", Tag: "type", Values: []string{`"text"`}}},
			{Type: image, Match: ir.Match{Kind: "object", Tag: "type", Values: []string{`"image"`}}},
			{Type: link, Match: ir.Match{Kind: "object", Key: "url"}},
			{Type: pair, Match: ir.Match{Kind: "array"}},
			{Type: list, Match: ir.Match{Kind: "array", Rank: 1}},
		}}
	list.Of = refTo(ir.Slice, namedRef(block))
	grid := &ir.Type{Go: "SendArgsGrid", Kind: ir.Alias, Of: refTo(ir.Slice, refTo(ir.Slice, basicRef("int")))}
	args := &ir.Type{Go: "SendArgs", Path: "send input", Kind: ir.Struct, Decodes: true, Fields: []*ir.Field{
		{Go: "Blocks", Wire: "blocks", Type: refTo(ir.Slice, namedRef(block))},
		{Go: "First", Wire: "first", Type: refTo(ir.Opt, namedRef(block)), Presence: ir.OmitZero},
		{Go: "Named", Wire: "named", Type: refTo(ir.Map, namedRef(block)), Presence: ir.OmitZero},
		{Go: "Point", Wire: "point", Type: &ir.Ref{Kind: ir.Array, Len: 2, Elem: basicRef("float64")}},
		{Go: "Grid", Wire: "grid", Type: namedRef(grid)},
		{Go: "Matrix", Wire: "matrix", Type: refTo(ir.Slice, refTo(ir.Map, basicRef("int"))), Presence: ir.OmitZero},
		{Go: "AB", Wire: `a"b`, Type: basicRef("int"), Untagged: true},
		{Go: "Tick", Wire: "a`,\n", Type: refTo(ir.Pointer, basicRef("int")), Presence: ir.OmitZero, Untagged: true},
		{Go: "Empty", Wire: "", Type: refTo(ir.Pointer, basicRef("int")), Presence: ir.OmitZero, Untagged: true},
	}}
	lit := func(r *ir.Ref, elems ...*ir.Literal) *ir.Literal { return &ir.Literal{Type: r, Elems: elems} }
	val := func(r *ir.Ref, value string) *ir.Literal { return &ir.Literal{Type: r, Value: value} }
	textValue := &ir.Literal{Type: namedRef(text), Fields: []ir.LiteralField{{Go: "Text", Value: val(basicRef("string"), jsonText("a \u202e`\n//go:build x"))}}}
	point := lit(&ir.Ref{Kind: ir.Array, Len: 2, Elem: basicRef("float64")}, val(basicRef("float64"), "1"), val(basicRef("float64"), "-2.5"))
	row := lit(refTo(ir.Slice, basicRef("int")), val(basicRef("int"), "1"))
	example := &ir.Literal{Type: namedRef(args), Fields: []ir.LiteralField{
		{Go: "Blocks", Value: lit(refTo(ir.Slice, namedRef(block)), textValue, val(namedRef(words), `"w"`), val(namedRef(number), "1"),
			&ir.Literal{Type: namedRef(pair), Fields: []ir.LiteralField{{Go: "Name", Value: val(basicRef("string"), `"n"`)},
				{Go: "Count", Value: lit(refTo(ir.Pointer, basicRef("int")), val(basicRef("int"), "2"))}}},
			lit(namedRef(list), textValue))},
		{Go: "First", Value: lit(refTo(ir.Opt, namedRef(block)), textValue)},
		{Go: "Named", Value: &ir.Literal{Type: refTo(ir.Map, namedRef(block)), Keys: []string{"a\"b"}, Elems: []*ir.Literal{textValue}}},
		{Go: "Point", Value: point},
		{Go: "Grid", Value: lit(namedRef(grid), row, row)},
		{Go: "Matrix", Value: lit(refTo(ir.Slice, refTo(ir.Map, basicRef("int"))), &ir.Literal{Type: refTo(ir.Map, basicRef("int")), Keys: []string{"k"}, Elems: []*ir.Literal{val(basicRef("int"), "3")}})},
		{Go: "AB", Value: val(basicRef("int"), "4")},
		{Go: "Tick", Value: lit(refTo(ir.Pointer, basicRef("int")), val(basicRef("int"), "5"))},
	}}
	short := &ir.Literal{Type: namedRef(args), Fields: []ir.LiteralField{{Go: "First", Value: lit(refTo(ir.Opt, namedRef(block)))}}}
	result := &ir.Type{Go: "SendResult", Kind: ir.Alias, Decodes: true, Of: refTo(ir.Slice, namedRef(block))}
	open := &ir.Type{Go: "SendArgsMode", Kind: ir.Enum, Base: "string", Open: true, Consts: []ir.Const{{Go: "SendArgsModeFast", Value: `"fast"`}}}
	return &ir.Package{Name: "shapes", Server: "shapes",
		Tools: []*ir.Tool{
			{Wire: "send", Go: "Send", Qualified: "shapes__send", Pin: "sha256:00", Args: args, Result: namedRef(result), Example: example},
			{Wire: "send2", Go: "Send2", Qualified: "shapes__send2", Pin: "sha256:00", Args: args, Result: namedRef(block), Example: short},
			{Wire: "send3", Go: "Send3", Qualified: "shapes__send3", Pin: "sha256:00", Args: args, Result: refTo(ir.Map, namedRef(block))},
		},
		Types: []*ir.Type{args, block, text, image, number, words, list, pair, link, grid, open, result}}
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
