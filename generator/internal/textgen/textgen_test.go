package textgen

import (
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/generator/internal/ir"
)

func basicRef(name string) *ir.Ref          { return &ir.Ref{Kind: ir.Basic, Name: name} }
func namedRef(t *ir.Type) *ir.Ref           { return &ir.Ref{Kind: ir.Named, Decl: t} }
func refTo(k ir.RefKind, e *ir.Ref) *ir.Ref { return &ir.Ref{Kind: k, Elem: e} }

// boardPackage is a package with one of everything that a page shows.
func boardPackage() *ir.Package {
	state := &ir.Type{Go: "ListArgsState", Kind: ir.Enum, Base: "string", Doc: ir.Doc{Lead: `ListArgsState is the type of "state" in [ListArgs].`},
		Consts: []ir.Const{{Go: "ListArgsStateOpen", Value: `"open"`}}}
	text := &ir.Type{Go: "ListResultText", Kind: ir.Alias, Of: basicRef("string"), Doc: ir.Doc{Lead: "ListResultText is text."}}
	card := &ir.Type{Go: "ListResultCard", Kind: ir.Struct, Extra: refTo(ir.Raw, nil), Tags: []ir.Tag{{Wire: "kind", Value: `"card"`}}}
	union := &ir.Type{Go: "ListResultItem", Kind: ir.Union, Other: "ListResultItemOther", Variants: []ir.Variant{{Type: text}, {Type: card}}}
	pair := &ir.Type{Go: "ListResultPair", Kind: ir.Tuple, Rest: basicRef("int"), Fields: []*ir.Field{{Go: "First", Type: basicRef("string")}}}
	card.Fields = []*ir.Field{{Go: "Next", Wire: "next", Type: refTo(ir.Pointer, namedRef(card)), Presence: ir.OmitZero}, {Go: "Pair", Wire: "pair", Type: namedRef(pair)}}
	args := &ir.Type{Go: "ListArgs", Kind: ir.Struct, Fields: []*ir.Field{
		{Go: "State", Wire: "state", Type: namedRef(state), Doc: ir.Doc{Server: "Which | ones", Notes: []string{"Default: open."}}},
		{Go: "Max", Wire: "max|`", Type: refTo(ir.Opt, basicRef("int")), Presence: ir.OmitZero},
	}}
	list := &ir.Tool{Wire: "list", Go: "List", Args: args, Result: refTo(ir.Slice, namedRef(union)),
		Doc: ir.Doc{Lead: `List calls the tool "list".`, Server: "Lists.\n\n- one\n- two", Notes: []string{"The server describes it as read-only."}},
		Example: &ir.Literal{Type: namedRef(args), Fields: []ir.LiteralField{
			{Go: "State", Value: &ir.Literal{Type: namedRef(state), Const: "ListArgsStateOpen", Value: `"open"`}},
			{Go: "Max", Value: &ir.Literal{Type: refTo(ir.Opt, basicRef("int")), Elems: []*ir.Literal{{Type: basicRef("int"), Value: "2"}}}},
		}}}
	ping := &ir.Tool{Wire: "ping", Go: "Ping", Args: &ir.Type{Go: "PingArgs"}, Doc: ir.Doc{Lead: `Ping calls the tool "ping".`}}
	return &ir.Package{Name: "board", Server: "board", Title: "The <Board>", Tools: []*ir.Tool{list, ping},
		Doc:       ir.Doc{Server: "Be kind."},
		Prompts:   []*ir.Prompt{{Wire: "sum", Go: "SumPrompt", Args: &ir.Type{Fields: []*ir.Field{{Go: "Topic", Wire: "topic", Type: basicRef("string")}}}}},
		Resources: []*ir.Resource{{URI: "board://all", Go: "ReadAll"}},
		Templates: []*ir.Template{{Wire: "board://{id}", Go: "CardURI", Read: "ReadCard", Vars: &ir.Type{}}},
	}
}

func TestPage(t *testing.T) {
	data, err := Page(boardPackage())
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	if !strings.HasPrefix(text, Header+"\n") || !strings.HasSuffix(text, "\n") || strings.Contains(text, "\n\n\n") {
		t.Errorf("header, end or blank lines:\n%s", text)
	}
	for _, want := range []string{
		"# MCP server `board`", `The server calls itself The &lt;Board&gt;.`, "> Be kind.",
		"| `list` | [List](#list) | Lists. |",
		"func List(ctx context.Context, args ListArgs, opts ...runtime.CallOption) ([]ListResultItem, error)",
		"**ListArgsState** is the type of \"state\" in `ListArgs`.",
		"> Lists.\n>\n> \\- one\\\n> \\- two\n",
		"The server describes it as read-only.",
		"| `state` | `State` | `ListArgsState` | required | Which \\| ones. Default: open. |",
		"| max\\|\\` | `Max` | `runtime.Opt[int]` | optional |  |",
		"| `\"open\"` | `ListArgsStateOpen` |",
		"One of `ListResultText`, `ListResultCard`, `ListResultItemOther`.",
		"In Go: `string`.",
		"| `kind` |  |  | required | always `\"card\"`, set when it is sent |",
		"| any other | `Extra` | `map[string]json.RawMessage` | optional |  |",
		"| element | `First` | `string` | required |  |", "| the rest | `Rest` | `[]int` | optional |  |",
		"result, err := board.List(ctx, board.ListArgs{\n\tState: board.ListArgsStateOpen,\n\tMax:   runtime.Some(2),\n})",
		"result, err := board.Ping(ctx, board.PingArgs{})", "The server declares no schema for it.",
		"## Prompts", "### SumPrompt", "## Resources", "### ReadAll", "## Resource templates", "`ReadCard` reads what such a URI names.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
