package textgen

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/generator/internal/gotext"
	"github.com/mcpgen/mcpgen/generator/internal/ir"
	"github.com/mcpgen/mcpgen/internal/pagefacts"
)

func TestEffectOf(t *testing.T) {
	yes, no := new(true), new(false)
	for _, tt := range []struct {
		hints ir.Hints
		want  string
	}{
		{ir.Hints{}, "unstated"},
		{ir.Hints{ReadOnly: no}, "unstated"},
		{ir.Hints{Idempotent: yes}, "unstated"},
		{ir.Hints{ReadOnly: yes}, "reads"},
		{ir.Hints{ReadOnly: yes, Destructive: yes}, "reads"}, // the protocol: destructiveHint counts for others alone
		{ir.Hints{Destructive: yes}, "destroys"},
		{ir.Hints{ReadOnly: no, Destructive: no}, "writes"},
	} {
		if got := effectOf(tt.hints).Key; got != tt.want {
			t.Errorf("%s: got %s, want %s", hintText(tt.hints), got, tt.want)
		}
	}
}

func TestNumber(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 61749: "61,749", 1234567: "1,234,567"} {
		if got := number(n); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestParagraphs(t *testing.T) {
	for text, want := range map[string][]string{
		"": nil, " \n\n": nil, "one": {"one"}, "one\ntwo\n\n \nthree  \n": {"one\ntwo", "three"}, "a\u202eb": {"ab"},
	} {
		if got := paragraphs(text); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestCatalogue(t *testing.T) {
	p := boardPackage()
	facts := pagefacts.Facts{Policy: "Mode enforce.", Live: true, Code: &pagefacts.CodeFacts{Unseen: []string{"agent/x.go: broken"}}, Items: map[pagefacts.ItemID]pagefacts.ItemFacts{
		{Server: "board", Kind: "tool", Name: "list"}: {
			Access: pagefacts.Access{Decision: "denied", Rule: "tool:board/list", File: "mcpgen.yaml"},
			Drift:  pagefacts.Drift{State: "breaking", Changes: []string{"breaking: tool-removed: the tool is gone"}},
			Sites:  []pagefacts.Site{{File: "agent/main.go", Line: 7, Code: "board.List(ctx, a)"}, {File: "agent/other.go", Line: 1}},
		},
		{Server: "board", Kind: "prompt", Name: "sum"}: {Access: pagefacts.Access{Decision: "ask", Reason: "no rule allows it"}},
	}}
	page, err := HTMLPage("example.com/app", "example.com/app/mcp/board", p, facts)
	if err != nil {
		t.Fatal(err)
	}
	index, err := HTMLIndex("example.com/app", []*ir.Package{p}, facts)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"It calls itself The &lt;Board&gt;.", `import "example.com/app/mcp/board"`, "Be kind.", "- one\n- two", `id="List"`, `id="SumPrompt"`, `id="ReadAll"`, `id="CardURI"`,
		"func <b>List</b>(ctx context.Context, args ListArgs, opts ...runtime.CallOption) ([]ListResultItem, error)",
		"Max:   runtime.Some(2),", "always &#34;card&#34;, set when it is sent", "ReadCard reads what such a URI names.",
		"by the rule tool:board/list in mcpgen.yaml", "breaking: tool-removed: the tool is gone", "agent/main.go:7", "board.List(ctx, a)",
		"No line of this module.", "asks first", "The module calls 1 of 2 tools, in 2 files.", `href="#map"`,
	} {
		if !strings.Contains(string(page), want) {
			t.Errorf("no %q in the page of the server", want)
		}
	}
	for _, want := range []string{
		"example.com/<wbr>app", `href="board/board.html#List"`, "2 tools of 1 server", "2 lines in 2 files call 1 of them", "agent/other.go",
		"drift: breaking", "2 calls", "Not searched: agent/x.go: broken.", "Mode enforce.", `data-words="List state max`,
	} {
		if !strings.Contains(string(index), want) {
			t.Errorf("no %q in the index", want)
		}
	}
	for _, text := range []string{string(page), string(index)} {
		if !strings.HasPrefix(text, Header+"\n<!doctype html>\n") || !strings.HasSuffix(text, "</html>\n") {
			t.Errorf("got a page that begins with %q, want the header and a whole document", text[:100])
		}
	}
}

// The page of consumers shows what modules pushed as text, and no more of it than fits; without modules there is
// no link to it.
func TestConsumers(t *testing.T) {
	p := boardPackage()
	long := make([]string, 40)
	for i := range long {
		long[i] = strings.Repeat("x", 1000)
	}
	facts := pagefacts.Facts{
		Items: map[pagefacts.ItemID]pagefacts.ItemFacts{{Server: "board", Kind: "tool", Name: "list"}: {Users: append([]string{"example.com/<b>one: 3 lines"}, long...)}},
		Consumers: &pagefacts.Consumers{Note: "Not all <i>.", Modules: []pagefacts.Consumer{
			{Server: "board", Module: "example.com/<script>one", Commit: "0123456789abcdef", Version: "1.2", State: "breaks", Uses: []string{"list 3 lines"}, Changes: []string{"tool list <b>gone"}},
			{Server: "board", Module: "a\u202eb\nc", Version: "sha256:0123456789abcdef0123456789", State: "fits", Uses: long},
			{Server: "board", Module: "example.com/three", Version: "3", State: "unknown"},
			{Server: "gone", Module: "example.com/four", State: "fits"},
		}},
	}
	page, err := HTMLConsumers("example.com/app", []*ir.Package{p, {Server: "quiet", Name: "quiet"}}, facts)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"example.com/&lt;script&gt;one", "tool list &lt;b&gt;gone", "Not all &lt;i&gt;.", ">0123456789ab</li>", ">1.2</li>", `<span class="name">ab c</span>`, ">0123456789abcdef", "and 28 more",
		`<li class="breaking" title="with the definitions in this catalogue">breaks</li>`, ">fits</li>", `<li class="unknown" title="with the definitions in this catalogue">unknown</li>`,
		`<a href="board/board.html">board</a>`, "3 modules · 1 would break", `<a href="index.html">`,
	} {
		if !strings.Contains(string(page), want) {
			t.Errorf("no %q in the page of consumers", want)
		}
	}
	for _, not := range []string{"quiet", "four", strings.Repeat("x", maxWords+1), "0123456789abc<"} {
		if strings.Contains(string(page), not) {
			t.Errorf("%q is in the page of consumers", not)
		}
	}
	server, err := HTMLPage("example.com/app", "example.com/app/mcp/board", p, facts)
	if err != nil || !strings.Contains(string(server), "example.com/&lt;b&gt;one: 3 lines") || !strings.Contains(string(server), "and 29 more") {
		t.Errorf("the page of the server does not say who uses the tool: %v", err)
	}
	index, err := HTMLIndex("example.com/app", []*ir.Package{p}, facts)
	if err != nil || !strings.Contains(string(index), `<a href="consumers.html">`) || !strings.Contains(string(index), "41 modules") {
		t.Errorf("the index does not lead to the consumers: %v", err)
	}
	facts.Consumers = nil
	if index, err = HTMLIndex("example.com/app", []*ir.Package{p}, facts); err != nil || strings.Contains(string(index), "consumers.html") {
		t.Errorf("the index leads to a page that is not there: %v", err)
	}
}

// The map of a server has the tools that are called most, each on a line of its own.
func TestCalledChart(t *testing.T) {
	p := &ir.Package{Server: "a", Name: "apkg"}
	facts := pagefacts.Facts{Items: map[pagefacts.ItemID]pagefacts.ItemFacts{}}
	for i := range 40 {
		name := fmt.Sprintf("tool%02d", i)
		p.Tools = append(p.Tools, &ir.Tool{Wire: name, Go: name})
		var sites []pagefacts.Site
		for j := range i {
			sites = append(sites, pagefacts.Site{File: fmt.Sprintf("f%02d.go", j), Line: i})
		}
		facts.Items[pagefacts.ItemID{Server: "a", Kind: "tool", Name: name}] = pagefacts.ItemFacts{Sites: sites}
	}
	v := (&catalogue{packages: []*ir.Package{p}, facts: facts}).calledChart(p)
	if len(v.Dots) != chartFiles || len(v.Files) != chartFiles || v.Dots[0].Title != "tool16" {
		t.Errorf("got %d tools from %q and %d files, want %d from %q and %d", len(v.Dots), v.Dots[0].Title, len(v.Files), chartFiles, "tool16", chartFiles)
	}
	if want := "The module calls 39 of 40 tools, in 39 files. The chart shows the 24 tools with the most calls. The 24 files with the most calls are shown."; v.Caption != want {
		t.Errorf("got the caption %q, want %q", v.Caption, want)
	}
	last := -1
	for _, l := range v.Labels {
		if l.Y-last < 12 || l.Y > v.Height {
			t.Errorf("%s is at %d of %d, behind %d", l.Text, l.Y, v.Height, last)
		}
		last = l.Y
	}
	if v := (&catalogue{packages: []*ir.Package{p}}).calledChart(p); v != nil {
		t.Errorf("got a map %+v of a server that nothing calls, want none", v)
	}
}

// A long history is folded, and one of another server is not shown.
func TestHistory(t *testing.T) {
	h := &pagefacts.History{}
	for i := range 30 {
		h.Events = append(h.Events, pagefacts.Event{Commit: fmt.Sprint(i), Servers: []pagefacts.ServerEvent{{Server: "a", Verdict: "breaking", Removed: make([]string, 20)}, {Server: "b", Verdict: "new", Added: []string{"x"}}}})
	}
	h.Events[0].Servers = h.Events[0].Servers[1:]
	c := &catalogue{packages: []*ir.Package{{Server: "a", Name: "apkg"}}, facts: pagefacts.Facts{History: h}}
	all := c.history("")
	if len(all.Events) != maxOpen || all.EarlierCount != 30-maxOpen {
		t.Errorf("%d events and %d earlier ones", len(all.Events), all.EarlierCount)
	}
	first, second := all.Events[0], all.Events[1]
	if first.Class != "new" || first.Servers[0].Text != "1 item" || first.Servers[0].Href != "" {
		t.Errorf("got %+v", first)
	}
	if s := second.Servers[0]; second.Class != "breaking" || s.Href != "apkg/apkg.html" || len(s.Lists[0].Names) != maxNames || s.Lists[0].More != 20-maxNames {
		t.Errorf("got %+v", second)
	}
	if own := c.history("a"); len(own.Events)+own.EarlierCount != 29 {
		t.Errorf("%d events of one server", len(own.Events)+own.EarlierCount)
	}
	if c.history("none") != nil || (&catalogue{}).history("") != nil {
		t.Errorf("the history of no server is %v, want nil", c.history("none"))
	}
}

// Whatever is required has a value of its type.
func TestStandIns(t *testing.T) {
	enum := &ir.Type{Go: "E", Kind: ir.Enum, Base: "string", Consts: []ir.Const{{Go: "EOne", Value: `"one"`}}}
	text := &ir.Type{Go: "T", Kind: ir.Alias, Of: basicRef("string")}
	inner := &ir.Type{Go: "S", Kind: ir.Struct, Fields: []*ir.Field{{Go: "A", Wire: "a", Type: basicRef("bool")}, {Go: "B", Wire: "b", Type: basicRef("int"), Presence: ir.OmitZero}}}
	union := &ir.Type{Go: "U", Kind: ir.Union, Variants: []ir.Variant{{Type: inner}}}
	loop := &ir.Type{Go: "L", Kind: ir.Struct}
	loop.Fields = []*ir.Field{{Go: "Next", Type: namedRef(loop)}}
	for want, r := range map[string]*ir.Ref{
		`"x"`:                              basicRef("string"),
		"1.5":                              basicRef("float64"),
		"int64(1)":                         basicRef("int64"),
		"p.EOne":                           namedRef(enum),
		`p.T("x")`:                         namedRef(text),
		"p.S{A: true}":                     namedRef(union),
		"[]p.S{{A: true}}":                 refTo(ir.Slice, namedRef(inner)),
		"[]p.U{p.S{A: true}}":              refTo(ir.Slice, namedRef(union)),
		`map[string]p.S{"key": {A: true}}`: refTo(ir.Map, namedRef(inner)),
		"&p.S{A: true}":                    refTo(ir.Pointer, namedRef(inner)),
		`runtime.Some("x")`:                refTo(ir.Opt, basicRef("string")),
		`json.RawMessage("{}")`:            {Kind: ir.Raw},
		`format.Date("2026-01-02")`:        {Kind: ir.Text, Name: "Date"},
		"[2]bool{true, true}":              {Kind: ir.Array, Len: 2, Elem: basicRef("bool")},
	} {
		l := new(standIns).value(r, "x", 0)
		if l == nil {
			t.Errorf("nothing for %s", want)
		} else if got := gotext.Value("p", l, 60); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if l := new(standIns).value(namedRef(loop), "x", 0); l != nil {
		t.Errorf("got %s", gotext.Value("p", l, 60))
	}
}
